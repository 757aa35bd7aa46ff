import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { linksFile, looksLikeFlow } from '../../flows/flowFiles.ts';
import type { FlowContentsDependencies } from './flowContents.ts';

/**
 * Waits for files that are the DSL of an app. Their problems, completion and hovers are loaded with the first that is
 * open, their marks in the Explorer with the workspace that has links.
 */
export function registerFlows(parts: () => Promise<FlowContentsDependencies>): vscode.Disposable {
  const watch = lazy(async () => (await import('./flowDiagnostics.ts')).watchFlows(parts));
  const look = async (document: vscode.TextDocument): Promise<void> => {
    if (!isYaml(document.uri)) return;
    if (looksLikeFlow(document.getText()) || (await isNamedByLinks(document.uri))) await watch();
  };
  for (const document of vscode.workspace.textDocuments) void look(document);
  void markLinked();
  return vscode.workspace.onDidOpenTextDocument(look);
}

export function isYaml({ path, scheme }: vscode.Uri): boolean {
  return (scheme === 'file' || scheme === 'vscode-remote') && /\.ya?ml$/i.test(path);
}

async function markLinked(): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const links = await Promise.all(folders.map(({ uri }) => textOfLinks(uri)));
  if (links.every((text) => text === '')) return;
  (await import('./flowDecorations.ts')).registerFlowDecorations();
}

/** Doesn't read the links, which takes more code; what only looks like one is found out later. */
async function isNamedByLinks(uri: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) return false;
  const path = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
  return (await textOfLinks(folder.uri)).includes(JSON.stringify(path));
}

async function textOfLinks(folder: vscode.Uri): Promise<string> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, linksFile));
    return new TextDecoder().decode(bytes);
  } catch {
    // Most workspaces have none.
    return '';
  }
}
