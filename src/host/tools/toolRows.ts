import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inline, inList } from '../../base/text/oneLine.ts';
import type { Grant } from '../../chat/calls/grantLabels.ts';
import type { McpServer } from '../../tools/mcpServers.ts';
import { ownerOf, type OtherTool } from '../../tools/otherTools.ts';
import { toolPhrases } from '../../tools/toolPhrases.ts';
import { rowOf } from './startMcpServer.ts';
import type { ToolSwitches } from './toolSwitches.ts';

export interface ToolRow extends vscode.QuickPickItem {
  /** Name of an own tool, key of another's or id of a server; absent for other rows. */
  key?: string;
  registeredName?: string;
  grant?: Grant;
  server?: McpServer;
}

const revokeButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('discard'),
  tooltip: l10n.t('Revoke'),
});

const startButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('play'),
  tooltip: l10n.t('Start Server'),
});

export function toolRows(switches: ToolSwitches): ToolRow[] {
  const own = switches.own().map((name): ToolRow => ({
    label: toolPhrases[name].title(),
    description: name,
    key: name,
  }));
  const bySource = Map.groupBy(switches.others(), heading);
  return [
    ...(own.length > 0 ? [divider('Switchboard'), ...own] : []),
    ...[...bySource].flatMap(([source, tools]) => [
      divider(source),
      ...tools.map(({ title, key, detail, registeredName }): ToolRow => ({
        label: inList(title),
        description: inList(key),
        detail: inList(detail, 300),
        key,
        registeredName,
      })),
    ]),
  ];
}

export function serverRows(servers: readonly McpServer[], starting: ReadonlySet<string>): ToolRow[] {
  const items = servers.map((server): ToolRow => {
    const [key] = server.ids;
    const row = { ...rowOf(server), key, server };
    return starting.has(key)
      ? { ...row, description: l10n.t('Starting…') }
      : { ...row, buttons: [startButton()] };
  });
  return items.length > 0 ? [divider(l10n.t("MCP servers that haven't been started")), ...items] : [];
}

export function commandGrants(switches: ToolSwitches): Grant[] {
  return switches.commandRules.map((rule) => ({
    label: rule.line,
    description: l10n.t('runs without asking in {0}', shownFolder(rule.folder)),
    revoke: () => switches.revokeCommand(rule),
  }));
}

export function grantRows(title: string, grants: readonly Grant[]): ToolRow[] {
  const items = grants.map((grant): ToolRow => {
    const [label, description] = [inList(grant.label), inList(grant.description)];
    return { label, description, grant, buttons: [revokeButton()] };
  });
  return items.length > 0 ? [divider(title), ...items] : [];
}

/** Includes the extension's id, which is unique; display names are not. */
function heading(tool: OtherTool): string {
  return inline(tool.isFromMcpServer ? ownerOf(tool) : `${tool.source} (${ownerOf(tool)})`);
}

function shownFolder(path: string): string {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path));
  return folder?.uri.path === path ? folder.name : vscode.workspace.asRelativePath(path);
}

function divider(label: string): ToolRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
