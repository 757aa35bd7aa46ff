import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { PendingApproval, ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import { commandId, contextKey } from '../ids.ts';
import { approvalMessage } from '../../panel/present/approvalMessage.ts';
import { callsAsking } from '../../panel/present/badge.ts';

export class ApprovalStatusBar implements vscode.Disposable {
  private readonly parts = new DisposableStore();
  private item: vscode.StatusBarItem | undefined;

  constructor(
    private readonly approvals: ToolApprovals,
    private readonly nameOf: (pending: PendingApproval) => string | undefined,
  ) {
    this.parts.add(approvals.onDidChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.item?.dispose();
    this.parts.dispose();
  }

  private update(): void {
    const { pending } = this.approvals;
    void vscode.commands.executeCommand('setContext', contextKey('approvalPending'), pending.length > 0);
    if (pending.length === 0) {
      this.item?.dispose();
      this.item = undefined;
      return;
    }
    const text = callsAsking(pending.length);
    this.item ??= this.createItem();
    this.item.text = `$(question) ${text}`;
    this.item.accessibilityInformation = { label: text };
    this.item.tooltip = pending
      .map((each) => approvalMessage(each.question, this.nameOf(each)))
      .slice(0, 10)
      .join('\n');
    this.item.show();
  }

  private createItem(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem(
      'switchboard.approvals',
      vscode.StatusBarAlignment.Right,
      100,
    );
    item.name = l10n.t('Switchboard: Approvals');
    item.command = commandId('showApproval');
    item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    return item;
  }
}
