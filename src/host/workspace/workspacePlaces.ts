import * as vscode from 'vscode';
import type { Position, Range } from '../../tools/files/workspace.ts';

/** Paths of the core: disk paths with forward slashes, else `scheme://authority/path`. */
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
  // A folder's query may be needed to find it again.
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

/** A selection that ends at the start of a line excludes that line. */
export function wholeLines({ start, end }: vscode.Selection): vscode.Range {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return new vscode.Range(start.line, 0, last, Number.MAX_SAFE_INTEGER);
}

/** The editor counts from 0, models from 1. */
export function fromPosition({ line, character }: vscode.Position): Position {
  return { line: line + 1, column: character + 1 };
}

export function fromRange({ start, end }: vscode.Range): Range {
  return { start: fromPosition(start), end: fromPosition(end) };
}

export function toPosition({ line, column }: Position): vscode.Position {
  return new vscode.Position(line - 1, column - 1);
}
