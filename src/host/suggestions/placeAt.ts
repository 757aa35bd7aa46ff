import * as vscode from 'vscode';
import { reach, type SuggestionPlace } from '../../chat/suggestions/suggestionPlace.ts';
import { closedAfter } from '../../chat/suggestions/trimSuggestion.ts';
import { attachmentHost } from '../panel/attachmentHost.ts';

export interface Caret {
  place: SuggestionPlace;
  /** The part of the selected completion that isn't in the document yet. */
  typed: string;
  range: vscode.Range;
}

/** The caret's place, as if the selected completion were inserted; undefined outside of files of the workspace. */
export function placeAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  selected: vscode.SelectedCompletionInfo | undefined,
): Caret | undefined {
  const path = attachmentHost.pathOf(document.uri.toString());
  if (path === undefined) return undefined;
  const range = selected?.range ?? new vscode.Range(position, position);
  const typed = selected?.text ?? '';
  const textBetween = (start: vscode.Position, end: vscode.Position) =>
    document.getText(new vscode.Range(start, end)).replaceAll('\r\n', '\n');
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const before = textBetween(document.positionAt(Math.max(0, from - reach)), range.start) + typed;
  const after = textBetween(range.end, document.positionAt(to + reach));
  const lineBreaks = document.eol === vscode.EndOfLine.CRLF ? range.start.line : 0;
  const offset = from - lineBreaks + typed.length;
  return { place: { path, text: before + after, caret: before.length, offset }, typed, range };
}

export function itemAt({ place, typed, range }: Caret, text: string): vscode.InlineCompletionItem {
  // The editor wants the selected completion's own range.
  const closed = typed === '' ? closedAfter(text, place.text.slice(place.caret)) : 0;
  const replaced = range.with({ end: range.end.translate(0, closed) });
  return new vscode.InlineCompletionItem(typed + text, replaced);
}
