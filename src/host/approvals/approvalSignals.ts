import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { formatNumber, plural } from '../../base/format.ts';
import type { PendingApproval, ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import { commandIds, contextKeys } from '../ids.ts';
import { approvalMessage } from '../../panel/approvalMessage.ts';

/** Shows outside of the panel that calls need approval: in the status bar, and as a badge on the view. */
export class ApprovalSignals implements vscode.Disposable {
  private readonly parts = new DisposableStore();
  private item: vscode.StatusBarItem | undefined;

  constructor(
    private readonly approvals: ToolApprovals,
    private readonly setBadge: (badge: vscode.ViewBadge | undefined) => void,
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
    void vscode.commands.executeCommand('setContext', contextKeys.approvalPending, pending.length > 0);
    if (pending.length === 0) {
      this.item?.dispose();
      this.item = undefined;
      return this.setBadge(undefined);
    }
    const text = plural(
      pending.length,
      l10n.t('1 call needs approval'),
      l10n.t('{0} calls need approval', formatNumber(pending.length)),
    );
    this.setBadge({ value: pending.length, tooltip: text });
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
    item.command = commandIds.showApproval;
    item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    return item;
  }
}
