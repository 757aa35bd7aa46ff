// Lines that every tree of ours has: what loads more, what went wrong, and an icon before the words.
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { causeText } from '../../base/causeText.ts';
import type { SwitchboardError } from '../../base/errors.ts';
import { formatNumber } from '../../base/format.ts';

const { None } = vscode.TreeItemCollapsibleState;

/** The line after those that are loaded. `command` is the id of what loads the next page, with its argument. */
export function moreItem(
  { shown, total }: { shown: number; total?: number | undefined },
  command: string,
  node: unknown,
): vscode.TreeItem {
  const item = withIcon(new vscode.TreeItem(l10n.t('Load more…'), None), 'ellipsis');
  item.description =
    total === undefined
      ? l10n.t('{0} shown', formatNumber(shown))
      : l10n.t('{0} of {1} shown', formatNumber(shown), formatNumber(total));
  item.command = { command, title: l10n.t('Load more…'), arguments: [node] };
  return item;
}

/** The line for what could not be loaded. `command` is the id of what tries again, with its argument. */
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

/** The item itself, with a codicon in a theme colour. */
export function withIcon(item: vscode.TreeItem, icon: string, color?: string): vscode.TreeItem {
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  return item;
}
