import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inline, inList } from '../../base/text/oneLine.ts';
import type { McpServer } from '../../tools/mcpServers.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { McpServers, McpStart } from './mcpServers.ts';
import type { Notifications } from '../ui/notifications.ts';

/** Starts a server with progress that can be cancelled. Tells why if there are no new tools; returns their names. */
export async function startMcpServer(
  notifications: Notifications,
  servers: McpServers,
  server: McpServer,
): Promise<readonly string[]> {
  const start = await withProgress(
    notifications,
    l10n.t('Starting MCP server {0}…', inline(server.name)),
    (signal) => servers.start(server, signal),
  );
  if (start.state === 'started' && start.tools.length > 0) return start.tools;
  void tellWithoutTools(notifications, server, start);
  return [];
}

export function rowOf({ name, place }: McpServer): { label: string; description: string } {
  return { label: inList(name), description: inList(place) };
}

async function tellWithoutTools(
  notifications: Notifications,
  { name, ids }: McpServer,
  start: McpStart,
): Promise<void> {
  if (start.state === 'cancelled') return;
  const shown = inline(name);
  if (start.state === 'started') {
    await offerServers(
      notifications,
      'warning',
      l10n.t(
        '{0} added no tools. It has none, is disabled, or was already running under a name of its own.',
        shown,
      ),
    );
    return;
  }
  const showOutput = l10n.t('Show Output');
  const message =
    start.reason === undefined
      ? l10n.t("Couldn't start MCP server {0}. Its output has the reason.", shown)
      : l10n.t("Couldn't start MCP server {0}: {1}", shown, inline(start.reason, 300));
  if ((await notifications.error(message, showOutput)) !== showOutput) return;
  for (const id of ids) await vscode.commands.executeCommand('workbench.mcp.showOutput', id);
}

/** The editor's own list also has the servers of extensions, with their states. */
export async function offerServers(
  notifications: Notifications,
  severity: 'information' | 'warning',
  text: string,
): Promise<void> {
  const show = l10n.t('Show MCP Servers');
  if ((await notifications[severity](text, show)) === show)
    await vscode.commands.executeCommand('workbench.mcp.listServer');
}
