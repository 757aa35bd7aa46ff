import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable.ts';
import { FlatFileSystem } from '../../ui/flatFileSystem.ts';
import { formScheme } from '../../ids.ts';
import { tabsOf } from '../../ui/tabs.ts';

/** Edits a text in an editor. Resolves when the user saves, or closes it after auto-save. */
export async function editInDocument(
  name: string,
  text: string,
  extension: 'md' | 'json',
): Promise<string | undefined> {
  const uri = vscode.Uri.from({
    scheme: formScheme,
    path: `/${name.replaceAll(/[/\\]/g, '-')}.${extension}`,
  });
  const disposables = new DisposableStore();
  const file = new OneFile(text);
  try {
    disposables.add(vscode.workspace.registerFileSystemProvider(formScheme, file));
    await vscode.window.showTextDocument(uri, { preview: false });
    await new Promise<void>((resolve) => {
      const isOurs = (document: vscode.TextDocument) => document.uri.toString() === uri.toString();
      let isByHand = false;
      disposables.add(
        vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
          if (isOurs(document)) isByHand = reason === vscode.TextDocumentSaveReason.Manual;
        }),
      );
      disposables.add(
        vscode.workspace.onDidSaveTextDocument((document) => {
          if (isOurs(document) && isByHand) resolve();
        }),
      );
      disposables.add(
        vscode.window.tabGroups.onDidChangeTabs(() => {
          if (tabsOf(uri).length === 0) resolve();
        }),
      );
    });
    await vscode.window.tabGroups.close(tabsOf(uri));
    return file.saved;
  } finally {
    disposables.dispose();
  }
}

class OneFile extends FlatFileSystem {
  saved: string | undefined;
  private bytes: Uint8Array;
  private mtime = 1;

  constructor(text: string) {
    super();
    this.bytes = new TextEncoder().encode(text);
  }

  stat(): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: this.mtime, size: this.bytes.length };
  }

  readFile(): Uint8Array {
    return this.bytes;
  }

  writeFile(_uri: vscode.Uri, content: Uint8Array): void {
    this.bytes = content;
    this.mtime++;
    this.saved = new TextDecoder().decode(content);
  }
}
