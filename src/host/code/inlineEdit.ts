import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appIdOf } from '../../apps/appModelId.ts';
import { isCancelled, messageOf } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { Log } from '../../base/log.ts';
import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { ChatStore } from '../../chat/store/chatStore.ts';
import { TrackedRange, writeReplacement } from '../../chat/editorRequests/inlineEdit.ts';
import { fitInstructions, mostInstructionBytes } from '../../chat/instructions/sentInstructions.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import { thisWindow } from '../../chat/session/windowMark.ts';
import type { Memory } from '../../settings/memory.ts';
import { EditJournal, type TextSnapshots } from '../../tools/edits/editJournal.ts';
import { protectionMessage } from '../../tools/policy/protectionMessage.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import { symbolAround } from './codeQuestion.ts';
import type { ChatView } from '../panel/chatView.ts';
import { createPrompt } from '../window/createPrompt.ts';
import { confirmText } from '../approvals/confirmText.ts';
import { showInformation, showWarning } from '../ui/notifications.ts';
import { readChatOptions, type Settings } from '../settings.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import { toPath } from '../workspace/workspacePlaces.ts';

export interface InlineEditDependencies {
  chat: Pick<ChatController, 'shown' | 'sessions' | 'record'>;
  store: Pick<ChatStore, 'flush'>;
  models: Pick<RelayModels, 'ask'> & { catalog: Pick<RelayModels['catalog'], 'isUnlisted'> };
  memory: Pick<Memory, 'instructionsOff' | 'isActiveEditorOff'>;
  settings: Settings;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  tools(): Promise<Pick<WorkspaceTools, 'dependencies'>>;
  view: Pick<ChatView, 'openModelPicker'>;
  log: Log;
}

/** `none`: nothing to edit. `stale`: the text changed during the request. `unusable`: no replacement in the answer. */
export type InlineEditResult =
  | 'none'
  | 'edited'
  | 'unchanged'
  | 'cancelled'
  | 'stale'
  | 'unusable'
  | 'refused'
  | 'failed';

/**
 * Lets a model rewrite the selection, the function around the caret, or its line, as an edit of the open conversation.
 */
export async function inlineEdit(deps: InlineEditDependencies, given?: string): Promise<InlineEditResult> {
  const editor = vscode.window.activeTextEditor;
  const { model } = deps.chat.shown.choices;
  if (!editor) return 'none';
  if (model === undefined || appIdOf(model) !== undefined || deps.models.catalog.isUnlisted(model)) {
    await deps.view.openModelPicker();
    return 'none';
  }
  const { policy } = (await deps.tools()).dependencies;
  const file = await policy.check(toPath(editor.document.uri), 'edit');
  if (!file.isAllowed) return warn('refused', file.forUser);
  return withPart(editor, async (part) => {
    const { range, document } = part;
    if (part.text !== redactSecrets(document.getText(), range.start, range.end)) {
      const text = l10n.t("The selection seems to contain a secret, so it wasn't sent.");
      return warn('refused', text);
    }
    const instruction = given ?? (await askInstruction(file, part));
    if (!instruction?.trim()) return 'none';
    return edit(deps, { file, part, model, instruction: instruction.trim() });
  });
}

interface Part {
  document: vscode.TextDocument;
  range: TrackedRange;
  text: string;
  lines: { first: number; last: number };
}

interface Edit {
  file: GrantedFile;
  part: Part;
  model: string;
  instruction: string;
}

async function withPart(
  editor: vscode.TextEditor,
  use: (part: Part) => Promise<InlineEditResult>,
): Promise<InlineEditResult> {
  const { document } = editor;
  const place = await findPart(editor);
  const range = new TrackedRange(document.offsetAt(place.start), document.offsetAt(place.end));
  const mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  editor.setDecorations(mark, [place]);
  const uri = document.uri.toString();
  const following = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document.uri.toString() === uri) range.follow(event.contentChanges);
  });
  try {
    const lines = { first: place.start.line + 1, last: place.end.line + 1 };
    return await use({ document, range, text: document.getText(place), lines });
  } finally {
    following.dispose();
    mark.dispose();
  }
}

async function findPart({ document, selection }: vscode.TextEditor): Promise<vscode.Range> {
  const { start, end, active } = selection;
  if (!selection.isEmpty) {
    // A selection that ends at the start of a line excludes that line.
    const last = end.character === 0 ? document.lineAt(end.line - 1).range.end : end;
    return new vscode.Range(start, last);
  }
  const symbol = await symbolAround(document, active.line + 1);
  if (!symbol) return document.lineAt(active.line).range;
  const { range } = symbol;
  return document.validateRange(
    new vscode.Range(range.start.line - 1, 0, range.end.line - 1, Number.MAX_SAFE_INTEGER),
  );
}

interface LastRequest {
  instruction: string;
  lines: Part['lines'];
}

const lastRequests = new WeakMap<vscode.TextDocument, LastRequest>();

/** The request that was last made for these lines, to be changed and made again. */
function lastRequestFor({ document, lines: { first, last } }: Part): string {
  const { instruction, lines } = lastRequests.get(document) ?? {};
  return instruction !== undefined && lines && first <= lines.last && lines.first <= last ? instruction : '';
}

