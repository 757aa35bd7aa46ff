import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../base/text/format.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { commandId } from '../ids.ts';
import { StatusItem } from '../ui/statusItem.ts';
import { toUri } from '../workspace/workspacePlaces.ts';

export class ReviewMarks implements vscode.Disposable {
  private readonly parts = new DisposableStore();
  private readonly changed = this.parts.add(new vscode.EventEmitter<vscode.Uri[]>());
  private files: ReadonlyMap<string, vscode.Uri> = new Map();
  private readonly item = this.parts.add(new StatusItem('switchboard.review', 99));

  constructor() {
    this.parts.add(
      vscode.window.registerFileDecorationProvider({
        onDidChangeFileDecorations: this.changed.event,
        provideFileDecoration: (uri) => this.decorationOf(uri),
      }),
    );
  }

  show(paths: readonly string[]): void {
    const before = this.files;
    this.files = new Map(paths.map(toUri).map((uri) => [uri.toString(), uri]));
    const differ = [...before, ...this.files].filter(([key]) => before.has(key) !== this.files.has(key));
    if (differ.length === 0) return;
    this.changed.fire(differ.map(([, uri]) => uri));
    this.count(paths.length);
  }

  decorationOf(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (!this.files.has(uri.toString())) return undefined;
    return new vscode.FileDecoration('±', l10n.t('Changes to review'));
  }

  dispose(): void {
    this.parts.dispose();
  }

  private count(files: number): void {
    if (files === 0) {
      this.item.dispose();
      return;
    }
    const text = plural(
      files,
      l10n.t('1 file to review'),
      l10n.t('{0} files to review', formatNumber(files)),
    );
    this.item.show({
      ...{ name: l10n.t('Switchboard: Changes to Review'), icon: 'diff', text, label: text },
      tooltip: l10n.t('Show the files that models changed'),
      command: commandId('reviewFiles'),
    });
  }
}

export async function openFileToReview(paths: readonly string[]): Promise<vscode.TextEditor | undefined> {
  const items = paths.map((path) => {
    const uri = toUri(path);
    return { label: vscode.workspace.asRelativePath(uri), uri };
  });
  const picked =
    items.length > 1
      ? await vscode.window.showQuickPick(items, { title: l10n.t('Files with Changes to Review') })
      : items[0];
  return picked && vscode.window.showTextDocument(picked.uri);
}
