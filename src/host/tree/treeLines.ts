import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { causeText, type SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber } from '../../base/text/format.ts';

const { None } = vscode.TreeItemCollapsibleState;

export function moreItem(
  { shown, total }: { shown: number; total?: number | undefined },
  command: string,
  node: unknown,
): vscode.TreeItem {
  const item = withIcon(new vscode.TreeItem(l10n.t('Load More'), None), 'ellipsis');
  item.description =
    total === undefined
      ? l10n.t('{0} shown', formatNumber(shown))
      : l10n.t('{0} of {1} shown', formatNumber(shown), formatNumber(total));
  item.command = { command, title: l10n.t('Load More'), arguments: [node] };
  return item;
}

export function failureItem(failure: SwitchboardError, command: string, node: unknown): vscode.TreeItem {
  const { message, address, status } = failure;
  const item = withIcon(new vscode.TreeItem(message, None), 'error', 'list.errorForeground');
  item.description = l10n.t('Select to try again');
  item.tooltip = [
    message,
    address && l10n.t('Request: {0}', address),
    status !== undefined && l10n.t('Status: {0}', status),
    causeText(failure),
  ]
    .filter(Boolean)
    .join('\n');
  item.contextValue = 'failure';
  item.command = { command, title: l10n.t('Retry'), arguments: [node] };
  return item;
}

export function withIcon(item: vscode.TreeItem, icon: string, color?: string): vscode.TreeItem {
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  return item;
}

export async function copyId(id: string | undefined): Promise<string | undefined> {
  if (id !== undefined) await vscode.env.clipboard.writeText(id);
  return id;
}
