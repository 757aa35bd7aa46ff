import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { delay, untilAborted } from '../../base/async/promises.ts';
import { messageOf } from '../../base/errors/errors.ts';
import { configuredServers, serversWithoutTools, type McpServer } from '../../tools/mcpServers.ts';
import type { ToolSwitches } from './toolSwitches.ts';

export interface McpMemory {
  /** Server names, each with the name of a tool that it had. */
  mcpServerTools: readonly (readonly [server: string, tool: string])[];
}

export type McpStart =
  | { state: 'started'; tools: readonly string[] }
  /** `reason` is the editor's; without one the server's output has it. */
  | { state: 'failed'; reason?: string }
  | { state: 'cancelled' };

const startCommand = 'workbench.mcp.startServer';
const mostRemembered = 200;

/** Time for the editor to take up a configuration or list a started server's tools, in ms; no event tells of either. */
const settlingMs = 3000;
const againMs = 250;

/** MCP servers of the editor that the user can start, as no API lists them. */
export class McpServers {
  counted = 0;
  private readonly withoutTools = new Set<string>();
  /** For each start under way, the tools that aren't its own. */
  private readonly others = new Set<Set<string>>();

  private constructor(
    private readonly memory: McpMemory,
    private readonly switches: ToolSwitches,
    readonly isSupported: boolean,
  ) {}

  /** Editors without the command offer no servers. */
  static async load(memory: McpMemory, switches: ToolSwitches): Promise<McpServers> {
    const commands = await vscode.commands.getCommands(true);
    return new McpServers(memory, switches, commands.includes(startCommand));
  }

  /** Servers whose tools the editor doesn't list. Those that were found to have none are left out. */
  toStart(): McpServer[] {
    const access = vscode.workspace.getConfiguration('chat.mcp').get('access');
    // The servers of a workspace are programs of that workspace.
    if (!this.isSupported || !vscode.workspace.isTrusted || access === 'none') return [];
    const tools = new Map(this.memory.mcpServerTools);
    return serversWithoutTools(readConfiguration(), toolNames(), tools).filter(
      ({ ids: [id] }) => !this.withoutTools.has(id),
    );
  }

  /** Updates `counted`, which the panel shows. */
  count(): void {
    const { length } = this.toStart();
    if (length === this.counted) return;
    this.counted = length;
    this.switches.changed();
  }

  async start(server: McpServer, signal: AbortSignal): Promise<McpStart> {
    const others = new Set(toolNames());
    this.others.add(others);
    const added = () => toolNames().filter((name) => !others.has(name));
    try {
      const tools = await startUntil(added, server, signal);
      if (!tools) return { state: 'cancelled' };
      for (const each of this.others) for (const tool of tools) each.add(tool);
      this.remember(server, tools);
      return { state: 'started', tools };
    } catch (error) {
      if (!signal.aborted) return failure(error);
      for (const id of server.ids) void vscode.commands.executeCommand('workbench.mcp.stopServer', id);
      return { state: 'cancelled' };
    } finally {
      this.others.delete(others);
      this.count();
    }
  }

  private remember({ name, ids: [id] }: McpServer, [tool]: readonly string[]): void {
    if (tool === undefined) {
      this.withoutTools.add(id);
      return;
    }
    const others = this.memory.mcpServerTools.filter(([server]) => server !== name);
    this.memory.mcpServerTools = [...others, [name, tool] as const].slice(-mostRemembered);
  }
}

function readConfiguration(): McpServer[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const values = (scope?: vscode.Uri) => vscode.workspace.getConfiguration('mcp', scope).inspect('servers');
  const all = values();
  return configuredServers({
    user: all?.globalValue,
    ...(workspaceFile && {
      workspace: { file: basename(workspaceFile.path), servers: all?.workspaceValue },
    }),
    folders: workspaceFolders.map(({ index, name, uri }) => ({
      index,
      name,
      servers: values(uri)?.workspaceFolderValue,
    })),
  });
}

function toolNames(): string[] {
  return vscode.lm.tools.map(({ name }) => name);
}

/** Undefined if the editor asked for something and there are no tools: the user dismissed it, or was told by the editor. */
async function startUntil(
  added: () => readonly string[],
  { ids }: McpServer,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  let hasAsked = false;
  let endMs: number | undefined;
  for (;;) {
    for (const id of hasAsked ? [] : ids) {
      hasAsked = await untilAborted(startById(id), signal);
      if (hasAsked || added().length > 0) break;
    }
    if (added().length > 0) return added();
    endMs ??= Date.now() + settlingMs;
    if (Date.now() > endMs) return hasAsked ? undefined : [];
    await delay(againMs, signal);
  }
}

const interaction = /User interaction required: (\w+)/;

/**
 * Does nothing for an unknown id. True if the editor asked. The first try may not ask, as VS Code 1.139 never ends a
 * start that may when the program isn't found; the second one lets the editor ask for inputs or a sign-in.
 */
async function startById(id: string): Promise<boolean> {
  const options = { waitForLiveTools: true };
  try {
    await vscode.commands.executeCommand(startCommand, id, { ...options, errorOnUserInteraction: true });
    return false;
  } catch (error) {
    const [, reason] = interaction.exec(messageOf(error)) ?? [];
    if (reason === undefined || reason === 'start') throw error;
    await vscode.commands.executeCommand(startCommand, id, options);
    return true;
  }
}

function failure(error: unknown): McpStart {
  const reason = messageOf(error);
  return interaction.test(reason) ? { state: 'failed' } : { state: 'failed', reason };
}
