import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { beforeScheme } from '../ids.ts';
import { showWarning } from '../notifications.ts';
import { toUri } from '../workspaceUris.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';

/** Shows files against what they were before a turn changed them. */
export class ChangeView implements vscode.Disposable {
  private readonly parts = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private shown = 0;

  constructor(private readonly tools: () => Promise<WorkspaceTools>) {
    this.parts.add(
      vscode.workspace.registerTextDocumentContentProvider(beforeScheme, {
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
      }),
    );
    this.parts.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())));
  }

  /** @param before undefined for a file that did not exist */
  async show({ path, before }: { path: string; before: string | undefined }): Promise<void> {
    const { policy } = (await this.tools()).needs;
    const verdict = await policy.check(path, 'read');
    if (!verdict.isAllowed && verdict.reason !== 'not-found') {
      void showWarning(verdict.forUser);
      return;
    }
    const left = this.side('before', path, before ?? '');
    // A file that is gone is compared with nothing.
    const right = verdict.isAllowed ? toUri(verdict.realPath) : this.side('gone', path, '');
    const title = l10n.t('{0} (changed in this turn)', path);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  }

  dispose(): void {
    this.parts.dispose();
  }

  private side(name: string, path: string, text: string): vscode.Uri {
    // The path last, so that the editor knows the language.
    const uri = vscode.Uri.from({ scheme: beforeScheme, path: `/${name}/${++this.shown}/${path}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}
