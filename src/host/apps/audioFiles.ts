import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { FlatFileSystem } from '../ui/flatFileSystem.ts';
import { allTabs, recordingPath } from '../ui/tabs.ts';
import { audioScheme } from '../ids.ts';

/** Recordings for the editor's player, in memory until their tabs are closed. */
export class AudioFiles extends FlatFileSystem implements vscode.Disposable {
  private readonly disposables = new DisposableStore();
  private readonly recordings = new Map<string, Uint8Array>();
  private next = 1;

  constructor() {
    super();
    this.disposables.add(
      vscode.workspace.registerFileSystemProvider(audioScheme, this, { isReadonly: true }),
    );
    this.disposables.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        const open = new Set(allTabs().map(recordingPath));
        for (const path of closed.map(recordingPath)) {
          if (path !== undefined && !open.has(path)) this.recordings.delete(path);
        }
      }),
    );
  }

  keep(name: string, bytes: Uint8Array): vscode.Uri {
    const path = `/${this.next++}/${name}`;
    this.recordings.set(path, bytes);
    return vscode.Uri.from({ scheme: audioScheme, path });
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 1, size: this.readFile(uri).length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const recording = this.recordings.get(uri.path);
    if (!recording) throw vscode.FileSystemError.FileNotFound(uri);
    return recording;
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.disposables.dispose();
    this.recordings.clear();
  }
}
