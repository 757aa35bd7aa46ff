import * as vscode from 'vscode';
import type { ChangeWatch } from '../tools/tool.ts';
import { toPath } from './workspaceUris.ts';

/** So many files are named; of more, their count is known. */
const mostPaths = 200;
/** The editor tells of changes in its own time. */
const lateMs = 500;

/** Tells which files of the workspace change until it is ended, as the editor sees it: not those that it does not watch. */
export function watchChanges(): ChangeWatch {
  const paths = new Set<string>();
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const add = (uri: vscode.Uri) => void paths.add(toPath(uri));
  watcher.onDidCreate(add);
  watcher.onDidChange(add);
  watcher.onDidDelete(add);
  return {
    end: () =>
      new Promise((resolve) => {
        setTimeout(() => {
          watcher.dispose();
          const named = [...paths].slice(0, mostPaths);
          resolve({ paths: named, more: paths.size - named.length });
        }, lateMs);
      }),
  };
}
