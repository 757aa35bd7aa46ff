import * as vscode from 'vscode';
import type { ChangeWatch } from '../../tools/tool.ts';
import { toPath } from './workspacePlaces.ts';

/** Further paths are only counted. */
const mostPaths = 200;
/** Delay of the editor's file events, in ms. */
const lateMs = 500;

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
