import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appScheme } from '../ids.ts';

export class AppDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly closing = vscode.workspace.onDidCloseTextDocument(({ uri }) =>
    this.texts.delete(uri.toString()),
  );
  private next = 1;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? l10n.t('This no longer exists.');
  }

  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({
      scheme: appScheme,
      path: `/${this.next++}/${name.replaceAll(/[/\\]/g, '-')}.md`,
    });
    this.texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.closing.dispose();
  }
}
