import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AttachmentSource } from '../../chat/attachments/attachment.ts';
import {
  type CodeRequest,
  enclosingSymbol,
  type Lines,
  problemsText,
  requestText,
} from '../../chat/editorRequests/codeRequests.ts';
import { nameOf } from '../../chat/mentions/mention.ts';
import { chooseSources, wholeText } from '../panel/addToChat.ts';
import type { CodeQuestion } from '../../panel/promptController.ts';
import { attachmentHost } from '../panel/attachmentHost.ts';
import { languages } from '../workspace/workspaceLanguages.ts';
import { toPath, wholeLines } from '../workspace/workspacePlaces.ts';

/** Time limit of a language extension's symbols, in ms; then the whole file is attached. */
const symbolsMs = 3_000;

interface Code {
  document: vscode.TextDocument;
  sources: readonly AttachmentSource[];
  lines: Lines;
}

/** A request with what it is about; undefined if no code is open. */
export async function questionFor(
  request: CodeRequest,
  place?: { uri: vscode.Uri; range: vscode.Range },
): Promise<CodeQuestion | undefined> {
  if (request === 'reviewChanges') return { text: requestText(request), sources: [{ type: 'changes' }] };
  if (request === 'explainProject') return aboutFolders(request);
  const code = await findCode(place);
  if (!code) return undefined;
  const problems = request === 'fixSelection' ? problemsOf(code, place?.range) : undefined;
  return {
    text: requestText(request, problems !== undefined),
    sources: [...code.sources, ...(problems ? [problems] : [])],
  };
}

function aboutFolders(request: CodeRequest): CodeQuestion | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) return undefined;
  return {
    text: requestText(request),
    sources: folders.map(({ uri }) => ({ type: 'path', path: toPath(uri) })),
  };
}

/** Finds the selection, else the symbol at the caret, else the whole text. Undefined if no editor is open. */
export async function findCode(place?: { uri: vscode.Uri; range: vscode.Range }): Promise<Code | undefined> {
  const { activeTextEditor: editor } = vscode.window;
  const isElsewhere = place && editor?.document.uri.toString() !== place.uri.toString();
  if (!editor || isElsewhere) return undefined;
  const { document, selection } = editor;
  const chosen = place && !selection.contains(place.range) ? place.range : selection;
  if (!selection.isEmpty && chosen === selection) {
    return { document, sources: await chooseSources([]), lines: linesOf(wholeLines(selection)) };
  }
  const symbol = await symbolAround(document, chosen.start.line + 1);
  if (!symbol) {
    return { document, sources: [wholeText(document)], lines: { first: 1, last: document.lineCount } };
  }
  const { name, range, path } = symbol;
  const lines = { first: range.start.line, last: range.end.line };
  return {
    document,
    sources: [{ type: 'range', path, name, startLine: lines.first, endLine: lines.last }],
    lines,
  };
}

/** @param line 1-based */
export async function symbolAround(document: vscode.TextDocument, line: number) {
  const path = attachmentHost.pathOf(document.uri.toString());
  if (path === undefined) return undefined;
  try {
    return enclosingSymbol(await languages.documentSymbols(path, AbortSignal.timeout(symbolsMs)), line);
  } catch {
    // Without symbols, the whole file is attached.
    return undefined;
  }
}

function problemsOf({ document, lines }: Code, range?: vscode.Range): AttachmentSource | undefined {
  const text = problemsText(languages.diagnostics(toPath(document.uri)), range ? linesOf(range) : lines);
  return text === undefined
    ? undefined
    : { type: 'text', name: l10n.t('Problems in {0}', nameOf(document.uri.path)), text };
}

export function linesOf({ start, end }: vscode.Range): Lines {
  return { first: start.line + 1, last: end.line + 1 };
}
