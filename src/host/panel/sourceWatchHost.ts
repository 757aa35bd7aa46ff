import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { Source } from '../../chat/store/events.ts';
import { SourceChecker } from '../../knowledge/sources/sourceChecker.ts';
import { SourceWatch } from '../../panel/present/sourceWatch.ts';
import type { PostToPage } from '../../shared/protocol.ts';
import { toPath } from '../workspace/workspacePlaces.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';

export interface SourceWatchDependencies {
  chat: ChatController;
  post: PostToPage;
  tools(): Promise<WorkspaceTools>;
  withOrigin(source: Source): Promise<Source>;
  log: Log;
}

export function createSourceWatch({
  chat,
  post,
  tools,
  withOrigin,
  log,
}: SourceWatchDependencies): SourceWatch {
  const host = {
    async checkSources(sources: readonly Source[]) {
      const known = await Promise.all(sources.map(withOrigin));
      const { dependencies } = await tools();
      return new SourceChecker({ files: dependencies, log }).check(known);
    },
    watchFiles,
    clock: systemClock,
  };
  return new SourceWatch(chat, host, post);
}

function watchFiles(onChange: (path: string) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const changed = (uri: vscode.Uri) => onChange(toPath(uri));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(changed),
    watcher.onDidChange(changed),
    watcher.onDidDelete(changed),
    vscode.workspace.onDidChangeTextDocument(({ document }) => changed(document.uri)),
    // Closing without saving drops the editor's text.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => changed(uri)),
  );
}
