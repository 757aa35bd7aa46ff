import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { inline, inList } from '../../base/text/oneLine.ts';
import { grantsOf, type Grant } from '../../chat/calls/grantLabels.ts';
import type { ChatController } from '../../chat/chatController.ts';
import { ownerOf, type OtherTool } from '../../tools/otherTools.ts';
import { toolPhrases } from '../../tools/toolPhrases.ts';
import { commandId } from '../ids.ts';
import type { ToolSwitches } from './toolSwitches.ts';

interface ToolItem extends vscode.QuickPickItem {
  /** Name of an own tool or key of another's; absent for other rows. */
  key?: string;
  grant?: Grant;
}

const revokeButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('discard'),
  tooltip: l10n.t('Revoke'),
});

export async function chooseTools(switches: ToolSwitches, chat: ChatController): Promise<void> {
  const parts = new DisposableStore();
  const pick = parts.add(vscode.window.createQuickPick<ToolItem>());
  pick.title = l10n.t('Tools');
  pick.canSelectMany = true;
  // A click outside would discard the selection like Escape.
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  const tools = toolItems(switches);
  const show = (isOn: (key: string) => boolean) => {
    const [session] = chat.sessions;
    pick.items = [
      ...section(l10n.t('Always allowed in this conversation'), session ? grantsOf(session.choices) : []),
      ...tools,
      ...section(l10n.t('Always allowed commands'), commandGrants(switches)),
    ];
    pick.selectedItems = pick.items.filter(({ key, grant }) => grant ?? (key !== undefined && isOn(key)));
  };
  const refresh = () => {
    const chosen = keysOf(pick.selectedItems);
    show((key) => chosen.has(key));
  };
  const { off } = switches;
  const others = new Set(switches.others().flatMap((tool) => (switches.isOn(tool) ? tool.key : [])));
  const own = new Set<string>(switches.own());
  show((key) => (own.has(key) ? !off.has(key) : others.has(key)));
  pick.placeholder = hintFor(pick.items);
  parts.add(chat.onDidChangePermissions(refresh));
  parts.add(
    pick.onDidTriggerItemButton(({ item }) => {
      item.grant?.revoke();
      refresh();
    }),
  );
  await new Promise<void>((resolve) => {
    parts.add(
      pick.onDidAccept(() => {
        const kept = new Set(pick.selectedItems);
        switches.choose(keysOf(pick.selectedItems));
        for (const item of pick.items) if (!kept.has(item)) item.grant?.revoke();
        resolve();
      }),
    );
    parts.add(pick.onDidHide(() => resolve()));
    pick.show();
  });
  parts.dispose();
  // The editor doesn't return the focus to the panel, which opened the list.
  await vscode.commands.executeCommand(commandId('openChat'));
}

function toolItems(switches: ToolSwitches): ToolItem[] {
  const own = switches.own().map((name): ToolItem => ({
    label: toolPhrases[name].title(),
    description: name,
    key: name,
  }));
  const bySource = Map.groupBy(switches.others(), heading);
  return [
    ...(own.length > 0 ? [divider('Switchboard'), ...own] : []),
    ...[...bySource].flatMap(([source, tools]) => [
      divider(source),
      ...tools.map(({ title, key, detail }): ToolItem => ({
        label: inList(title),
        description: inList(key),
        detail: inList(detail, 300),
        key,
      })),
    ]),
  ];
}

function commandGrants(switches: ToolSwitches): Grant[] {
  return switches.commandRules.map((rule) => ({
    label: rule.line,
    description: l10n.t('runs without asking in {0}', shownFolder(rule.folder)),
    revoke: () => switches.revokeCommand(rule),
  }));
}

function section(title: string, grants: readonly Grant[]): ToolItem[] {
  const items = grants.map((grant): ToolItem => {
    const [label, description] = [inList(grant.label), inList(grant.description)];
    return { label, description, grant, buttons: [revokeButton()] };
  });
  return items.length > 0 ? [divider(title), ...items] : [];
}

function keysOf(items: readonly ToolItem[]): ReadonlySet<string> {
  return new Set(items.flatMap(({ key }) => key ?? []));
}

function hintFor(items: readonly ToolItem[]): string {
  if (items.length === 0) return l10n.t('No tools without an open folder or a chosen knowledge base');
  return vscode.workspace.isTrusted
    ? l10n.t('Select the tools that models can use')
    : l10n.t('Select the tools that models can use. Trust this workspace for all of them');
}

/** Includes the extension's id, which is unique; display names are not. */
function heading(tool: OtherTool): string {
  return inline(tool.isFromMcpServer ? ownerOf(tool) : `${tool.source} (${ownerOf(tool)})`);
}

function shownFolder(path: string): string {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path));
  return folder?.uri.path === path ? folder.name : vscode.workspace.asRelativePath(path);
}

function divider(label: string): ToolItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
