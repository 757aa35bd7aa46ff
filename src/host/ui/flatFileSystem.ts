import * as vscode from 'vscode';

export abstract class FlatFileSystem implements vscode.FileSystemProvider {
  protected readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;

  abstract stat(uri: vscode.Uri): vscode.FileStat;
  abstract readFile(uri: vscode.Uri): Uint8Array;
  abstract writeFile(uri: vscode.Uri, content: Uint8Array): void;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }
}
