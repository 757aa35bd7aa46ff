import * as l10n from '@vscode/l10n';
import type { AppRecord } from '../apps/appRegistry.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { beginsWithAttachment, conversationName } from '../chat/attachments/separateAttachments.ts';
import type { AppClient } from '../apps/client/appClient.ts';
import type { AppConversation } from '../apps/app.ts';
import type { ConversationCache } from './conversationCache.ts';
import type { HistoryEntry, HistoryPage, HistorySource } from './historySource.ts';

export interface AppConversationSourceDependencies {
  app: AppRecord;
  client(): Promise<AppClient>;
  cache: ConversationCache;
  chatOf(conversationId: string): string | undefined;
  open(conversation: AppConversation): Promise<unknown>;
}

export function appConversationSource({
  app,
  client,
  cache,
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
      afterDeleting: l10n.t('It will be deleted on the platform.'),
      async open() {
        try {
          await open(conversation);
          return true;
        } catch (error) {
          const isGone = error instanceof SwitchboardError && error.code === 'conversation-over';
          if (isGone) cache.change(await client(), id, undefined);
          throw error;
        }
      },
      async rename(title) {
        const asked = await client();
        cache.change(asked, id, await asked.renameConversation(id, title, unlimited));
      },
      async delete() {
        const asked = await client();
        await asked.deleteConversation(id, unlimited);
        cache.change(asked, id, undefined);
      },
    };
  };
  const toPage = (conversations: readonly AppConversation[], hasMore: boolean): HistoryPage => {
    const last = conversations.at(-1);
    return {
      entries: conversations.map(toEntry),
      ...(hasMore && last && { next: (stop: AbortSignal) => load(last.id, stop) }),
    };
  };
  const load = async (after: string | undefined, signal: AbortSignal): Promise<HistoryPage> => {
    const asked = await client();
    const page = await asked.conversations(after, signal);
    const { conversations, hasMore } = cache.addPage(asked, after, page);
    return toPage(conversations, hasMore);
  };
  return {
    name: app.name,
    load: (signal) => load(undefined, signal),
    async cached() {
      // Without a key, the app itself reports the error.
      const asked = await client().catch(() => undefined);
      const known = asked && cache.get(asked);
      return known && toPage(known.conversations, known.hasMore);
    },
  };
}
