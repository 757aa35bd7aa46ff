import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { linksFile } from '../ids.ts';
import type { FlowContentsDependencies } from './flowContents.ts';
import type { Flows } from './flowFiles.ts';

/** Waits for DSL files and for links in the workspace. All other code is loaded with the first. */
export function registerFlows(parts: () => Promise<FlowContentsDependencies>): Flows & Disposable {
  const own = new DisposableStore();
  const files = lazy(async () => own.add(new (await import('./flowFiles.ts')).FlowFiles()));
  const decorate = lazy(async () => {
    const { registerFlowDecorations } = await import('./flowDecorations.ts');
    return own.add(registerFlowDecorations(await files()));
  });
  const watch = lazy(async () => {
    await decorate();
    const { watchFlows } = await import('./flowDiagnostics.ts');
    return own.add(watchFlows(parts, await files()));
  });
  const look = async (document: vscode.TextDocument): Promise<void> => {
    if (!/\.ya?ml$/i.test(document.uri.path)) return;
    const { isFlow } = await import('./findFlows.ts');
    if (await isFlow(document)) await watch();
  };
  for (const document of vscode.workspace.textDocuments) void look(document);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, linksFile)).then(decorate, () => undefined);
  }
  own.add(vscode.workspace.onDidOpenTextDocument(look));
  return { files, decorate, watch, dispose: () => own.dispose() };
}
