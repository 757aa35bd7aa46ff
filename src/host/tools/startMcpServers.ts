import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inline } from '../../base/text/oneLine.ts';
import { chooseTools, type ToolsListDependencies } from './chooseTools.ts';
import type { McpServers } from './mcpServers.ts';
import { offerServers, rowOf, startMcpServer } from './startMcpServer.ts';
import type { Notifications } from '../ui/notifications.ts';

/** Takes no server: only the user chooses what starts. Undefined if dismissed, else names of the servers with tools. */
export async function startMcpServers(deps: ToolsListDependencies): Promise<string[] | undefined> {
  const servers = await deps.mcpServers();
  const toStart = servers.toStart();
  if (toStart.length === 0) {
    void tellNone(deps.notifications, servers);
    return [];
  }
  const chosen = await vscode.window.showQuickPick(
    toStart.map((server) => ({ ...rowOf(server), server })),
    { title: l10n.t('Start MCP Servers'), canPickMany: true, ignoreFocusOut: true, matchOnDescription: true },
  );
  if (!chosen) return undefined;
  const started = await Promise.all(
    chosen.map(async ({ server }) =>
      (await startMcpServer(deps.notifications, servers, server)).length > 0 ? server.name : [],
    ),
  );
  const names = started.flat();
  if (names.length > 0) void offerTools(names, deps);
  return names;
}

async function tellNone(notifications: Notifications, { isSupported }: McpServers): Promise<void> {
  const text = l10n.t('No MCP servers to start.');
  await (isSupported ? offerServers(notifications, 'information', text) : notifications.information(text));
}

async function offerTools(names: readonly string[], deps: ToolsListDependencies): Promise<void> {
  const choose = l10n.t('Choose Tools…');
  const text = l10n.t('Started {0}. Models can use the tools that you choose.', inline(names.join(', ')));
  if ((await deps.notifications.information(text, choose)) === choose) await chooseTools(deps);
}
