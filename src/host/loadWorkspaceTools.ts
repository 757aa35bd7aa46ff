import * as vscode from 'vscode';
import type { ChatEvent } from '../chat/events.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { Settings } from './settings.ts';
import type { ToolSwitches } from './toolSwitches.ts';
import type { WorkspaceTools } from './workspaceTools.ts';

/** Most of the code is about the workspace: it is loaded with the first turn, mention or attachment. */
export async function loadWorkspaceTools({
  extensionUri,
  settings,
  switches,
  keys,
  outputFolder,
  record,
}: {
  extensionUri: vscode.Uri;
  settings: Settings;
  switches: ToolSwitches;
  keys: KeyStore;
  outputFolder: string;
  record(conversationId: string, event: ChatEvent): void;
}): Promise<WorkspaceTools> {
  const { WorkspaceTools } = await import('./workspaceTools.ts');
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
    record,
  });
}
