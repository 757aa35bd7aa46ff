import { join } from 'node:path';
import { hasConversations } from '../../apps/appKinds.ts';
import { appIdOf, appModelId } from '../../apps/appModelId.ts';
import type { AppRecord } from '../../apps/appRegistry.ts';
import type { AppService } from '../../apps/appService.ts';
import type { ConversationLinks } from '../../chat/chatDependencies.ts';
import type { PlatformConversation } from '../../chat/apps/platformConversation.ts';
import { appConversationSource } from '../../history/appConversationSource.ts';
import { DetailsFile } from '../../history/conversationDetails.ts';
import type { HistorySource } from '../../history/historySource.ts';
import { ConversationCache } from '../../history/conversationCache.ts';
import { savedChatSource, type SavedChatSourceDependencies } from '../../history/savedChatSource.ts';
import type { ChatView } from '../panel/chatView.ts';
import { tellError } from '../ui/tellError.ts';
import { readModelId } from '../../relay/relayModelId.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import { showHistory } from './historyPicker.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface HistoryDependencies extends Omit<
  SavedChatSourceDependencies,
  'folder' | 'nameOf' | 'show' | 'reveal' | 'update' | 'details'
> {
  models: Pick<RelayModels, 'catalog'>;
  memory: { readonly conversationLinks: ConversationLinks };
  folders: { chats: string };
  view: Pick<ChatView, 'show' | 'reveal'>;
  apps: Pick<AppService, 'apps' | 'ready' | 'find' | 'client'>;
  openConversation(app: AppRecord, conversation: PlatformConversation): Promise<unknown>;
  notifications: Notifications;
}

export async function savedSource(deps: HistoryDependencies): Promise<SavedSource> {
  const { apps, view, openConversation, folders } = deps;
  await apps.ready;
  // The conversation may have continued on the platform.
  const update = async ({ shown: { conversation } }: HistoryDependencies['chat'], modelId: string) => {
    const app = apps.find(appIdOf(conversation.model ?? modelId) ?? '');
    const id = app && conversation.withApp(app.id);
    if (app && id !== undefined) await openConversation(app, { id });
  };
  const nameOf = (modelId: string) => nameIn(deps, modelId);
  const details = detailsOf(folders.chats);
  return {
    details,
    ...savedChatSource({
      ...deps,
      folder: folders.chats,
      details,
      nameOf,
      update,
      show: () => view.show(),
      reveal: (place) => view.reveal(place),
    }),
  };
}

export function detailsOf(folder: string): DetailsFile {
  return new DetailsFile(join(folder, 'details'));
}

export interface SavedSource extends HistorySource {
  details: DetailsFile;
}

export function nameIn(
  { apps, models }: Pick<HistoryDependencies, 'apps' | 'models'>,
  modelId: string,
): string {
  return (
    apps.apps.find(({ id }) => appModelId(id) === modelId)?.name ??
    models.catalog.find(modelId)?.name ??
    readModelId(modelId).id
  );
}

export function historyOpener(deps: HistoryDependencies): () => Promise<string | undefined> {
  const cache = new ConversationCache();
  return async () => {
    const { apps, memory, openConversation } = deps;
    const sources = [
      await savedSource(deps),
      ...apps.apps.filter(hasConversations).map((app) =>
        appConversationSource({
          app,
          client: () => apps.client(app.id),
          cache,
          chatOf: (conversationId) => memory.conversationLinks.get(app.id, conversationId),
          open: (conversation) => openConversation(app, conversation),
        }),
      ),
    ];
    try {
      return await showHistory(deps.notifications, sources);
    } catch (error) {
      tellError(deps.notifications, error);
      return undefined;
    }
  };
}
