import { join } from 'node:path';
import { hasConversations } from '../../apps/appKinds.ts';
import { appIdOf, appModelId } from '../../apps/appModelId.ts';
import type { AppRecord } from '../../apps/appRegistry.ts';
import type { AppService } from '../../apps/appService.ts';
import type { Log } from '../../base/log.ts';
import type { ConversationLinks } from '../../chat/apps/appConversations.ts';
import type { PlatformConversation } from '../../chat/apps/platformConversation.ts';
import { appConversationSource } from '../../history/appConversationSource.ts';
import { DetailsFile } from '../../history/conversationDetails.ts';
import type { HistorySource } from '../../history/historySource.ts';
import { ConversationCache } from '../../history/conversationCache.ts';
import { savedChatSource, type SavedChatSourceDependencies } from '../../history/savedChatSource.ts';
import type { ChatView } from '../chatView.ts';
import { tellError } from '../tellError.ts';
import { readModelId } from '../../relay/relayModelId.ts';
import type { RelayModels } from '../../chat/relayModels.ts';
import { showHistory } from './showHistory.ts';

export interface HistoryDependencies extends Omit<
  SavedChatSourceDependencies,
  'nameOf' | 'show' | 'reveal' | 'update' | 'details'
> {
  models: Pick<RelayModels, 'catalog'>;
  conversationLinks: ConversationLinks;
  view: Pick<ChatView, 'show' | 'reveal'>;
  apps: Pick<AppService, 'apps' | 'ready' | 'find' | 'client'>;
  openConversation(app: AppRecord, conversation: PlatformConversation): Promise<unknown>;
  log: Log;
}

const cache = new ConversationCache();

/** What is saved on this machine. */
export async function savedSource(deps: HistoryDependencies): Promise<SavedSource> {
  const { apps, view, openConversation, folder } = deps;
  await apps.ready;
  // It may have gone on elsewhere since.
  const update = async ({ conversation }: HistoryDependencies['chat'], modelId: string) => {
    const app = apps.find(appIdOf(conversation.model ?? modelId) ?? '');
    const id = app && conversation.withApp(app.id);
    if (app && id !== undefined) await openConversation(app, { id });
  };
  const nameOf = (modelId: string) => nameIn(deps, modelId);
  const details = detailsOf(folder);
  return {
    details,
    ...savedChatSource({
      ...{ ...deps, details, nameOf, update },
      show: () => view.show(),
      reveal: (place) => view.reveal(place),
    }),
  };
}

/** What is said of the conversations of a folder. */
export function detailsOf(folder: string): DetailsFile {
  return new DetailsFile(join(folder, 'details'));
}

/** Also tells what is said of conversations beside what is said in them. */
export interface SavedSource extends HistorySource {
  details: DetailsFile;
}

/** What a model or an app is called. */
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

/** Lists what is saved on this machine and what the platform stores of each app. Returns the id of what was opened. */
export async function openHistory(deps: HistoryDependencies): Promise<string | undefined> {
  const { apps, conversationLinks, openConversation, log } = deps;
  const sources = [
    await savedSource(deps),
    ...apps.apps.filter(hasConversations).map((app) =>
      appConversationSource({
        app,
        client: () => apps.client(app.id),
        cache,
        chatOf: (conversationId) => conversationLinks.get(app.id, conversationId),
        open: (conversation) => openConversation(app, conversation),
      }),
    ),
  ];
  try {
    return await showHistory(sources, log);
  } catch (error) {
    tellError(error, log);
    return undefined;
  }
}
