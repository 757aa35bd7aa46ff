import * as l10n from '@vscode/l10n';
import { appIdOf } from '../apps/appModelId.ts';
import type { ChatController } from '../chat/chatController.ts';
import { discardChat, purgeChats, restoreChat } from '../chat/store/discardedChats.ts';
import type { FileChatStore } from '../chat/store/fileChatStore.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { UnseenTurns } from '../chat/session/unseenTurns.ts';
import { branchesOf } from './branchesOf.ts';
import type { HistoryEntry, HistorySource, FoundText } from './historySource.ts';
import type { ConversationDetails, DetailsFile } from './conversationDetails.ts';
import { searchChats } from './searchChats.ts';
import { listSavedChats, type SavedChat, type UnreadableChat } from './savedChats.ts';
import type { Conversation } from '../chat/conversation/conversation.ts';

export interface SavedChatSourceDependencies {
  folder: string;
  chat: Pick<ChatController, 'shown' | 'sessions' | 'onDidChangeSessions' | 'openChat' | 'closeChat'>;
  store: Pick<FileChatStore, 'flush' | 'forget'>;
  details: DetailsFile;
  unseen: Pick<UnseenTurns, 'all' | 'forget' | 'onDidChange'>;
  nameOf(modelId: string): string;
  show(): Promise<unknown>;
  reveal(place: { chatId: string; id: string; text: string }): Promise<unknown>;
  leaveVersion(itemId: string): Promise<boolean>;
  update?(chat: SavedChatSourceDependencies['chat'], modelId: string): Promise<unknown>;
}

const undoMs = 24 * 60 * 60 * 1000;

export function savedChatSource(deps: SavedChatSourceDependencies): HistorySource {
  const { folder, chat, store, details, unseen } = deps;
  let order: readonly string[] = [];
  return {
    name: l10n.t('On this machine'),
    search: (text, signal) => searchChats(folder, order, text, signal),
    onDidChange(listener) {
      const listening = new DisposableStore();
      listening.add(chat.onDidChangeSessions(listener));
      listening.add(unseen.onDidChange(listener));
      return listening;
    },
    async load() {
      // The open conversation's newest events may not be on disk yet.
      await store.flush();
      for (const id of await purgeChats(folder, { olderThanMs: undoMs })) await details.forget(id);
      const [{ chats, unreadable }, said] = await Promise.all([listSavedChats(folder), details.read()]);
      const listed = new Set([...chats, ...unreadable].map(({ id }) => id));
      // Other windows may have deleted some.
      unseen.forget((id) => !listed.has(id));
      order = chats.map(({ id }) => id);
      const entries = chats.map((saved) => toEntry(deps, saved, said.get(saved.id)));
      const isActive = ({ activity }: HistoryEntry) => Number(activity !== undefined);
      entries.sort((a, b) => isActive(b) - isActive(a));
      return {
        entries: [
          ...entries,
          ...unreadable.map((each) => toUnreadable(each, deps, () => chat.openChat(each.id))),
        ],
      };
    },
  };
}

function activityOf({ chat, unseen }: SavedChatSourceDependencies, id: string): HistoryEntry['activity'] {
  const session = chat.sessions.find(({ conversation }) => conversation.id === id);
  if (!session?.isRunning) return unseen.all[id]?.outcome;
  return session.status.type === 'asking' ? 'asking' : 'running';
}

async function goTo({ chat, leaveVersion }: SavedChatSourceDependencies, itemId: string): Promise<boolean> {
  const { conversation } = chat.shown;
  if (chat.shown.isRunning || chat.shown.windows.isRunning) {
    throw new SwitchboardError('conflict', l10n.t('Wait until this answer finishes, or stop it.'));
  }
  const left = conversation.leftFor(itemId);
  if (left !== undefined && !(await leaveVersion(left))) return false;
  if (chat.shown.conversation === conversation) chat.shown.branches.goTo(itemId);
  return true;
}

function toEntry(
  deps: SavedChatSourceDependencies,
  { id, title, model, updatedAtMs }: SavedChat,
  said: ConversationDetails | undefined,
): HistoryEntry {
  const { folder, chat, store, details, unseen, nameOf, show, reveal, update } = deps;
  return {
    id,
    get activity() {
      return activityOf(deps, id);
    },
    title: said?.title || title,
    isPinned: said?.isPinned === true,
    isByApp: appIdOf(model ?? '') !== undefined,
    ...(said?.folder && { folder: said.folder }),
    ...(model !== undefined && { by: nameOf(model) }),
    updatedAtMs,
    get isOpen() {
      return id === chat.shown.conversation.id;
    },
    ...(appIdOf(model ?? '') !== undefined && {
      afterDeleting: l10n.t('It will be deleted here. The platform keeps its copy.'),
    }),
    async open() {
      if (id !== chat.shown.conversation.id && !(await chat.openChat(id))) return false;
      await show();
      if (appIdOf(model ?? '') !== undefined) await update?.(chat, model ?? '');
      return true;
    },
    async reveal(found) {
      await chat.shown.loadEarlier();
      if (chat.shown.conversation.id !== id) return;
      const place = placeOf(chat.shown.conversation, found);
      if (!place || (place.isLeft && !(await goTo(deps, place.id)))) return;
      await reveal({ chatId: id, id: place.id, text: found.text });
    },
    branches: (branchId) =>
      id === chat.shown.conversation.id ? branchesOf(chat.shown.conversation, branchId, nameOf) : [],
    async goTo(branchId) {
      if (id !== chat.shown.conversation.id && !(await chat.openChat(id))) return false;
      await show();
      await chat.shown.loadEarlier();
      return goTo(deps, branchId);
    },
    rename: (changed) => details.change(id, { title: changed }),
    pin: (isPinned) => details.change(id, { isPinned }),
    async delete() {
      await chat.closeChat(id);
      await discardChat(store, folder, id);
      unseen.forget((each) => each === id);
    },
    restore: () => restoreChat(deps.folder, id),
  };
}

function toUnreadable(
  { id, problem }: UnreadableChat,
  { store, folder }: Pick<SavedChatSourceDependencies, 'store' | 'folder'>,
  open: () => Promise<boolean>,
): HistoryEntry {
  return {
    id,
    title: l10n.t("This conversation couldn't be read: {0}", problem),
    open,
    delete: () => discardChat(store, folder, id),
  };
}

/** Prefers the current path over other branches, so nothing has to be switched. Skips deleted items. */
function placeOf(
  conversation: Conversation,
  { text, itemId }: FoundText,
): { id: string; isLeft: boolean } | undefined {
  const wanted = text.toLowerCase();
  const path = conversation.all;
  const onPath =
    path.find(({ id }) => id === itemId) ??
    path.find(
      (item) => (item.type === 'user' || item.type === 'answer') && item.text.toLowerCase().includes(wanted),
    );
  if (onPath) return { id: onPath.id, isLeft: false };
  return itemId !== undefined && conversation.isLeft(itemId) ? { id: itemId, isLeft: true } : undefined;
}
