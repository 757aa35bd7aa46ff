import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { OtherTool } from '../tools/otherTools.ts';
import { toolPhrases } from '../tools/toolPhrases.ts';
import { commandIds } from './ids.ts';
import type { ToolSwitches } from './toolSwitches.ts';

interface ToolItem extends vscode.QuickPickItem {
  /** Absent for what is no tool. */
  name?: string;
  /** The beginning of commands that are always allowed here. */
  allowedCommand?: string;
}

/** Lets the user switch tools on and off. */
export async function chooseTools(switches: ToolSwitches): Promise<void> {
  const { off } = switches;
  const own = switches.own().map((name): ToolItem => ({
    label: toolPhrases[name].title(),
    description: name,
    name,
    picked: !off.has(name),
  }));
  const commands = switches.allowedCommands.map((allowedCommand): ToolItem => ({
    label: allowedCommand,
    description: l10n.t('runs without asking'),
    allowedCommand,
    picked: true,
  }));
  const bySource = Map.groupBy(switches.others(), heading);
  const items = [
    ...(own.length > 0 ? [divider('Switchboard'), ...own] : []),
    ...[...bySource].flatMap(([source, tools]) => [
      divider(source),
      ...tools.map((tool): ToolItem => ({
        label: tool.title,
        description: tool.name,
        detail: tool.detail,
        name: tool.name,
        picked: switches.isOn(tool),
      })),
    ]),
    ...(commands.length > 0 ? [divider(l10n.t('Always allowed commands')), ...commands] : []),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Tools'),
    placeHolder: hintFor(items),
    canPickMany: true,
    // A click beside the list would lose what was ticked, and look like Escape.
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked) {
    switches.choose(new Set(picked.flatMap(({ name }) => name ?? [])));
    const kept = new Set(picked.flatMap(({ allowedCommand }) => allowedCommand ?? []));
    if (kept.size < commands.length) switches.keepOnlyCommands(kept);
  }
  // The list came from the panel, to which the editor does not give the focus back.
  await vscode.commands.executeCommand(commandIds.openChat);
}

function hintFor(items: readonly ToolItem[]): string {
  if (items.length === 0) return l10n.t('No tools without an open folder or a chosen knowledge base');
  return vscode.workspace.isTrusted
    ? l10n.t('Select the tools that models can use')
    : l10n.t('Select the tools that models can use. Trust this workspace for all of them');
}

function heading({ source, isFromMcpServer }: OtherTool): string {
  return isFromMcpServer ? l10n.t('MCP server {0}', source) : source;
}

function divider(label: string): ToolItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
