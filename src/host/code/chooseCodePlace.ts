import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CodePlace, FoundPlaces } from '../../chat/codeBlocks/codePlaces.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import { formatNumber } from '../../base/text/format.ts';
import { toPath } from '../workspace/workspacePlaces.ts';

export interface CodeCandidate {
  file: GrantedFile;
  text: string;
  found: FoundPlaces;
}

export interface ChosenPlace {
  candidate: CodeCandidate;
  /** The whole text of the file afterwards. */
  after: string;
}

interface PlaceOption extends vscode.QuickPickItem {
  chosen?: ChosenPlace | 'newFile';
}

const mostFilesOffered = 8;

/** Asks where code goes that has no certain place: candidates, the cursor, the end of a file, or a new file. */
export async function choosePlace(
  candidates: readonly CodeCandidate[],
  code: string,
): Promise<ChosenPlace | 'newFile' | undefined> {
  const editor = vscode.window.activeTextEditor;
  const active = editor && candidates.find(({ file }) => file.realPath === toPath(editor.document.uri));
  const replacing = candidates.flatMap(replacements);
  const options: PlaceOption[] = [
    ...replacing,
    ...(editor && active ? [atCursor(editor, active, code)] : []),
    ...candidates.slice(0, mostFilesOffered).map((candidate) => atEnd(candidate, code)),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: `$(new-file) ${l10n.t('Create File…')}`, chosen: 'newFile' },
  ];
  const picked = await vscode.window.showQuickPick(options, {
    title: l10n.t('Apply Code'),
    placeHolder: l10n.t('No certain place was found. Select where the code goes.'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.chosen;
}

function replacements(candidate: CodeCandidate): PlaceOption[] {
  return placesOf(candidate).map(({ from, to, after }) => {
    const lines = candidate.text.split(/\r?\n/).slice(from, to);
    const [first, last] = [formatNumber(from + 1), formatNumber(to)];
    return {
      label: `$(replace) ${candidate.file.shown}`,
      description:
        first === last ? l10n.t('Replace line {0}', first) : l10n.t('Replace lines {0} to {1}', first, last),
      detail:
        lines
          .find((line) => line.trim() !== '')
          ?.trim()
          .slice(0, 120) ?? '',
      chosen: { candidate, after },
    };
  });
}

function placesOf({ found }: CodeCandidate): readonly CodePlace[] {
  if (found.type === 'certain') return [found.place];
  return found.type === 'possible' ? found.places : [];
}

function atCursor(
  { document, selection }: vscode.TextEditor,
  candidate: CodeCandidate,
  code: string,
): PlaceOption {
  const text = document.getText();
  const [start, end] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
  const line = document.lineAt(selection.start.line);
  const isInLine = selection.isEmpty && line.text.trim() !== '';
  const at = isInLine ? document.offsetAt(line.range.end) : start;
  const after =
    text.slice(0, at) + (isInLine ? '\n' : '') + code.replace(/\n$/, '') + text.slice(isInLine ? at : end);
  return {
    label: `$(insert) ${candidate.file.shown}`,
    description: selection.isEmpty ? l10n.t('Insert at the cursor') : l10n.t('Replace the selection'),
    chosen: { candidate, after },
  };
}

function atEnd(candidate: CodeCandidate, code: string): PlaceOption {
  const { text, file } = candidate;
  const gap = text.trim() === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return {
    label: `$(arrow-down) ${file.shown}`,
    description: l10n.t('Add at the end'),
    chosen: { candidate, after: `${text}${gap}${code.replace(/\n$/, '')}\n` },
  };
}