async function askInstruction({ shown }: GrantedFile, part: Part): Promise<string | undefined> {
  const { first, last } = part.lines;
  return vscode.window.showInputBox({
    value: lastRequestFor(part),
    title:
      first === last
        ? l10n.t('Edit {0}, Line {1}', shown, formatNumber(first))
        : l10n.t('Edit {0}, Lines {1} to {2}', shown, formatNumber(first), formatNumber(last)),
    placeHolder: l10n.t('What do you want to change?'),
  });
}

async function edit(deps: InlineEditDependencies, wanted: Edit): Promise<InlineEditResult> {
  const { file, part } = wanted;
  try {
    const title = l10n.t('Editing {0}', file.shown);
    const replacement = await withProgress(title, (signal, report) =>
      ask(deps, wanted, signal, (count) =>
        report({ message: plural(count, l10n.t('1 line'), l10n.t('{0} lines', formatNumber(count))) }),
      ),
    );
    if ('problem' in replacement) return warnWith(replacement.answer, 'unusable', replacement.problem);
    const { text } = replacement;
    if (text === unified(part.text)) {
      void showInformation(l10n.t('The model made no changes.'));
      return 'unchanged';
    }
    return await replace(deps, wanted, text);
  } catch (error) {
    if (isCancelled(error)) return 'cancelled';
    tellError(error, deps.log);
    return 'failed';
  }
}

async function ask(
  { models, memory, settings, tools }: InlineEditDependencies,
  { file, part, model, instruction }: Edit,
  signal: AbortSignal,
  onLines: (count: number) => void,
) {
  const { instructions } = createPrompt(await tools(), memory, settings);
  const found = [...(await instructions.ofWorkspace()), ...(await instructions.of([file.shown]))];
  const off = new Set(instructions.off());
  const files = fitInstructions(
    found.filter(({ path }) => !off.has(path)),
    mostInstructionBytes,
  );
  const { stream, instructions: userInstructions } = readChatOptions(settings);
  const { start, end } = part.range;
  const text = part.document.getText();
  return writeReplacement(
    models.ask,
    { path: file.shown, text, start, end, instruction, userInstructions, files },
    { model, stream },
    signal,
    onLines,
  );
}

async function replace(
  { chat, store, snapshots, tools }: InlineEditDependencies,
  { file, part, instruction }: Edit,
  text: string,
): Promise<InlineEditResult> {
  const { policy, workspace } = (await tools()).dependencies;
  const { id } = chat.shown.conversation;
  const path = file.realPath;
  let isBegun = false;
  const giveUp = (why: string) => {
    if (isBegun) chat.record(id, { type: 'editNotMade', realPath: path });
    return warnWith(text, 'stale', why);
  };
  const stale = () =>
    giveUp(l10n.t("{0} changed while the model was answering, so it wasn't edited.", file.shown));
  // Settings may have protected or blocked the file during the request or the question.
  let judged = await policy.recheck(file);
  if (judged.isAllowed && judged.protection) {
    const question = protectionMessage(judged.protection);
    if (!(await confirmText(question, l10n.t('Edit'), text))) return 'cancelled';
    judged = await policy.recheck(file);
  }
  if (!judged.isAllowed) return warnWith(text, 'refused', judged.forUser);
  const journal = new EditJournal(await snapshots(id), {
    async begun(applied) {
      const inline = { instruction, window: thisWindow };
      chat.record(id, { type: 'editBegun', edit: { ...applied, isInline: true }, inline });
      isBegun = true;
      await store.flush();
    },
    made(applied) {
      chat.record(id, { type: 'noticed', id: randomUUID(), kind: 'inline-edit', detail: instruction });
      chat.record(id, { type: 'editMade', edit: { ...applied, isInline: true } });
      // A running turn reports all changes at its end.
      const isRunning = chat.sessions.some((each) => each.conversation.id === id && each.isRunning);
      if (!isRunning) chat.record(id, { type: 'editsMade', id: randomUUID() });
    },
  });
  const document = await vscode.workspace.openTextDocument(part.document.uri);
  if (document.getText() !== part.document.getText()) return stale();
  // The editor converts line ends on insertion.
  const inserted = unified(text).replaceAll('\n', document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
  for (;;) {
    if (part.range.isChanged) return stale();
    const before = document.getText();
    const after = before.slice(0, part.range.start) + inserted + before.slice(part.range.end);
    await journal.prepare({ before });
    await journal.begin({ path: file.shown, realPath: path, before, after });
    // The user may be typing elsewhere in the document.
    if (document.getText() !== before) continue;
    let made: string | undefined;
    try {
      made = await workspace.edits.apply({ path, before, after });
    } catch (error) {
      return giveUp(l10n.t("Couldn't edit {0}: {1}", file.shown, messageOf(error)));
    }
    await journal.record({ path: file.shown, realPath: path, before, after: made ?? after });
    const { first } = part.lines;
    const last = first + inserted.split('\n').length - 1;
    lastRequests.set(part.document, { instruction, lines: { first, last } });
    return 'edited';
  }
}

function unified(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function warn(result: InlineEditResult, text: string): InlineEditResult {
  void showWarning(text);
  return result;
}

/** Warns, and offers the unused answer for copying. */
function warnWith(answer: string, result: InlineEditResult, text: string): InlineEditResult {
  const copy = l10n.t('Copy Answer');
  void showWarning(text, copy).then((pressed) => {
    if (pressed === copy) void vscode.env.clipboard.writeText(answer);
  });
  return result;
}
