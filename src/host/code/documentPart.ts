import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { saveDocument } from '../workspace/saveDocument.ts';
import type { TextChange } from '../../base/text/textChange.ts';
import { RewrittenPart } from '../../chat/editorRequests/trackedRange.ts';

/** The editor didn't make an edit. */
export class EditRefused extends Error {}

/** A part of a document that is rewritten step by step where it is, while the user goes on typing. */
export class DocumentPart implements vscode.Disposable {
  document: vscode.TextDocument;
  readonly original: string;
  private readonly part: RewrittenPart;
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  private readonly following: vscode.Disposable;
  private readonly changes = new vscode.EventEmitter<void>();
  /** Fires when somebody else changes the part. */
  readonly onDidChange = this.changes.event;
  private readonly wasDirty: boolean;
  private isTypedElsewhere = false;
  private isDiscarded = false;
  /** True if the next step is to be undone together with the one before. */
  private isContinued = false;
  /** True if the steps so far are undone one by one: the editor ends an undo step when it saves. */
  private isSplit = false;

  constructor(document: vscode.TextDocument, range: vscode.Range) {
    this.document = document;
    this.wasDirty = document.isDirty;
    this.original = document.getText(range);
    this.part = new RewrittenPart(document.offsetAt(range.start), this.original);
    this.following = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === this.document && event.contentChanges.length > 0)
          this.follow(event.contentChanges);
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document === this.document) this.isSplit = this.isContinued;
      }),
    );
    this.show();
  }

  get range(): vscode.Range {
    const { start, end } = this.part.place;
    return new vscode.Range(this.document.positionAt(start), this.document.positionAt(end));
  }

  get place(): { start: number; end: number } {
    return this.part.place;
  }

  get lines(): { first: number; last: number } {
    const { start, end } = this.range;
    return { first: start.line + 1, last: end.line + 1 };
  }

  /** True if somebody else changed the part, or the document was closed without its changes. */
  get isChanged(): boolean {
    return this.part.isChanged || this.isDiscarded;
  }

  get isRewritten(): boolean {
    return this.part.isRewritten;
  }

  get textBefore(): string {
    return this.part.withOriginal(this.document.getText());
  }

  /** True where steps can be undone together. */
  get isInEditor(): boolean {
    return this.editor !== undefined;
  }

  /** Puts the first lines of a new text in the place of as many old ones. False if the part was changed. */
  showLines(lines: string, count: number): Promise<boolean> {
    const text = this.withLineEnds(lines);
    return this.rewrite((document) => this.part.stepToLines(document, text, count, this.lineEnd));
  }

  /** Puts a text in the place of the part, to be undone at once. False if the part was changed. */
  async replace(text: string): Promise<boolean> {
    const whole = this.withLineEnds(text);
    if (this.isSplit && !this.isChanged) {
      await this.change((document) => this.part.restoration(document));
      this.isContinued = false;
    }
    return this.rewrite((document) => this.part.stepTo(document, whole, this.original.length));
  }

  async restore(): Promise<void> {
    this.isContinued &&= !this.isChanged;
    await this.change((document) => this.part.restoration(document));
    if (this.isRewritten && !this.isDiscarded) await this.save();
  }

  /** Saves a file unless it had or got changes of the user. False if the editor can't. */
  async save(): Promise<boolean> {
    const { document, wasDirty, isTypedElsewhere, isChanged } = this;
    if (wasDirty || isTypedElsewhere || isChanged || isCell(document)) return true;
    return saveDocument(document);
  }

  hideMark(): void {
    this.mark.dispose();
  }

  dispose(): void {
    this.following.dispose();
    this.mark.dispose();
    this.changes.dispose();
  }

  private async rewrite(step: (document: string) => TextChange | undefined): Promise<boolean> {
    await this.change((document) => (this.isChanged ? undefined : step(document)));
    return !this.isChanged;
  }

  private get lineEnd(): string {
    return this.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  }

  private withLineEnds(text: string): string {
    return text.replaceAll('\r\n', '\n').replaceAll('\n', this.lineEnd);
  }

  /** Tries again where the user typed meanwhile. */
  private async change(next: (document: string) => TextChange | undefined): Promise<void> {
    for (;;) {
      if (this.document.isClosed) await this.reopen();
      if (this.isDiscarded) return;
      const { version } = this.document;
      const change = next(this.document.getText());
      if (!change) return;
      if (await this.make(change)) return this.show();
      this.part.giveUp();
      if (this.document.version === version) throw new EditRefused(l10n.t('The editor refused the change.'));
    }
  }

  private async make({ rangeOffset, rangeLength, text }: TextChange): Promise<boolean> {
    const { document, isContinued } = this;
    const range = new vscode.Range(
      document.positionAt(rangeOffset),
      document.positionAt(rangeOffset + rangeLength),
    );
    const { editor } = this;
    if (editor) {
      this.isContinued = true;
      const stops = { undoStopBefore: !isContinued, undoStopAfter: false };
      return editor.edit((builder) => builder.replace(range, text), stops);
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, range, text);
    return vscode.workspace.applyEdit(edit);
  }

  private get editor(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find(({ document }) => document === this.document);
  }

  /** A document that was closed is another one when it is opened again. */
  private async reopen(): Promise<void> {
    const closed = this.document;
    this.document = await vscode.workspace.openTextDocument(closed.uri);
    this.isDiscarded = this.document.getText() !== closed.getText();
  }

  private follow(changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const { isChanged } = this;
    const isOwn = this.part.follow(changes);
    if (isOwn) return;
    this.isContinued = false;
    this.isTypedElsewhere = true;
    if (this.isChanged && !isChanged) this.changes.fire();
  }

  private show(): void {
    this.editor?.setDecorations(this.mark, [this.range]);
  }
}

/** Cells are saved by the user with their notebook, and undone by the editor alone. */
export function isCell({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'vscode-notebook-cell';
}
