import { keysRead, PanelNotices } from '../../panel/panelNotices.ts';
import * as vscode from 'vscode';
import { hasConversations } from '../../apps/appKinds.ts';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { appModelId } from '../../apps/appModelId.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/async/lazy.ts';
import type { PlatformConversation } from '../../chat/apps/platformConversation.ts';
import { UnseenTurns } from '../../chat/session/unseenTurns.ts';
import {
  followOtherWindows,
  rememberOpenConversation,
  reopenConversation,
} from '../../panel/openConversation.ts';
import type { ApprovalHost } from '../approvals/approvalHost.ts';
import { ChatView, createSights } from './chatView.ts';
import { pathsToReview } from '../../chat/conversation/rollback.ts';
import type { PanelDependencies } from './createPanel.ts';
import type { ReviewHost } from '../review/reviewHost.ts';

export interface ShowChatDependencies extends Omit<PanelDependencies, 'notices' | 'review' | 'approvalHost'> {
  extensionUri: vscode.Uri;
  apps: PanelDependencies['apps'] & { readonly ready: Promise<unknown> };
}

export interface ShownChat extends Disposable {
  view: ChatView;
  unseen: UnseenTurns;
  review(): Promise<ReviewHost>;
  approvalHost(): Promise<ApprovalHost>;
  reopen(): Promise<void>;
  leaveVersion(itemId: string): Promise<boolean>;
  openInChat(app: AppRecord): Promise<unknown>;
  openConversation(app: AppRecord, conversation: PlatformConversation): Promise<unknown>;
}

/** Panel, approvals and reviews are loaded when first needed. */
export function showChat(deps: ShowChatDependencies): ShownChat {
  const { chat, apps, approvals, urgent, memory, relays, platforms, notifications, extensionUri } = deps;
  const parts = new DisposableStore();
  const notices = new PanelNotices();
  parts.add(rememberOpenConversation(chat, memory));
  const reopen = lazy(() => reopenConversation(chat, memory, notices));
  const keys = keysRead([relays.ready, platforms.ready, apps.ready], notices);
  const review = reviewsOf(deps, parts);
  const panel = lazy(async () => {
    const { createPanel } = await import('./createPanel.ts');
    return parts.add(createPanel({ ...deps, notices, review, approvalHost }));
  });
  const expectsMessages = messagesExpected(deps, keys);
  const draft = () => (expectsMessages() ? memory.draft : undefined);
  const pageRoot = vscode.Uri.joinPath(extensionUri, 'dist', 'page');
  const view = new ChatView(panel, pageRoot, draft, keys, reopen);
  notifications.panel = { notices, view };
  const sights = parts.add(createSights(chat, view));
  parts.add(followOtherWindows(chat, sights, notices));
  const unseen = parts.add(new UnseenTurns(chat, sights, memory));
  const backgroundTurns = lazy(async () => {
    const { showBackgroundTurns } = await import('../window/backgroundTurns.ts');
    return parts.add(showBackgroundTurns({ approvals, urgent, chat, sights, unseen, view, notifications }));
  });
  parts.add(chat.onDidChangeSessions(() => void backgroundTurns()));
  if (Object.keys(unseen.all).length > 0) void backgroundTurns();
  const approvalHost = lazy(async () => {
    const { createApprovalHost } = await import('../approvals/approvalHost.ts');
    return parts.add(createApprovalHost({ approvals, chat, view, sights, notifications }));
  });
  parts.add(approvals.onDidChange(() => void approvalHost()));
  parts.add(
    chat.onDidChange(({ type }) => {
      if (type === 'editMade' || type === 'toolFinished') urgent.end();
    }),
  );
  return {
    view,
    unseen,
    review,
    approvalHost,
    reopen,
    leaveVersion: async (itemId) => (await review()).leave(itemId),
    async openInChat(app) {
      await reopen();
      if (chat.shown.conversation.all.length > 0) await chat.startNewChat();
      chat.shown.choices.selectModel(appModelId(app.id));
      return view.show();
    },
    async openConversation(app, conversation) {
      await chat.openAppConversation(app.id, conversation);
      return view.show();
    },
    dispose: () => parts.dispose(),
  };
}

/** The review of changes, which opens by itself where the shown conversation has some. */
function reviewsOf(deps: ShowChatDependencies, parts: DisposableStore): () => Promise<ReviewHost> {
  const { chat } = deps;
  const review = lazy(async () => {
    const { ReviewHost } = await import('../review/reviewHost.ts');
    return parts.add(new ReviewHost(deps));
  });
  parts.add(
    chat.onDidChange(({ type }) => {
      if (type !== 'editsMade' && type !== 'chatOpened' && type !== 'earlierLoaded') return;
      const { all } = chat.shown.conversation;
      if (all.some((item) => item.type === 'edits' && pathsToReview(item).length > 0)) void review();
    }),
  );
  return review;
}

/** Says whether the panel is likely to have a message box; until keys are read, saved state decides. */
function messagesExpected({ chat, relays, apps, memory }: ShowChatDependencies, keys: Promise<unknown>) {
  let areKeysRead = false;
  void keys.then(() => (areKeysRead = true));
  return (): boolean =>
    (areKeysRead ? relays.all : relays.known).length > 0 ||
    apps.apps.some(hasConversations) ||
    (areKeysRead ? chat.shown.conversation.all.length > 0 : memory.chatId !== undefined);
}
