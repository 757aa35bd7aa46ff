import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { lazy } from '../base/lazy.ts';
import { UrgentWork } from '../base/urgentWork.ts';
import { ToolApprovals } from '../chat/calls/toolApprovals.ts';
import type { ChatEvent } from '../chat/events.ts';
import { ProjectModes } from '../chat/modes/projectModes.ts';
import { loadWorkspaceTools } from './loadWorkspaceTools.ts';
import type { Storage } from './openStorage.ts';
import { ToolSwitches } from './toolSwitches.ts';
import type { WorkspaceTools } from './workspaceTools.ts';

/** The tools of the workspace, and what the user lets models do with them. */
export interface Tools extends Disposable {
  tools(): Promise<WorkspaceTools>;
  switches: ToolSwitches;
  approvals: ToolApprovals;
  /** An edit that the user has allowed is being made. */
  urgent: UrgentWork;
  modes: ProjectModes;
}

export interface ToolsDependencies extends Pick<Storage, 'settings' | 'memory' | 'keys' | 'folders'> {
  extensionUri: vscode.Uri;
  /** Whether the conversation in view has knowledge bases to search. */
  hasKnowledge(): boolean;
  /** Adds to a conversation, whether it is held open or not. */
  record(conversationId: string, event: ChatEvent): void;
}

export function createTools(deps: ToolsDependencies): Tools {
  const { settings, memory, keys, folders, extensionUri, hasKnowledge, record } = deps;
  const parts = new DisposableStore();
  const ruleFor = (name: string) => settings.get('tools.approval')[name];
  const switches = new ToolSwitches(memory, (name) => ruleFor(name) === 'deny', hasKnowledge);
  parts.add(vscode.workspace.onDidGrantWorkspaceTrust(() => switches.trusted()));
  const tools = lazy(async () =>
    parts.add(
      await loadWorkspaceTools({
        ...{ extensionUri, settings, switches, keys, record },
        outputFolder: folders.commands,
      }),
    ),
  );
  const modes = new ProjectModes(
    () => settings.get('chat.mode'),
    async () => {
      const { readAgents } = await import('../chat/project/agentFiles.ts');
      return readAgents((await tools()).dependencies, switches.known());
    },
  );
  const urgent = new UrgentWork();
  const approvals = new ToolApprovals(ruleFor, urgent);
  return { tools, switches, approvals, urgent, modes, dispose: () => parts.dispose() };
}
