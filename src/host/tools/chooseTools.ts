import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { formatNumber } from '../../base/text/format.ts';
import { grantsOf } from '../../chat/calls/grantLabels.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { McpServer } from '../../tools/mcpServers.ts';
import { commandId } from '../ids.ts';
import type { McpServers } from './mcpServers.ts';
import { startMcpServer } from './startMcpServer.ts';
import { commandGrants, grantRows, serverRows, toolRows, type ToolRow } from './toolRows.ts';
import type { ToolSwitches } from './toolSwitches.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface ToolsListDependencies {
  switches: ToolSwitches;
  chat: ChatController;
  mcpServers(): Promise<McpServers>;
  notifications: Notifications;
}

export async function chooseTools(deps: ToolsListDependencies): Promise<void> {
  const servers = await deps.mcpServers();
  servers.count();
  let added: readonly string[];
  do {
    const ticked = await new ToolsList(deps, servers).ask();
    added = (
      await Promise.all(ticked.map((server) => startMcpServer(deps.notifications, servers, server)))
    ).flat();
  } while (added.length > 0);
  // The editor doesn't return the focus to the panel, which opened the list.
  await vscode.commands.executeCommand(commandId('openChat'));
}

class ToolsList {
  private readonly parts = new DisposableStore();
  private readonly pick = this.parts.add(vscode.window.createQuickPick<ToolRow>());
  /** Ids of servers. */
  private readonly starting = new Set<string>();
  private ticked: readonly ToolRow[] = [];
  private isHidden = false;
  private isOver = false;

  constructor(
    private readonly deps: Pick<ToolsListDependencies, 'switches' | 'chat' | 'notifications'>,
    private readonly servers: McpServers,
  ) {}

  /** Returns servers to start, which were ticked when the list was accepted. */
  async ask(): Promise<McpServer[]> {
    const { parts, pick } = this;
    pick.title = l10n.t('Tools');
    pick.canSelectMany = true;
    // A click outside would discard the selection like Escape.
    pick.ignoreFocusOut = true;
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.keepScrollPosition = true;
    this.showSwitches();
    parts.add(this.deps.chat.onDidChangePermissions(() => this.refresh()));
    parts.add(pick.onDidChangeSelection((rows) => this.selectionChanged(rows)));
    parts.add(
      pick.onDidTriggerItemButton(({ item: { grant, server } }) => {
        grant?.revoke();
        this.refresh();
        if (server) void this.start(server);
      }),
    );
    const toStart = await new Promise<McpServer[]>((resolve) => {
      parts.add(pick.onDidAccept(() => resolve(this.accept())));
      parts.add(
        pick.onDidHide(() => {
          // A question that the editor asks for a server replaces the list.
          this.isHidden = true;
          if (this.starting.size === 0) resolve([]);
        }),
      );
      pick.show();
    });
    this.isOver = true;
    parts.dispose();
    return toStart;
  }

  private accept(): McpServer[] {
    const { items, selectedItems } = this.pick;
    const kept = new Set(selectedItems);
    saveChoice(this.deps.switches, keysOf(selectedItems));
    for (const item of items) if (!kept.has(item)) item.grant?.revoke();
    return selectedItems.flatMap(({ server }) => (server && !this.starting.has(server.ids[0]) ? server : []));
  }

  private showSwitches(): void {
    const { switches } = this.deps;
    const own = new Set<string>(switches.own());
    const { off } = switches;
    const others = new Set(switches.others().flatMap((tool) => (switches.isOn(tool) ? tool.key : [])));
    this.show((key) => (own.has(key) ? !off.has(key) : others.has(key)));
  }

  private refresh(): void {
    const chosen = keysOf(this.pick.selectedItems);
    this.show((key) => chosen.has(key));
  }

  private show(isTicked: (key: string) => boolean): void {
    const { switches, chat } = this.deps;
    const { pick } = this;
    const [session] = chat.sessions;
    pick.items = [
      ...grantRows(l10n.t('Always allowed in this conversation'), session ? grantsOf(session.choices) : []),
      ...toolRows(switches),
      ...serverRows(this.servers.toStart(), this.starting),
      ...grantRows(l10n.t('Always allowed commands'), commandGrants(switches)),
    ];
    this.ticked = pick.items.filter(({ key, grant }) => grant ?? (key !== undefined && isTicked(key)));
    pick.selectedItems = this.ticked;
    pick.placeholder = hintFor(pick.items);
  }

  /** The box that ticks all rows is about tools: servers are programs, which are ticked one by one. */
  private selectionChanged(rows: readonly ToolRow[]): void {
    const isAdded = (row: ToolRow) => !this.ticked.includes(row);
    const isOfAll = rows.filter(isAdded).length > 1;
    this.ticked = isOfAll ? rows.filter((row) => !row.server || !isAdded(row)) : rows;
    if (this.ticked.length < rows.length) this.pick.selectedItems = this.ticked;
  }

  private async start(server: McpServer): Promise<void> {
    const { pick, starting } = this;
    const [id] = server.ids;
    starting.add(id);
    pick.busy = true;
    this.refresh();
    const added = await startMcpServer(this.deps.notifications, this.servers, server);
    starting.delete(id);
    if (this.isOver) return;
    pick.busy = starting.size > 0;
    this.refresh();
    const first = pick.items.find(({ registeredName = '' }) => added.includes(registeredName));
    if (first) pick.activeItems = [first];
    if (this.isHidden) pick.show();
    this.isHidden = false;
  }
}

/** @param chosen names of own tools and keys of others. Missing tools keep their switch. */
function saveChoice(switches: ToolSwitches, chosen: ReadonlySet<string>): void {
  const { memory } = switches;
  const own: readonly string[] = switches.own();
  const others = switches.others().map(({ key }) => key);
  memory.toolsOff = [
    ...memory.toolsOff.filter((name) => !own.includes(name)),
    ...own.filter((name) => !chosen.has(name)),
  ];
  memory.editorTools = [
    ...memory.editorTools.filter((key) => !others.includes(key)),
    ...others.filter((key) => chosen.has(key)),
  ];
  switches.changed();
}

function keysOf(rows: readonly ToolRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ key }) => key ?? []));
}

function hintFor(rows: readonly ToolRow[]): string {
  if (rows.length === 0) return l10n.t('No tools without an open folder or a chosen knowledge base');
  if (!vscode.workspace.isTrusted)
    return l10n.t('Select the tools that models can use. Trust this workspace for all of them');
  const select = l10n.t('Select the tools that models can use');
  // They are at the end of a list that is longer than what is seen of it.
  const toStart = rows.filter(({ server }) => server).length;
  return toStart > 0 ? `${select}. ${l10n.t('MCP servers not started: {0}', formatNumber(toStart))}` : select;
}
