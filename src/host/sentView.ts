import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentScheme } from './ids.ts';

/** Shows what was sent for an answer, as a document that cannot be changed. */
export class SentView {
  private readonly texts = new Map<string, string>();

  constructor() {
    vscode.workspace.registerTextDocumentContentProvider(sentScheme, {
      provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
    });
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString()));
  }

  async show(text: string): Promise<void> {
    const name = `${l10n.t('What Was Sent')} ${this.texts.size + 1}.md`;
    const uri = vscode.Uri.from({ scheme: sentScheme, path: `/${name}` });
    this.texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }
}
