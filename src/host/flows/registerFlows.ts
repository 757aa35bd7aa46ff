import * as vscode from 'vscode';
import { linksFile } from '../ids.ts';
import type { FlowContentsDependencies } from './flowContents.ts';

/** Waits for DSL files and for links in the workspace. All other code is loaded with the first. */
export function registerFlows(parts: () => Promise<FlowContentsDependencies>): vscode.Disposable {
  const look = async (document: vscode.TextDocument): Promise<void> => {
    if (!/\.ya?ml$/i.test(document.uri.path)) return;
    const { isFlow } = await import('./findFlows.ts');
    if (await isFlow(document)) (await import('./flowDiagnostics.ts')).watchFlows(parts);
  };
  for (const document of vscode.workspace.textDocuments) void look(document);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, linksFile)).then(
      async () => (await import('./flowDecorations.ts')).registerFlowDecorations(),
      () => undefined,
    );
  }
  return vscode.workspace.onDidOpenTextDocument(look);
}
