import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { countChanges } from '../../base/text/lineDiff.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { Hunk } from '../../chat/edits/editReviews.ts';
import { removedScheme } from '../ids.ts';

const hoverLines = 30;
const mostTexts = 500;

export class RemovedLines implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(removedScheme, {
    provideTextDocumentContent: ({ query }) => this.texts.get(query) ?? '',
  });

  lens(document: vscode.TextDocument, hunk: Hunk & { itemId: string; key: string }): vscode.CodeLens[] {
    const title = titleOf(hunk);
    if (title === undefined) return [];
    const at = new vscode.Position(Math.min(hunk.from, document.lineCount - 1), 0);
    // Ends with the file's path, by which the editor detects the language.
    const uri = document.uri.with({ scheme: removedScheme, query: `${hunk.itemId}/${hunk.key}` });
    this.keep(uri.query, hunk.before);
    const end = new vscode.Position(hunk.before.split('\n').length - 1, 0);
    const location = new vscode.Location(uri, new vscode.Range(new vscode.Position(0, 0), end));
    return [
      new vscode.CodeLens(new vscode.Range(at, at), {
        ...{ title, command: 'editor.action.peekLocations' },
        arguments: [document.uri, at, [location], 'peek'],
      }),
    ];
  }

  hover({ languageId }: vscode.TextDocument, hunk: Hunk): vscode.MarkdownString | undefined {
    const title = titleOf(hunk);
    if (title === undefined) return undefined;
    const lines = hunk.before.replace(/\r?\n$/, '').split(/\r?\n/);
    const shown = lines.slice(0, hoverLines).join('\n') + (lines.length > hoverLines ? '\n…' : '');
    return new vscode.MarkdownString(`${title}:\n`).appendCodeblock(visibleText(shown), languageId);
  }

  dispose(): void {
    this.provider.dispose();
  }

  private keep(key: string, text: string): void {
    this.texts.delete(key);
    this.texts.set(key, text);
    const [oldest = key] = this.texts.keys();
    if (this.texts.size > mostTexts) this.texts.delete(oldest);
  }
}

function titleOf({ before, now }: Hunk): string | undefined {
  const { removed } = countChanges(before, now);
  if (removed === 0) return undefined;
  return plural(removed, l10n.t('1 line removed'), l10n.t('{0} lines removed', formatNumber(removed)));
}
