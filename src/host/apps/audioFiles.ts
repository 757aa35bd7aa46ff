import * as vscode from 'vscode';
import { FlatFileSystem } from '../flatFileSystem.ts';
import { audioScheme } from '../ids.ts';

/** What an app read out last, for the editor's own player. It is nowhere on the disk. */
export class AudioFiles extends FlatFileSystem implements vscode.Disposable {
  private readonly registration = vscode.workspace.registerFileSystemProvider(audioScheme, this, {
    isReadonly: true,
  });
  private kept: { path: string; bytes: Uint8Array } | undefined;
  private next = 1;

  keep(name: string, bytes: Uint8Array): vscode.Uri {
    const path = `/${this.next++}/${name}`;
    this.kept = { path, bytes };
    return vscode.Uri.from({ scheme: audioScheme, path });
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 1, size: this.readFile(uri).length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    if (this.kept?.path !== uri.path) throw vscode.FileSystemError.FileNotFound(uri);
    return this.kept.bytes;
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.registration.dispose();
    this.kept = undefined;
  }
}
