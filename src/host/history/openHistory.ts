import type { AppRecord } from '../../apps/appRegistry.ts';
import type { Log } from '../../base/log.ts';
import { appModelId } from '../../chat/apps/chatApp.ts';
import type { ModelCatalog } from '../../chat/modelCatalog.ts';
import type { AppConversation } from '../../platform/apps/appRecords.ts';
import { hasConversations } from '../apps/appKinds.ts';
import type { AppDesk } from '../apps/platformApps.ts';
import { tellError } from '../knowledge/screenContext.ts';
import { appConversationSource } from './appConversationSource.ts';
import { keptChatSource, type KeptChatSourceDependencies } from './keptChatSource.ts';
import { showHistory } from './showHistory.ts';

export interface HistoryDependencies extends Omit<KeptChatSourceDependencies, 'nameOf'> {
  catalog: ModelCatalog;
  apps: AppDesk;
  /** In which chat a conversation of an app is kept here. */
  chatOf(appId: string, conversationId: string): string | undefined;
  openConversation(app: AppRecord, conversation: AppConversation): Promise<unknown>;
  log: Log;
}

/** Lists what is kept on this machine and what the platform keeps of each app. Returns the id of what was opened. */
export async function openHistory(deps: HistoryDependencies): Promise<string | undefined> {
  const { apps, catalog, chatOf, openConversation, log } = deps;
  await apps.ready;
  const nameOf = (modelId: string): string =>
    apps.apps.find(({ id }) => appModelId(id) === modelId)?.name ?? catalog.find(modelId)?.name ?? modelId;
  const sources = [
    keptChatSource({ ...deps, nameOf }),
    ...apps.apps.filter(hasConversations).map((app) =>
      appConversationSource({
        app,
        client: () => apps.client(app.id),
        chatOf: (conversationId) => chatOf(app.id, conversationId),
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
