import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { ApprovalNotifier } from '../../chat/calls/approvalNotifier.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { PendingApproval, ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import type { Sights } from '../../chat/sight.ts';
import type { ChatView } from '../chatView.ts';
import { notify, notifyInEditor } from '../notifications.ts';
import { ApprovalSignals } from './approvalSignals.ts';
import { ProposalDiffs, questionOf } from './proposalDiffs.ts';
import { approvalMessage, saysWholeCall } from '../../panel/approvalMessage.ts';

export interface ApprovalDependencies {
  approvals: ToolApprovals;
  chat: ChatController;
  view: ChatView;
  sights: Sights;
}

/** Everything outside of the panel that shows calls which wait for the user, and what they would do. */
export interface ApprovalHost extends Disposable {
  readonly proposals: ProposalDiffs;
  /** Brings the oldest question to the front. False if there is none. */
  showFirst(): Promise<boolean>;
  /**
   * Answers the question whose proposal is shown.
   * @param uri of a side of the diff; that of the diff in front, if absent
   */
  answerProposal(decision: 'allow' | 'deny', uri: unknown): boolean;
}

/** Loaded with the first question. */
export function createApprovalHost({ approvals, chat, view, sights }: ApprovalDependencies): ApprovalHost {
  const parts = new DisposableStore();
  const isShown = (conversationId: string) => conversationId === chat.conversation.id;
  const nameOf = ({ conversationId }: PendingApproval) =>
    isShown(conversationId) ? undefined : firstWords(chat, conversationId);
  const proposals = parts.add(new ProposalDiffs(approvals, chat));

  const show = async ({ conversationId, question }: PendingApproval): Promise<boolean> => {
    if (!isShown(conversationId)) await chat.openChat(conversationId);
    const isVisible = await view.show();
    await proposals.show(question.id);
    return isVisible;
  };

  parts.add(new ApprovalSignals(approvals, nameOf));
  parts.add(
    new ApprovalNotifier({
      ...{ approvals, sights, tellSettled },
      show: (pending) => void show(pending),
      async notify(pending, signal) {
        const choices = new Map([
          [l10n.t('Allow'), 'allow'],
          [l10n.t('Deny'), 'deny'],
          [l10n.t('Show'), 'show'],
        ] as const);
        const text = l10n.t('Needs approval: {0}', approvalMessage(pending.question, nameOf(pending)));
        if (!saysWholeCall(pending.question)) choices.delete(l10n.t('Allow'));
        const actions = [...choices.keys()];
        // Where the panel shows the question already, it is for those who do not look at the panel.
        const tell = sights.of(pending.conversationId) === 'background' ? notifyInEditor : notify;
        const label = await tell({ severity: 'information', text, actions, signal });
        return label === undefined ? undefined : choices.get(label);
      },
    }),
  );
  return {
    proposals,
    showFirst: async () => {
      const [first] = approvals.pending;
      return first ? show(first) : false;
    },
    answerProposal(decision, uri) {
      const id = questionOf(uri instanceof vscode.Uri ? uri : activeDocument());
      const isAnswered = id !== undefined && approvals.answer(id, decision);
      if (!isAnswered) tellSettled();
      return isAnswered;
    },
    dispose: () => parts.dispose(),
  };
}

function tellSettled(): void {
  vscode.window.setStatusBarMessage(l10n.t('This call was already decided.'), 5000);
}

/** The right side of the diff in front. */
function activeDocument(): vscode.Uri | undefined {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** What the user said first is what a conversation is known by. */
function firstWords(chat: ChatController, conversationId: string): string | undefined {
  const session = chat.sessions.find(({ conversation }) => conversation.id === conversationId);
  return session?.conversation.all.find((item) => item.type === 'user')?.text;
}
