import * as vscode from 'vscode';
import type { FileAccess } from '../tools/fileAccess.ts';
import { nodeFiles } from '../tools/nodeFiles.ts';
import type { Files, PolicyRules, WorkspaceFolder } from '../tools/workspace.ts';
import { isVirtualPath, toPath, toUri } from './workspaceUris.ts';
import { virtualFiles } from './workspaceVirtualFiles.ts';

const access = (path: string): FileAccess => (isVirtualPath(path) ? virtualFiles : nodeFiles);

/** The globs of the settings `switchboard.tools.exclude` and `tools.protected`. */
export type PolicyGlobs = Pick<PolicyRules, 'toolsExclude' | 'toolsProtected'>;

export function createFiles(globs: () => PolicyGlobs): Files {
  return {
    folders: () => (vscode.workspace.workspaceFolders ?? []).map(toFolder),
    rules: (): PolicyRules => ({
      isTrusted: vscode.workspace.isTrusted,
      filesExclude: filesExclude(),
      ...globs(),
    }),
    access: {
      realPath: (path) => access(path).realPath(path),
      stat: (path) => access(path).stat(path),
      find: (path) => access(path).find(path),
      list: (path) => access(path).list(path),
      open: (path) => access(path).open(path),
    },
    encodingOf(path) {
      const encoding = vscode.workspace.getConfiguration('files', toUri(path)).get<string>('encoding');
      return encoding === 'utf8' ? undefined : encoding;
    },
  };
}

function toFolder({ name, uri }: vscode.WorkspaceFolder): WorkspaceFolder {
  return { name, path: toPath(uri), isVirtual: uri.scheme !== 'file' };
}

/** Of all folders together. What is only hidden beside another file (`when`) is not excluded. */
function filesExclude(): string[] {
  const scopes = [undefined, ...(vscode.workspace.workspaceFolders ?? [])];
  const globs = scopes.flatMap((scope) => {
    const excluded = vscode.workspace.getConfiguration('files', scope?.uri).get<object>('exclude') ?? {};
    return Object.entries(excluded).flatMap(([glob, value]) => (value === true ? [glob] : []));
  });
  return [...new Set(globs)];
}
