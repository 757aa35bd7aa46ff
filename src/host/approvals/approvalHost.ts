import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { ApprovalNotifier } from '../../chat/calls/approvalNotifier.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { PendingApproval, ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import { callsAsking } from '../../panel/present/badge.ts';
import { commandId, contextKey } from '../ids.ts';
import { notifyInEditor, type Notifications } from '../ui/notifications.ts';
import { StatusItem } from '../ui/statusItem.ts';
import { ProposalDiffs, questionOf } from './proposalDiffs.ts';
import { answersTo, approvalMessage, type NotifiedAnswer } from '../../panel/present/approvalMessage.ts';
import type { FoundPlace } from '../../panel/navigationController.ts';
import type { Sights } from '../../chat/session/unseenTurns.ts';

export interface ApprovalDependencies {
  approvals: ToolApprovals;
  chat: ChatController;
  view: {
    readonly isVisible: boolean;
    show(): Promise<boolean>;
    reveal(place: FoundPlace): Promise<void>;
    answerByKey(decision: 'allow' | 'deny'): Promise<void>;
  };
  sights: Sights;
  notifications: Notifications;
}

export interface ApprovalHost extends Disposable {
  readonly proposals: ProposalDiffs;
  /** Shows the question that waits longest, and after it the others in turn. */
  showNext(): Promise<boolean>;
  answerByKey(decision: 'allow' | 'deny'): Promise<boolean>;
  answerProposal(decision: 'allow' | 'deny', uri: unknown): boolean;
}

export function createApprovalHost({
  notifications,
  approvals,
  chat,
  view,
  sights,
}: ApprovalDependencies): ApprovalHost {
  const parts = new DisposableStore();
  const isShown = (conversationId: string) => conversationId === chat.shown.conversation.id;
  const nameOf = ({ conversationId }: PendingApproval) =>
    isShown(conversationId) ? undefined : firstWords(chat, conversationId);
  const proposals = parts.add(new ProposalDiffs(approvals, chat));

  const show = async ({ conversationId, question }: PendingApproval): Promise<boolean> => {
    if (!isShown(conversationId)) await chat.openChat(conversationId);
    await proposals.show(question.id);
    const isVisible = await view.show();
    await view.reveal({ chatId: conversationId, id: question.id, text: '' });
    return isVisible;
  };

  let lastShown: string | undefined;
  const showNext = async () => {
    const { pending } = approvals;
    const at = pending.findIndex(({ question }) => question.id === lastShown);
    const next = pending[at + 1] ?? pending[0];
    lastShown = next?.question.id;
    return next ? show(next) : false;
  };

  parts.add(new ApprovalStatusBar(approvals, nameOf));
  parts.add(
    new ApprovalNotifier({
      approvals,
      sights,
      tellSettled,
      show: (pending) => void show(pending),
      async notify(pending, signal) {
        const labels: Record<NotifiedAnswer, string> = {
          allow: l10n.t('Allow'),
          deny: l10n.t('Deny'),
          show: l10n.t('Show'),
        };
        const choices = new Map(answersTo(pending.question).map((answer) => [labels[answer], answer]));
        const text = l10n.t('Needs approval: {0}', approvalMessage(pending.question, nameOf(pending)));
        const actions = [...choices.keys()];
        // With the panel visible but its window unfocused, only an editor notification is noticed.
        const notice = { severity: 'information', text, actions, isQuestion: true, signal } as const;
        const isBehind = sights.of(pending.conversationId) === 'background';
        const label = await (isBehind ? notifyInEditor(notice) : notifications.notify(notice));
        return label === undefined ? undefined : choices.get(label);
      },
    }),
  );
  return {
    proposals,
    showNext,
    async answerByKey(decision) {
      const isOnScreen = view.isVisible && approvals.pending.some((each) => isShown(each.conversationId));
      if (!isOnScreen) return showNext();
      await view.answerByKey(decision);
      return true;
    },
    answerProposal(decision, uri) {
      const id = questionOf(uri instanceof vscode.Uri ? uri : activeDocument());
      const isAnswered = id !== undefined && approvals.answer(id, decision);
      const pending = id === undefined || isAnswered ? undefined : approvals.find(id);
      // Only the panel shows the whole call.
      if (pending) void show(pending);
      else if (!isAnswered) tellSettled();
      return isAnswered;
    },
    dispose: () => parts.dispose(),
  };
}

function tellSettled(): void {
  vscode.window.setStatusBarMessage(l10n.t('This call was already allowed or denied.'), 5000);
}

function activeDocument(): vscode.Uri | undefined {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

function firstWords(chat: ChatController, conversationId: string): string | undefined {
  const session = chat.sessions.find(({ conversation }) => conversation.id === conversationId);
  return session?.conversation.all.find((item) => item.type === 'user')?.text;
}

class ApprovalStatusBar implements vscode.Disposable {
  private readonly parts = new DisposableStore();
  private readonly item = this.parts.add(new StatusItem('switchboard.approvals', 100));

  constructor(
    private readonly approvals: ToolApprovals,
    private readonly nameOf: (pending: PendingApproval) => string | undefined,
  ) {
    this.parts.add(approvals.onDidChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.parts.dispose();
  }

  private update(): void {
    const { pending } = this.approvals;
    void vscode.commands.executeCommand('setContext', contextKey('approvalPending'), pending.length > 0);
    if (pending.length === 0) {
      this.item.dispose();
      return;
    }
    const text = callsAsking(pending.length);
    this.item.show({
      ...{ name: l10n.t('Switchboard: Approvals'), icon: 'question', text, label: text },
      tooltip: pending
        .map((each) => approvalMessage(each.question, this.nameOf(each)))
        .slice(0, 10)
        .join('\n'),
      command: commandId('showApproval'),
      backgroundColor: new vscode.ThemeColor('statusBarItem.warningBackground'),
    });
  }
}
