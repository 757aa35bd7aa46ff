import * as vscode from 'vscode';
import { linksFile } from '../ids.ts';

export async function isFlow(document: vscode.TextDocument): Promise<boolean> {
  return isYaml(document.uri) && (looksLikeFlow(document.getText()) || isNamedByLinks(document.uri));
}

/** Doesn't read the links, which takes more code; false matches are found later. */
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

export function looksLikeFlow(text: string): boolean {
  return /^app:/m.test(text) && (/^kind: ["']?app\b/m.test(text) || /^workflow:/m.test(text));
}

export function isYaml({ path, scheme }: { path: string; scheme: string }): boolean {
  return (scheme === 'file' || scheme === 'vscode-remote') && /\.ya?ml$/i.test(path);
}
