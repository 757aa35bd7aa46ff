import * as l10n from '@vscode/l10n';
import { appIdOf } from '../apps/appModelId.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { FileChatStore } from '../chat/fileChatStore.ts';
import { SwitchboardError } from '../base/errors.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { UnseenTurns } from '../chat/unseenTurns.ts';
import { branchesOf } from './branches.ts';
import { placeOf } from './foundPlace.ts';
import type { HistoryEntry, HistorySource } from './historySource.ts';
import type { DetailsFile } from './conversationDetails.ts';
import { searchChats } from './searchChats.ts';
import { listSavedChats, type UnreadableChat } from './savedChats.ts';

export interface SavedChatSourceDependencies {
  folder: string;
  chat: Pick<
    ChatController,
    | 'conversation'
    | 'isRunning'
    | 'isRunningElsewhere'
    | 'sessions'
    | 'onDidChangeSessions'
    | 'openChat'
    | 'closeChat'
    | 'goTo'
    | 'loadEarlier'
  >;
  store: Pick<FileChatStore, 'flush' | 'discard' | 'restore' | 'purge'>;
  details: DetailsFile;
  unseen: Pick<UnseenTurns, 'all' | 'forget' | 'onDidChange'>;
  /** Of the model or the app that a conversation is with. */
  nameOf(modelId: string): string;
  show(): Promise<unknown>;
  /** Brings an item of a conversation into view, with a text that was found in it. */
  reveal(place: { chatId: string; id: string; text: string }): Promise<unknown>;
  /** Asks about the files that were changed from a message or an answer on; false if the user stays with them. */
  leaveVersion(itemId: string): Promise<boolean>;
  /** Brings the open conversation, if it is one with an app, up to what the platform has of it now. */
  update?(chat: SavedChatSourceDependencies['chat'], modelId: string): Promise<unknown>;
}

/** So long what was deleted can be brought back. */
const undoMs = 24 * 60 * 60 * 1000;

/** The conversations of this workspace, which are saved on this machine. */
export function savedChatSource({
  folder,
  chat,
  store,
  details,
  unseen,
  nameOf,
  show,
  reveal,
  leaveVersion,
  update,
}: SavedChatSourceDependencies): HistorySource {
  const activityOf = (id: string): HistoryEntry['activity'] => {
    const session = chat.sessions.find(({ conversation }) => conversation.id === id);
    if (!session?.isRunning) return unseen.all[id]?.outcome;
    return session.status.type === 'asking' ? 'asking' : 'running';
  };
  /** False if the user stays with the files of the branch that is left. */
  const goTo = async (itemId: string): Promise<boolean> => {
    const { conversation } = chat;
    if (chat.isRunning || chat.isRunningElsewhere) {
      throw new SwitchboardError('conflict', l10n.t('Wait until this answer has ended, or stop it.'));
    }
    const left = conversation.leftFor(itemId);
    if (left !== undefined && !(await leaveVersion(left))) return false;
    if (chat.conversation === conversation) chat.goTo(itemId);
    return true;
  };
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
      // The open one may have said something that is not on disk yet.
      await store.flush();
      for (const id of await store.purge({ olderThanMs: undoMs })) await details.forget(id);
      const [{ chats, unreadable }, said] = await Promise.all([listSavedChats(folder), details.read()]);
      const listed = new Set([...chats, ...unreadable].map(({ id }) => id));
      // Some may have been deleted in another window.
      unseen.forget((id) => !listed.has(id));
      order = chats.map(({ id }) => id);
      const entries = chats.map(({ id, title, model, updatedAtMs }): HistoryEntry => ({
        id,
        get activity() {
          return activityOf(id);
        },
        title: said.get(id)?.title || title,
        isPinned: said.get(id)?.isPinned === true,
        isByApp: appIdOf(model ?? '') !== undefined,
        ...(said.get(id)?.folder && { folder: said.get(id)?.folder ?? '' }),
        ...(model !== undefined && { by: nameOf(model) }),
        updatedAtMs,
        get isOpen() {
          return id === chat.conversation.id;
        },
        ...(appIdOf(model ?? '') !== undefined && {
          afterDeleting: l10n.t('It is deleted here. The platform keeps its copy.'),
        }),
        async open() {
          if (id !== chat.conversation.id && !(await chat.openChat(id))) return false;
          await show();
          if (appIdOf(model ?? '') !== undefined) await update?.(chat, model ?? '');
          return true;
        },
        async reveal(found) {
          await chat.loadEarlier();
          if (chat.conversation.id !== id) return;
          const place = placeOf(chat.conversation, found);
          if (!place || (place.isLeft && !(await goTo(place.id)))) return;
          await reveal({ chatId: id, id: place.id, text: found.text });
        },
        branches: (branchId) =>
          id === chat.conversation.id ? branchesOf(chat.conversation, branchId, nameOf) : [],
        async goTo(branchId) {
          if (id !== chat.conversation.id && !(await chat.openChat(id))) return false;
          await show();
          await chat.loadEarlier();
          return goTo(branchId);
        },
        rename: (changed) => details.change(id, { title: changed }),
        pin: (isPinned) => details.change(id, { isPinned }),
        async delete() {
          await chat.closeChat(id);
          await store.discard(id);
          unseen.forget((each) => each === id);
        },
        restore: () => store.restore(id),
      }));
      const isActive = ({ activity }: HistoryEntry) => Number(activity !== undefined);
      entries.sort((a, b) => isActive(b) - isActive(a));
      return {
        entries: [
          ...entries,
          ...unreadable.map((each) => toUnreadable(each, store, () => chat.openChat(each.id))),
        ],
      };
    },
  };
}

/** A file that is there is listed, so that what is wrong with it is known. */
function toUnreadable(
  { id, problem }: UnreadableChat,
  store: SavedChatSourceDependencies['store'],
  open: () => Promise<boolean>,
): HistoryEntry {
  return {
    id,
    title: l10n.t('This conversation could not be read: {0}', problem),
    open,
    delete: () => store.discard(id),
  };
}
