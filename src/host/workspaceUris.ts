import * as vscode from 'vscode';

/** The core's paths: the disk's with forward slashes, other file systems' as `scheme://authority/path`. */
export function toPath(uri: vscode.Uri): string {
  if (uri.scheme === 'file') return withoutEnd(uri.fsPath.replaceAll('\\', '/'));
  return withoutEnd(`${uri.scheme}://${uri.authority}${uri.path}`);
}

const virtual = /^([a-z][a-z0-9+.-]+):\/\/([^/]*)(.*)$/is;

export function isVirtualPath(path: string): boolean {
  return virtual.test(path);
}

export function toUri(path: string): vscode.Uri {
  const [, scheme, authority, rest] = virtual.exec(path) ?? [];
  if (!scheme) return vscode.Uri.file(path);
  // A folder may need its query to be found again.
  const folder = vscode.workspace.workspaceFolders?.find(
    ({ uri }) => uri.scheme === scheme && uri.authority === authority,
  );
  return folder
    ? folder.uri.with({ path: rest || '/' })
    : vscode.Uri.from({ scheme, authority: authority ?? '', path: rest ?? '' });
}

function withoutEnd(path: string): string {
  return path.length > 1 && !/^[a-z]:\/$/i.test(path) ? path.replace(/\/+$/, '') : path;
}
