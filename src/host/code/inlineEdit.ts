import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isCancelled } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import { symbolAround } from './codeQuestion.ts';
import { DocumentPart, isCell } from './documentPart.ts';
import { InlineEditRecord, type RecordDependencies } from '../../chat/edits/inlineEditRecord.ts';
import { RewritingAnswer, type RewritingDependencies } from './rewritingAnswer.ts';
import { requestAt, RequestAtCode } from './requestAtCode.ts';
import { usableModel, type UsableModelDependencies } from '../connect/chooseModel.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';
import { toPath, wholeLines } from '../workspace/workspacePlaces.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface InlineEditDependencies extends RecordDependencies, RewritingDependencies {
  models: UsableModelDependencies['models'] & Pick<RelayModels, 'ask'>;
  view: UsableModelDependencies['view'];
  notifications: Notifications;
}

/** `none`: nothing to edit. `stale`: text changed. `unusable`: no replacement. `reopened`: the one here has focus. */
export type InlineEditResult =
  | 'none'
  | 'reopened'
  | 'edited'
  | 'unchanged'
  | 'cancelled'
  | 'stale'
  | 'unusable'
  | 'refused'
  | 'failed';

/** Lets a model rewrite the selection, the function around the caret, or its line, as an edit of the conversation. */
export async function inlineEdit(deps: InlineEditDependencies, given?: string): Promise<InlineEditResult> {
  const editor = editorOfCode();
  if (!editor) return 'none';
  const open = given === undefined ? requestAt(editor) : undefined;
  if (open) {
    await open.focus();
    return 'reopened';
  }
  const { policy } = (await deps.tools()).dependencies;
  const file = await policy.check(toPath(fileOf(editor.document)), 'edit');
  if (!file.isAllowed) {
    void deps.notifications.warning(file.forUser);
    return 'refused';
  }
  const model = await usableModel(deps, l10n.t('Edit Inline'));
  if (model === undefined) return 'none';
  const part = new DocumentPart(editor.document, await findPart(editor));
  return new InlineEdit(deps, { file, model }, part).run(given);
}

/** The active editor, or the one around the box in which a request or a comment is being written. */
function editorOfCode(): vscode.TextEditor | undefined {
  const { activeTextEditor, tabGroups, visibleTextEditors } = vscode.window;
  if (activeTextEditor?.document.uri.scheme !== 'comment') return activeTextEditor;
  return visibleTextEditors.find(({ viewColumn }) => viewColumn === tabGroups.activeTabGroup.viewColumn);
}

/** A notebook for its cell. */
function fileOf(document: vscode.TextDocument): vscode.Uri {
  if (!isCell(document)) return document.uri;
  const hasCell = (notebook: vscode.NotebookDocument) =>
    notebook.getCells().some((cell) => cell.document === document);
  return vscode.workspace.notebookDocuments.find(hasCell)?.uri ?? document.uri;
}

async function findPart({ document, selection }: vscode.TextEditor): Promise<vscode.Range> {
  const lines = document.validateRange(wholeLines(selection));
  if (!selection.isEmpty) {
    const { start, end } = selection;
    return new vscode.Range(start, lines.end.isBefore(end) ? lines.end : end);
  }
  const symbol = await symbolAround(document, lines.start.line + 1);
  if (!symbol) return lines;
  const { range } = symbol;
  return document.validateRange(
    new vscode.Range(range.start.line - 1, 0, range.end.line - 1, Number.MAX_SAFE_INTEGER),
  );
}

interface LastRequest {
  instruction: string;
  lines: DocumentPart['lines'];
}

const lastRequests = new WeakMap<vscode.TextDocument, LastRequest>();

function lastRequestFor({ document, lines: { first, last } }: DocumentPart): string {
  const { instruction, lines } = lastRequests.get(document) ?? {};
  return instruction !== undefined && lines && first <= lines.last && lines.first <= last ? instruction : '';
}

class InlineEdit {
  /** Undefined where the editor has none: it is asked at the top of the window, and a notification shows progress. */
  private request: RequestAtCode | undefined;
  private earlier: string | undefined;

  constructor(
    private readonly deps: InlineEditDependencies,
    private readonly target: { file: GrantedFile; model: string },
    private part: DocumentPart,
  ) {}

