import * as vscode from 'vscode';

/** Shows texts as documents that cannot be changed, under a scheme of their own. */
export class ReadOnlyTexts {
  private readonly texts = new Map<string, string>();

  constructor(private readonly scheme: string) {
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
    });
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString()));
  }

  /** @param extension of the name, which the editor takes the language from */
  async show(title: string, extension: 'md' | 'txt', text: string): Promise<void> {
    const name = `${title} ${this.texts.size + 1}.${extension}`;
    const uri = vscode.Uri.from({ scheme: this.scheme, path: `/${name}` });
    this.texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }
}
