import * as vscode from 'vscode';
import { hasConversations } from '../apps/appKinds.ts';
import type { AppRecord } from '../apps/appRegistry.ts';
import { appModelId } from '../apps/appModelId.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { lazy } from '../base/lazy.ts';
import type { PlatformConversation } from '../chat/apps/platformConversation.ts';
import { UnseenTurns } from '../chat/unseenTurns.ts';
import { keysRead } from '../panel/keysRead.ts';
import {
  followOtherWindows,
  rememberOpenConversation,
  reopenConversation,
} from '../panel/openConversation.ts';
import { PanelNotices } from '../panel/panelNotices.ts';
import type { ApprovalHost } from './approvals/approvalHost.ts';
import { closeStaleDiffs } from './approvals/staleDiffs.ts';
import { ChatView } from './chatView.ts';
import { followContextKeys } from './contextKeys.ts';
import type { PanelDependencies } from './createPanel.ts';
import { setNoticePlace } from './notifications.ts';
import type { Storage } from './openStorage.ts';
import { followEdits } from './review/followEdits.ts';
import type { ReviewHost } from './review/reviewHost.ts';
import { createSights } from './sights.ts';

export interface ShowChatDependencies
  extends Omit<PanelDependencies, 'notices' | 'review' | 'approvalHost'>, Pick<Storage, 'snapshots'> {
  extensionUri: vscode.Uri;
  apps: PanelDependencies['apps'] & { readonly ready: Promise<unknown> };
}

/** The panel, and what else of the editor shows conversations. */
export interface ShownChat extends Disposable {
  view: ChatView;
  unseen: UnseenTurns;
  review(): Promise<ReviewHost>;
  approvalHost(): Promise<ApprovalHost>;
  /** Opens the conversation that was open when the window went, once: nothing is loaded before it is wanted. */
  reopen(): Promise<void>;
  /** Asks about the files that were changed from a message or an answer on; false if the user stays with them. */
  leaveVersion(itemId: string): Promise<boolean>;
  /** Shows the panel with the app chosen for the next message. */
  openInChat(app: AppRecord): Promise<unknown>;
  /** Shows a conversation that the platform keeps, to be gone on with. */
  openConversation(app: AppRecord, conversation: PlatformConversation): Promise<unknown>;
}

/** Shows the conversations. The panel is loaded when it is first opened, the rest with the first that it has to show. */
export function showChat(deps: ShowChatDependencies): ShownChat {
  const { chat, models, apps, approvals, urgent, memory, relays, platforms, tools, snapshots, extensionUri } =
    deps;
  const parts = new DisposableStore();
  const notices = new PanelNotices();
  parts.add(rememberOpenConversation(chat, memory));
  const reopen = lazy(() => reopenConversation(chat, memory, notices));
  const keys = keysRead([relays.ready, platforms.ready, apps.ready], notices);
  const review = lazy(async () => {
    const { createReviewHost } = await import('./review/reviewHost.ts');
    return parts.add(createReviewHost({ chat, tools, snapshots, memory }));
  });
  parts.add(followEdits(chat, review));
  const panel = lazy(async () => {
    const { createPanel } = await import('./createPanel.ts');
    return parts.add(createPanel({ ...deps, notices, review, approvalHost }));
  });
  let areKeysRead = false;
  void keys.then(() => (areKeysRead = true));
  /** Whether the panel will have a message box, as far as is known: keys take a moment to be read. */
  const expectsMessages = () =>
    (areKeysRead ? relays.all : relays.known).length > 0 ||
    apps.apps.some(hasConversations) ||
    (areKeysRead ? chat.conversation.all.length > 0 : memory.chatId !== undefined);
  const draft = () => (expectsMessages() ? memory.draft : undefined);
  const pageRoot = vscode.Uri.joinPath(extensionUri, 'dist', 'page');
  const view = new ChatView(panel, pageRoot, draft, keys, reopen);
  setNoticePlace({
    isVisible: () => view.isVisible,
    show: (notice) => notices.show(notice),
    showProgress: (...progress) => notices.showProgress(...progress),
  });
  const sights = parts.add(createSights(chat, view));
  parts.add(followOtherWindows(chat, sights, notices));
  const unseen = parts.add(new UnseenTurns(chat, sights, memory));
  const backgroundTurns = lazy(async () => {
    const { showBackgroundTurns } = await import('./backgroundTurns.ts');
    return parts.add(showBackgroundTurns({ approvals, urgent, chat, sights, unseen, view }));
  });
  parts.add(chat.onDidChangeSessions(() => void backgroundTurns()));
  if (Object.keys(unseen.all).length > 0) void backgroundTurns();
  const approvalHost = lazy(async () => {
    const { createApprovalHost } = await import('./approvals/approvalHost.ts');
    return parts.add(createApprovalHost({ approvals, chat, view, sights }));
  });
  parts.add(approvals.onDidChange(() => void approvalHost()));
  parts.add(
    chat.onDidChange(({ type }) => {
      if (type === 'editMade' || type === 'toolFinished') urgent.end();
    }),
  );
  parts.add(
    chat.onDidChangeSessions(() => approvals.keepOnly(chat.sessions.map((each) => each.conversation.id))),
  );
  // Nobody waits for it.
  setImmediate(closeStaleDiffs);
  parts.add(followContextKeys({ relays, catalog: models.catalog, chat }));
  return {
    ...{ view, unseen, review, approvalHost, reopen },
    leaveVersion: async (itemId) => (await review()).leave(itemId),
    async openInChat(app) {
      await reopen();
      if (chat.conversation.all.length > 0) await chat.startNewChat();
      chat.selectModel(appModelId(app.id));
      return view.show();
    },
    async openConversation(app, conversation) {
      await chat.openAppConversation(app.id, conversation);
      return view.show();
    },
    dispose: () => parts.dispose(),
  };
}