  /** Resolves with the first result; the user may go on from there. */
  async run(given?: string): Promise<InlineEditResult> {
    let isOpen = false;
    try {
      if (this.hasSecret()) return 'refused';
      if (RequestAtCode.canShow(this.part)) this.request = new RequestAtCode(this.part);
      const instruction = given ?? (await this.ask());
      if (!instruction?.trim()) return 'none';
      const result = await this.edit(instruction.trim());
      isOpen = given === undefined || result === 'edited';
      if (isOpen) void this.goOn(result).catch((error: unknown) => tellError(this.deps.notifications, error));
      return result;
    } finally {
      if (!isOpen) this.end();
    }
  }

  private async goOn(first: InlineEditResult): Promise<void> {
    let result = first;
    try {
      for (;;) {
        const instruction = (await this.askAgain(result))?.trim();
        if (!instruction) return;
        const { document, range } = this.part;
        this.part.dispose();
        this.part = new DocumentPart(document, range);
        if (this.request) this.request.part = this.part;
        result = this.hasSecret() ? 'refused' : await this.edit(instruction);
      }
    } finally {
      this.end();
    }
  }

  private hasSecret(): boolean {
    const { start, end } = this.part.place;
    const text = this.part.document.getText();
    if (text.slice(start, end) === redactSecrets(text, start, end)) return false;
    void this.deps.notifications.warning(
      l10n.t("The selection seems to contain a secret, so it wasn't sent."),
    );
    return true;
  }

  private async edit(instruction: string): Promise<InlineEditResult> {
    const { part, deps, target, earlier } = this;
    const { policy } = (await deps.tools()).dependencies;
    const file = await policy.recheck(target.file);
    if (!file.isAllowed) {
      void this.deps.notifications.warning(file.forUser);
      return 'refused';
    }
    const record = new InlineEditRecord(deps, file, instruction, !isCell(part.document));
    const asked = { file, model: target.model, instruction, earlier };
    const answer = new RewritingAnswer(deps, asked, part, record);
    try {
      const result = await this.whileShown(instruction, (signal, report) => answer.write(signal, report));
      if (result === 'unchanged')
        void this.deps.notifications.information(l10n.t('The model made no changes.'));
      if (result !== 'edited') return result;
      this.earlier = instruction;
      lastRequests.set(part.document, { instruction, lines: part.lines });
      return result;
    } catch (error) {
      if (isCancelled(error)) return 'cancelled';
      tellError(this.deps.notifications, error);
      return 'failed';
    }
  }

  private get title(): string {
    const { first, last } = this.part.lines;
    const { shown } = this.target.file;
    return first === last
      ? l10n.t('Edit {0}, Line {1}', shown, formatNumber(first))
      : l10n.t('Edit {0}, Lines {1} to {2}', shown, formatNumber(first), formatNumber(last));
  }

  private async ask(): Promise<string | undefined> {
    const { request, title } = this;
    const value = this.earlier ?? lastRequestFor(this.part);
    if (await request?.open(title, value)) return request?.next();
    request?.dispose();
    this.request = undefined;
    const placeHolder = l10n.t('What do you want to change?');
    return vscode.window.showInputBox({ value, title, placeHolder });
  }

  private async askAgain(result: InlineEditResult): Promise<string | undefined> {
    const { request, part, target, earlier } = this;
    part.hideMark();
    if (request) {
      request.answered(earlier === undefined ? 'asking' : 'edited');
      return request.next();
    }
    if (result !== 'edited' || !isCell(part.document)) return undefined;
    const change = l10n.t('Change Request');
    const text = l10n.t('Edited a cell of {0}. Undo in the cell takes it back.', target.file.shown);
    return (await this.deps.notifications.information(text, change)) === change ? this.ask() : undefined;
  }

  private whileShown<T>(
    instruction: string,
    task: (signal: AbortSignal, report: (lines: number) => void) => Promise<T>,
  ): Promise<T> {
    const { request, target, title } = this;
    const inWords = (count: number) =>
      plural(count, l10n.t('1 line'), l10n.t('{0} lines', formatNumber(count)));
    if (!request) {
      const progress = l10n.t('Editing {0}', target.file.shown);
      return withProgress(this.deps.notifications, progress, (signal, report) =>
        task(signal, (count) => report({ message: inWords(count) })),
      );
    }
    const stopping = new AbortController();
    void request
      .answering(title, instruction, () => stopping.abort())
      .catch((error: unknown) => tellError(this.deps.notifications, error));
    return task(stopping.signal, (count) => request.report(inWords(count)));
  }

  private end(): void {
    this.part.dispose();
    this.request?.dispose();
  }
}
