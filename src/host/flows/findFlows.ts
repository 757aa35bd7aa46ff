import * as vscode from 'vscode';
import { linksFile } from '../ids.ts';
import type { FlowContentsDependencies } from './flowContents.ts';

/** Watches DSL files from now on if a document is one. */
export async function lookAt(
  document: vscode.TextDocument,
  parts: () => Promise<FlowContentsDependencies>,
): Promise<void> {
  if (!isYaml(document.uri)) return;
  if (!looksLikeFlow(document.getText()) && !(await isNamedByLinks(document.uri))) return;
  (await import('./flowDiagnostics.ts')).watchFlows(parts);
}

export async function markLinked(): Promise<void> {
  (await import('./flowDecorations.ts')).registerFlowDecorations();
}

/** Doesn't read the links, which takes more code; what only looks like one is found out later. */
async function isNamedByLinks(uri: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) return false;
  const path = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
  try {
    const links = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, linksFile));
    return new TextDecoder().decode(links).includes(JSON.stringify(path));
  } catch {
    // Most workspaces have none.
    return false;
  }
}

/** True for a text with the outer keys of an app's DSL. */
export function looksLikeFlow(text: string): boolean {
  return /^app:/m.test(text) && (/^kind: ["']?app\b/m.test(text) || /^workflow:/m.test(text));
}

export function isYaml({ path, scheme }: { path: string; scheme: string }): boolean {
  return (scheme === 'file' || scheme === 'vscode-remote') && /\.ya?ml$/i.test(path);
}
