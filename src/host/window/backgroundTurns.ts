import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { formatNumber } from '../../base/text/format.ts';
import type { UrgentWork } from '../../base/async/urgentWork.ts';
import type { ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import type { ChatController } from '../../chat/chatController.ts';
import { TurnNotifier } from '../../chat/session/turnNotifier.ts';
import type { UnseenTurns, Sights } from '../../chat/session/unseenTurns.ts';
import { badgeOf } from '../../panel/present/badge.ts';
import { historyViewId } from '../ids.ts';
import type { ChatView } from '../panel/chatView.ts';
import { notifyInEditor, type Notifications } from '../ui/notifications.ts';

export interface BackgroundTurnDependencies {
  approvals: ToolApprovals;
  urgent: UrgentWork;
  chat: ChatController;
  sights: Sights;
  unseen: UnseenTurns;
  view: ChatView;
  notifications: Notifications;
}

export function showBackgroundTurns({
  notifications,
  approvals,
  urgent,
  chat,
  sights,
  unseen,
  view,
}: BackgroundTurnDependencies): Disposable {
  const parts = new DisposableStore();
  const show = async (conversationId: string) => {
    if (conversationId !== chat.shown.conversation.id) await chat.openChat(conversationId);
    await view.show();
  };
  const update = () => urgent.afterwards(showBadge);
  const showBadge = () => {
    const working = chat.sessions.filter(
      ({ conversation, isRunning, status }) =>
        isRunning && status.type !== 'asking' && sights.of(conversation.id) === 'hidden',
    );
    const outcomes = Object.values(unseen.all).map(({ outcome }) => outcome);
    view.setBadge(badgeOf({ asking: approvals.pending.length, outcomes, working: working.length }));
  };
  parts.add(approvals.onDidChange(update));
  parts.add(chat.onDidChangeSessions(update));
  parts.add(sights.onDidChange(update));
  parts.add(unseen.onDidChange(update));
  update();
  parts.add(
    new TurnNotifier({
      unseen,
      async notify(conversationId, { outcome, title }, signal) {
        const action = l10n.t('Show');
        const said = outcome === 'failed' ? l10n.t('Failed: {0}', title) : l10n.t('Done: {0}', title);
        // The editor renders Markdown links in messages.
        const text = said.replaceAll('](', '] (');
        const notice = { severity: 'information', text, actions: [action], signal } as const;
        // With the panel visible but its window unfocused, only an editor notification is noticed.
        const isBehind = sights.of(conversationId) === 'background';
        return (await (isBehind ? notifyInEditor(notice) : notifications.notify(notice))) === action;
      },
      notifyLeft: (count) => void notifyLeft(notifications, count, unseen),
      show: (conversationId) => void show(conversationId),
    }),
  );
  return parts;
}

async function notifyLeft(notifications: Notifications, count: number, unseen: UnseenTurns): Promise<void> {
  const [open, read] = [l10n.t('Show History'), l10n.t('Mark All as Read')];
  const text = l10n.t('Conversations with answers you may not have seen: {0}', formatNumber(count));
  const answer = await notifications.notify({ severity: 'information', text, actions: [open, read] });
  if (answer === open) await vscode.commands.executeCommand(`${historyViewId}.focus`);
  else if (answer === read) unseen.forget(() => true);
}
