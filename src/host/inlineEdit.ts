import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appIdOf } from '../apps/appModelId.ts';
import { isCancelled } from '../base/errors.ts';
import { formatNumber, plural } from '../base/format.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/messageOf.ts';
import { redactSecrets } from '../base/secrets/redact.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { ChatStore } from '../chat/chatStore.ts';
import { TrackedRange, writeReplacement } from '../chat/inlineEdit.ts';
import { fitInstructions, mostInstructionBytes } from '../chat/instructions/sentInstructions.ts';
import type { RelayModels } from '../chat/relayModels.ts';
import { thisWindow } from '../chat/windowMark.ts';
import type { Memory } from '../settings/memory.ts';
import { EditJournal, type TextSnapshots } from '../tools/editJournal.ts';
import { protectionMessage } from '../tools/policy/protectionMessage.ts';
import type { GrantedFile } from '../tools/policy/verdict.ts';
import { symbolAround } from './askAboutCode.ts';
import type { ChatView } from './chatView.ts';
import { createPrompt } from './createPrompt.ts';
import { confirmModal, showInformation, showWarning } from './notifications.ts';
import { readChatOptions, type Settings } from './settings.ts';
import { tellError } from './tellError.ts';
import { withProgress } from './withProgress.ts';
import type { WorkspaceTools } from './workspaceTools.ts';
import { toPath } from './workspaceUris.ts';

export interface InlineEditDependencies {
  chat: Pick<ChatController, 'model' | 'conversation' | 'sessions' | 'record'>;
  store: Pick<ChatStore, 'flush'>;
  models: Pick<RelayModels, 'streamModel'> & { catalog: Pick<RelayModels['catalog'], 'isUnlisted'> };
  memory: Pick<Memory, 'instructionsOff' | 'isActiveEditorOff'>;
  settings: Settings;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  tools(): Promise<Pick<WorkspaceTools, 'dependencies'>>;
  view: Pick<ChatView, 'openModelPicker'>;
  log: Log;
}

/**
 * `none`: there is nothing to edit, or nobody said how. `stale`: the text was changed while the model answered, and stays
 * as it is. `unusable`: the answer is no text for the part.
 */
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
 * Has a model rewrite what is selected, else the function around the caret, else its line. What comes of it is reviewed
 * like any edit of the conversation that is shown.
 * @param given what is to be done; the user is asked, if absent
 */
export async function inlineEdit(deps: InlineEditDependencies, given?: string): Promise<InlineEditResult> {
  const editor = vscode.window.activeTextEditor;
  const { model } = deps.chat;
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
      const text = l10n.t('What is to be edited looks like it holds a secret, so it was not sent.');
      return warn('refused', text);
    }
    const instruction = given ?? (await askInstruction(file, part));
    if (!instruction?.trim()) return 'none';
    return edit(deps, { file, part, model, instruction: instruction.trim() });
  });
}

/** What is edited, wherever it is by now. */
interface Part {
  document: vscode.TextDocument;
  range: TrackedRange;
  /** As it was. */
  text: string;
  lines: { first: number; last: number };
}

interface Edit {
  file: GrantedFile;
  part: Part;
  model: string;
  instruction: string;
}

/** Marks the part in the editor, and follows it, as long as something is done with it. */
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
    // The line in which the selection ends before its first character is not meant.
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

async function askInstruction({ shown }: GrantedFile, { lines }: Part): Promise<string | undefined> {
  const { first, last } = lines;
  return vscode.window.showInputBox({
    title:
      first === last
        ? l10n.t('Edit {0}, Line {1}', shown, formatNumber(first))
        : l10n.t('Edit {0}, Lines {1} to {2}', shown, formatNumber(first), formatNumber(last)),
    placeHolder: l10n.t('What should be changed?'),
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
      void showInformation(l10n.t('The model changed nothing.'));
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
    models.streamModel,
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
  const { id } = chat.conversation;
  const path = file.realPath;
  let isBegun = false;
  const giveUp = (why: string) => {
    if (isBegun) chat.record(id, { type: 'editNotMade', realPath: path });
    return warnWith(text, 'stale', why);
  };
  const stale = () =>
    giveUp(l10n.t('{0} was changed while the model answered, so it was not edited.', file.shown));
  const { protection } = file;
  if (protection && !(await confirmModal(protectionMessage(protection), l10n.t('Edit'), text)))
    return 'cancelled';
  const again = await policy.recheck(file);
  if (!again.isAllowed) return warnWith(text, 'refused', again.forUser);
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
      // A turn that runs tells of all changes when it ends.
      const isRunning = chat.sessions.some((each) => each.conversation.id === id && each.isRunning);
      if (!isRunning) chat.record(id, { type: 'editsMade', id: randomUUID() });
    },
  });
  // The editor may have closed it meanwhile.
  const document = await vscode.workspace.openTextDocument(part.document.uri);
  if (document.getText() !== part.document.getText()) return stale();
  // As the editor makes it.
  const inserted = unified(text).replaceAll('\n', document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
  for (;;) {
    if (part.range.isChanged) return stale();
    const before = document.getText();
    const after = before.slice(0, part.range.start) + inserted + before.slice(part.range.end);
    await journal.prepare({ before });
    await journal.begin({ path: file.shown, realPath: path, before, after });
    // The user may be typing elsewhere in it.
    if (document.getText() !== before) continue;
    let made: string | undefined;
    try {
      made = await workspace.edits.apply({ path, before, after });
    } catch (error) {
      return giveUp(l10n.t("{0} couldn't be edited: {1}", file.shown, messageOf(error)));
    }
    await journal.record({ path: file.shown, realPath: path, before, after: made ?? after });
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

/** What the model wrote is the user's, also where it did not come into the file. */
function warnWith(answer: string, result: InlineEditResult, text: string): InlineEditResult {
  const copy = l10n.t('Copy Answer');
  void showWarning(text, copy).then((pressed) => {
    if (pressed === copy) void vscode.env.clipboard.writeText(answer);
  });
  return result;
}
