import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import {
  type CodeRequest,
  enclosingSymbol,
  type Lines,
  problemsText,
  requestText,
} from '../chat/codeRequests.ts';
import { nameOf } from '../chat/mentions/mention.ts';
import { chooseSources, wholeLines, wholeText } from './addToChat.ts';
import { attachmentHost } from './attachmentHost.ts';
import type { ChatView } from './chatView.ts';
import { languages } from './workspaceLanguages.ts';
import { toPath } from './workspaceUris.ts';

/** A language extension that does not answer by then is not waited for: the whole file goes along. */
const symbolsMs = 3_000;

/** The code that a command is about. */
interface Code {
  document: vscode.TextDocument;
  sources: readonly AttachmentSource[];
  lines: Lines;
}

/** What became of a request: there was nothing to ask about, it is in the message box, or it is sent. */
export type AskResult = 'none' | 'drafted' | 'sent';

/** Attaches the code that is selected, or that is around the caret. Returns how many things were attached. */
export async function attachCode(view: ChatView): Promise<number> {
  const code = await findCode();
  if (!code) return 0;
  await view.addAttachments(code.sources);
  await view.show();
  return code.sources.length;
}

/**
 * Asks about the code that is selected, or that is around the caret.
 * @param place of a problem, from its quick fix, which may be outside the selection
 */
export async function askAboutCode(
  view: ChatView,
  request: CodeRequest,
  place?: { uri: vscode.Uri; range: vscode.Range },
): Promise<AskResult> {
  if (request === 'reviewChanges') return send(view, requestText(request), [{ type: 'changes' }]);
  const code = await findCode(place);
  if (!code) return 'none';
  const problems = request === 'fixSelection' ? problemsOf(code, place?.range) : undefined;
  const sources = [...code.sources, ...(problems ? [problems] : [])];
  return send(view, requestText(request, problems !== undefined), sources);
}

async function send(view: ChatView, text: string, sources: readonly AttachmentSource[]): Promise<AskResult> {
  await view.show();
  return (await view.ask(text, sources)) ? 'sent' : 'drafted';
}

async function findCode(place?: { uri: vscode.Uri; range: vscode.Range }): Promise<Code | undefined> {
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
    // As *Add to Chat* takes all of a text without a selection, whatever is selected elsewhere in it.
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

/** @param line counted from 1 */
export async function symbolAround(document: vscode.TextDocument, line: number) {
  const path = attachmentHost.pathOf(document.uri.toString());
  if (path === undefined) return undefined;
  try {
    return enclosingSymbol(await languages.documentSymbols(path, AbortSignal.timeout(symbolsMs)), line);
  } catch {
    // Without symbols the whole file says as much.
    return undefined;
  }
}

function problemsOf({ document, lines }: Code, range?: vscode.Range): AttachmentSource | undefined {
  const text = problemsText(languages.diagnostics(toPath(document.uri)), range ? linesOf(range) : lines);
  return text === undefined
    ? undefined
    : { type: 'text', name: l10n.t('Problems in {0}', nameOf(document.uri.path)), text };
}

function linesOf({ start, end }: vscode.Range): Lines {
  return { first: start.line + 1, last: end.line + 1 };
}
