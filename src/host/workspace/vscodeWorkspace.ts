import * as vscode from 'vscode';
import type { FileSystem } from '../../tools/files/fileSystem.ts';
import { nodeFileSystem } from '../../tools/files/nodeFileSystem.ts';
import type { Files, PolicyRules, Workspace, WorkspaceFolder } from '../../tools/files/workspace.ts';
import { editors } from './workspaceEditors.ts';
import { edits } from './workspaceEdits.ts';
import { sourceControl } from './workspaceGit.ts';
import { languages } from './workspaceLanguages.ts';
import { isVirtualPath, toPath, toUri } from './workspacePlaces.ts';
import { virtualFiles } from './workspaceVirtualFiles.ts';

const access = (path: string): FileSystem => (isVirtualPath(path) ? virtualFiles : nodeFileSystem);

export type PolicyGlobs = Pick<PolicyRules, 'toolsExclude' | 'toolsProtected'>;

export function createVscodeWorkspace(globs: () => PolicyGlobs): Workspace {
  return { files: createFiles(globs), editors, languages, sourceControl, edits };
}

function createFiles(globs: () => PolicyGlobs): Files {
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

/** Globs of all folders. A glob with a `when` clause only hides files, so it doesn't exclude them. */
function filesExclude(): string[] {
  const scopes = [undefined, ...(vscode.workspace.workspaceFolders ?? [])];
  const globs = scopes.flatMap((scope) => {
    const excluded = vscode.workspace.getConfiguration('files', scope?.uri).get<object>('exclude') ?? {};
    return Object.entries(excluded).flatMap(([glob, value]) => (value === true ? [glob] : []));
  });
  return [...new Set(globs)];
}
