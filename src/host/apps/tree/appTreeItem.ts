import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { canRunAs, hasConversations, iconOf, kindLabel } from '../../../apps/appKinds.ts';
import { statusIcon, statusLabel } from '../../../apps/run/runStatus.ts';
import { formatDuration, formatTime } from '../../../base/text/formatTime.ts';
import { formatTokens } from '../../../base/text/formatUsage.ts';
import { commandId, type AppTreeCommand, appTreeCommandId } from '../../ids.ts';
import { failureItem, moreItem, withIcon } from '../../tree/treeLines.ts';
import type { AppLine, AppTreeNode, ConversationLine, RunLine } from '../../../apps/appTreeNode.ts';
import { conversationName } from '../../../chat/attachments/separateAttachments.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** `when` clauses of package.json test `contextValue`. */
export function toAppTreeItem(node: AppTreeNode, pictureFile?: string): vscode.TreeItem {
  switch (node.type) {
    case 'app':
      return appItem(node, pictureFile);
    case 'conversation':
      return conversationItem(node);
    case 'run':
      return runItem(node);
    case 'more':
      return moreItem(node, appTreeCommandId('loadMore'), node);
    case 'failure':
      return failureItem(node.error, appTreeCommandId('retry'), node);
    case 'note':
      return withIcon(new vscode.TreeItem(node.text, None), 'info');
    case 'none': {
      const item = withIcon(new vscode.TreeItem(l10n.t('No apps'), None), 'add');
      item.description = l10n.t('Add Platform App…');
      item.command = { command: commandId('addApp'), title: item.description };
      return item;
    }
  }
}

function appItem(node: AppLine, pictureFile: string | undefined): vscode.TreeItem {
  const { app, hasKey, twin, flow } = node;
  const { account } = twin ?? app;
  const isChat = hasConversations(app);
  // No route of a sign-in lists conversations and runs.
  const canExpand = hasKey && !app.account && (isChat || app.kind === 'workflow');
  const item = withIcon(
    new vscode.TreeItem([app.look?.icon, app.name].filter(Boolean).join(' '), canExpand ? Collapsed : None),
    hasKey ? iconOf(app.kind) : 'key',
  );
  if (hasKey && pictureFile !== undefined) item.iconPath = vscode.Uri.file(pictureFile);
  const kind = kindLabel(app.kind);
  item.id = `app ${app.id}`;
  // The line is narrow: the tooltip has the source of the key.
  item.description = hasKey
    ? kind
    : app.account
      ? l10n.t('{0}, signed out', kind)
      : l10n.t('{0}, key removed', kind);
  const about =
    hasKey && app.isFromEnvironment ? l10n.t('{0}, from the environment', kind) : item.description;
  if (flow) item.description += ` ${flow.badge}`;
  const signedIn =
    account && l10n.t('{0}, workspace "{1}", by signing in', (twin ?? app).baseUrl, account.workspace);
  const place = twin
    ? [l10n.t('{0}, by its key', app.baseUrl), signedIn].join('\n')
    : (signedIn ?? app.baseUrl);
  const pin = app.pin && l10n.t('Pinned as an action on selections');
  item.tooltip = [app.name, about, pin, flow?.text, app.description, place].filter(Boolean).join('\n');
  item.accessibilityInformation = { label: [app.name, about, flow?.text].filter(Boolean).join(', ') };
  item.contextValue = [
    'app',
    !app.isFromEnvironment && !app.account && 'own',
    isChat && 'chat',
    account && 'account',
    account && (app.kind === 'workflow' || app.kind === 'chatflow') && 'flow',
    (!isChat || app.kind === 'unknown') && 'runnable',
    canRunAs(app, 'workflow') && 'workflow',
    (app.kind === 'workflow' || app.kind === 'completion') && (app.pin ? 'pinned' : 'pinnable'),
    canExpand && 'listed',
    isChat && app.audio?.transcribes !== false && 'transcribes',
  ]
    .filter(Boolean)
    .join(' ');
  if (!hasKey) {
    item.command = command('changeKey', app.account ? l10n.t('Sign In Again…') : l10n.t('Change Key…'), node);
  } else if (!canExpand) {
    item.command = isChat
      ? command('openChat', l10n.t('Open in Chat'), node)
      : command('run', l10n.t('Run…'), node);
  }
  return item;
}

function conversationItem(node: ConversationLine): vscode.TreeItem {
  const { conversation, parent } = node;
  const name = conversationName(conversation);
  const item = withIcon(new vscode.TreeItem(name, None), 'comment');
  const when = conversation.updatedAtMs ?? conversation.createdAtMs;
  item.id = `conversation ${parent.app.id} ${conversation.id}`;
  if (when !== undefined) item.description = formatTime(when);
  item.tooltip = [name, item.description].filter(Boolean).join('\n');
  item.contextValue = [
    'conversation',
    parent.app.kind === 'chatflow' && 'variables',
    parent.app.audio?.speaks !== false && 'speaks',
  ]
    .filter(Boolean)
    .join(' ');
  item.command = command('openConversation', l10n.t('Open'), node);
  return item;
}

function runItem(node: RunLine): vscode.TreeItem {
  const { run, parent } = node;
  const { icon, color } = statusIcon(run.status);
  const state = statusLabel(run.status);
  const when = run.createdAtMs === undefined ? undefined : formatTime(run.createdAtMs);
  const item = withIcon(new vscode.TreeItem(when ?? run.id ?? state, None), icon, color);
  const facts = [
    state,
    run.elapsedMs !== undefined && formatDuration(run.elapsedMs),
    run.tokens !== undefined && formatTokens(run.tokens),
  ].filter(Boolean);
  if (run.id !== undefined) item.id = `run ${parent.app.id} ${run.id}`;
  item.description = facts.join(' · ');
  item.tooltip = [when, ...facts, run.error].filter(Boolean).join('\n');
  item.contextValue = 'run';
  item.command = command('openRun', l10n.t('Open'), node);
  return item;
}

function command(name: AppTreeCommand, title: string, node: AppTreeNode): vscode.Command {
  return { command: appTreeCommandId(name), title, arguments: [node] };
}
