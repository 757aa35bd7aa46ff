import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/async/lazy.ts';
import { UrgentWork } from '../../base/async/urgentWork.ts';
import { ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import type { ChatEvent } from '../../chat/store/events.ts';
import { ProjectModes } from '../../chat/modes/projectModes.ts';
import type { KeyStore } from '../../connections/keyStore.ts';
import { ruleIn } from '../../tools/otherTools.ts';
import type { ToolIdentity, ToolRule } from '../../tools/tool.ts';
import type { Storage } from './openStorage.ts';
import type { Settings } from '../settings.ts';
import type { McpServers } from '../tools/mcpServers.ts';
import { ToolSwitches } from '../tools/toolSwitches.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface Tools extends Disposable {
  tools(): Promise<WorkspaceTools>;
  switches: ToolSwitches;
  mcpServers(): Promise<McpServers>;
  approvals: ToolApprovals;
  ruleFor(tool: ToolIdentity): ToolRule | undefined;
  /** Defers other work while an approved edit is made. */
  urgent: UrgentWork;
  modes: ProjectModes;
}

export interface ToolsDependencies extends Pick<Storage, 'settings' | 'memory' | 'keys' | 'folders'> {
  extensionUri: vscode.Uri;
  hasKnowledge(): boolean;
  record(conversationId: string, event: ChatEvent): void;
  notifications: Notifications;
}

export function createTools(deps: ToolsDependencies): Tools {
  const { settings, memory, keys, folders, extensionUri, hasKnowledge, record, notifications } = deps;
  const parts = new DisposableStore();
  const ruleFor = (tool: ToolIdentity) => ruleIn(settings.get('tools.approval'), tool);
  const switches = new ToolSwitches(memory, (tool) => ruleFor(tool) === 'deny', hasKnowledge);
  parts.add(vscode.workspace.onDidGrantWorkspaceTrust(() => switches.changed()));
  const mcpServers = lazy(async () =>
    (await import('../tools/mcpServers.ts')).McpServers.load(memory, switches),
  );
  const tools = lazy(async () => {
    const { tellCommandRules } = await import('../tools/tellCommandRules.ts');
    void tellCommandRules(notifications, memory, switches, settings.get('tools.commands'));
    return parts.add(
      await loadWorkspaceTools({
        extensionUri,
        settings,
        switches,
        keys,
        record,
        notifications,
        outputFolder: folders.commands,
        promptsFolder: folders.prompts,
      }),
    );
  });
  const modes = new ProjectModes(
    () => settings.get('chat.mode'),
    async () => {
      return (await tools()).agents(switches.known());
    },
  );
  const urgent = new UrgentWork();
  const approvals = new ToolApprovals(ruleFor, urgent);
  return { tools, switches, mcpServers, approvals, ruleFor, urgent, modes, dispose: () => parts.dispose() };
}

/** Most code is about the workspace: loaded with the first turn, mention or attachment. */
async function loadWorkspaceTools({
  extensionUri,
  settings,
  switches,
  keys,
  outputFolder,
  promptsFolder,
  record,
  notifications,
}: {
  extensionUri: vscode.Uri;
  settings: Settings;
  switches: ToolSwitches;
  keys: KeyStore;
  outputFolder: string;
  promptsFolder: string;
  record(conversationId: string, event: ChatEvent): void;
  notifications: Notifications;
}): Promise<WorkspaceTools> {
  const { WorkspaceTools } = await import('../workspace/workspaceTools.ts');
  return new WorkspaceTools({
    workerFile: vscode.Uri.joinPath(extensionUri, 'dist', 'searchWorker.mjs').fsPath,
    policyGlobs: () => ({
      toolsExclude: settings.get('tools.exclude'),
      toolsProtected: settings.get('tools.protected'),
    }),
    switches,
    commandRules: () => settings.get('tools.commands'),
    secrets: async () => {
      const kept = await Promise.all((await keys.list()).map((slot) => keys.get(slot)));
      return kept.filter((key) => key !== undefined);
    },
    outputFolder,
    promptsFolder,
    record,
    notifications,
  });
}
