import * as l10n from '@vscode/l10n';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { beginsWithAttachment } from '../../chat/attachments/separateAttachments.ts';
import type { AppClient } from '../../platform/apps/appClient.ts';
import type { AppConversation } from '../../platform/apps/appRecords.ts';
import { conversationName } from '../apps/conversationName.ts';
import type { HistoryEntry, HistoryPage, HistorySource } from './historySource.ts';

export interface AppConversationSourceDependencies {
  app: AppRecord;
  client(): Promise<AppClient>;
  /** The chat in which a conversation is kept here. */
  chatOf(conversationId: string): string | undefined;
  open(conversation: AppConversation): Promise<unknown>;
}

/** The conversations that the platform keeps of one app. */
export function appConversationSource({
  app,
  client,
  chatOf,
  open,
}: AppConversationSourceDependencies): HistorySource {
  const { signal: unlimited } = new AbortController();
  const toEntry = (conversation: AppConversation): HistoryEntry => {
    const { id, updatedAtMs, createdAtMs } = conversation;
    const when = updatedAtMs ?? createdAtMs;
    const chatId = chatOf(id);
    return {
      id,
      ...(chatId !== undefined && { chatId }),
      title: conversationName(conversation),
      isTitlePoor: beginsWithAttachment(conversation.name),
      by: app.name,
      ...(when !== undefined && { updatedAtMs: when }),
      afterDeleting: l10n.t('It is deleted on the platform.'),
      open: () => open(conversation),
      rename: async (title) => void (await (await client()).renameConversation(id, title, unlimited)),
      delete: async () => (await client()).deleteConversation(id, unlimited),
    };
  };
  const load = async (after: string | undefined, signal: AbortSignal): Promise<HistoryPage> => {
    const { conversations, hasMore } = await (await client()).conversations(after, signal);
    const last = conversations.at(-1);
    return {
      entries: conversations.map(toEntry),
      ...(hasMore && last && { next: (stop: AbortSignal) => load(last.id, stop) }),
    };
  };
  return { name: app.name, load: (signal) => load(undefined, signal) };
}
