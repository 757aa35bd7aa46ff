import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { PendingApproval, ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import { commandId, contextKey } from '../ids.ts';
import { approvalMessage } from '../../panel/present/approvalMessage.ts';
import { callsAsking } from '../../panel/present/badge.ts';
import { StatusItem } from '../ui/statusItem.ts';

export class ApprovalStatusBar implements vscode.Disposable {
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
