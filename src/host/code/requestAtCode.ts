import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inline } from '../../base/text/oneLine.ts';
import type { InlineEditCommand } from '../ids.ts';
import { wholeLines } from '../workspace/workspacePlaces.ts';
import { nextOf } from '../workspace/saveDocument.ts';
import { type DocumentPart, isCell } from './documentPart.ts';

/** The menus and keys of package.json name it. */
const controllerId = 'switchboard.inlineEdit';
/** Time for the editor to show the text box, in ms; then it can't. */
const boxMs = 5_000;
/** After this time, in ms, a text box has the text that the editor gives it. */
const settledMs = 500;

/** Its value is the context that the menus of package.json ask for. */
type State = 'asking' | 'answering' | 'edited';

/** For the life of the window: the editor goes on listing a controller that was there. */
let controller: vscode.CommentController | undefined;
const ofComment = new WeakMap<vscode.Comment, RequestAtCode>();
const shown = new Set<RequestAtCode>();

/** @param target the request's comment, with the typed text as its body; a key gives none and means the newest */
export function pressInlineEdit(command: InlineEditCommand, target?: unknown): void {
  const comment = isComment(target) ? target : undefined;
  const request = (comment && ofComment.get(comment)) ?? [...shown].at(-1);
  request?.press(command, typeof comment?.body === 'string' ? comment.body : '');
}

export function requestAt({
  document,
  selection,
}: Pick<vscode.TextEditor, 'document' | 'selection'>): RequestAtCode | undefined {
  const lines = wholeLines(selection);
  return [...shown].find(({ part }) => {
    if (part.document !== document) return false;
    const { start, end } = part.range;
    return selection.isEmpty
      ? start.line <= selection.active.line && selection.active.line <= end.line
      : start.line === lines.start.line && end.line === lines.end.line;
  });
}

/**
 * A request at the code that it is about. The stable API has no other input there than a comment that is being written.
 * The comment itself stays empty, as the editor would open its *Comments* view for a text.
 */
export class RequestAtCode implements vscode.Disposable {
  private readonly thread: vscode.CommentThread;
  private readonly following: vscode.Disposable[];
  private comment: vscode.Comment | undefined;
  private box: vscode.TextDocument | undefined;
  private isTyped = false;
  private request = '';
  private state: State = 'asking';
  private pressed = Promise.withResolvers<string | undefined>();
  private boxed = Promise.withResolvers<boolean>();
  private stop: () => void = () => undefined;

  static canShow({ document }: DocumentPart): boolean {
    const isShown = vscode.workspace.getConfiguration('comments').get<boolean>('visible', true);
    return isShown && !isCell(document);
  }

  constructor(public part: DocumentPart) {
    // Only one waits for the user.
    for (const other of shown) other.close();
    shown.add(this);
    controller ??= vscode.comments.createCommentController(controllerId, 'Switchboard');
    const { start, end } = part.range;
    // Above the part, where its lines don't move it.
    const line = start.line > 0 ? start.line - 1 : end.line;
    const { uri } = part.document;
    this.thread = controller.createCommentThread(uri, new vscode.Range(line, 0, line, 0), []);
    this.thread.canReply = false;
    this.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.following = [
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.part.document) this.close();
      }),
      vscode.workspace.onDidOpenTextDocument((document) => void this.useBox(document)),
    ];
  }

  /** Asks in a text box with the focus. False if the editor shows none. */
  async open(title: string, request: string): Promise<boolean> {
    this.thread.label = title;
    this.request = request;
    return this.showBox('asking');
  }

  /** Resolves with the request that is sent, and with nothing when it is closed. */
  async next(): Promise<string | undefined> {
    const text = await this.pressed.promise;
    this.pressed = Promise.withResolvers();
    return text;
  }

  /** Shows that the model answers, with *Stop*; in the text box if the request came from there. */
  async answering(title: string, request: string, stop: () => void): Promise<void> {
    this.stop = stop;
    this.thread.label = title;
    this.request = request;
    // The editor closes the box when its text is sent.
    if (this.isTyped) await this.showBox('answering');
    else this.show('answering', vscode.CommentMode.Preview);
  }

  report(lines: string): void {
    this.update({ label: l10n.t('Editing… {0}', lines) });
  }

  answered(state: 'asking' | 'edited'): void {
    this.state = state;
    this.update({ contextValue: this.context, label: this.label });
  }

  async focus(): Promise<void> {
    if (this.box && !this.box.isClosed) this.request = this.box.getText();
    await this.showBox(this.state);
  }

  press(command: InlineEditCommand, text: string): void {
    if (this.state === 'answering') return this.stop();
    const isText = this.comment?.mode === vscode.CommentMode.Editing;
    if (command === 'sendInlineRequest' || (command === 'changeInlineRequest' && isText)) {
      this.pressed.resolve(text);
    } else if (command === 'changeInlineRequest') {
      void this.focus();
    } else {
      this.close();
      // The box had the focus.
      void vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    }
  }

  dispose(): void {
    shown.delete(this);
    this.thread.dispose();
    vscode.Disposable.from(...this.following).dispose();
  }

  private close(): void {
    if (this.state !== 'answering') this.pressed.resolve(undefined);
  }

  private async showBox(state: State): Promise<boolean> {
    this.boxed = Promise.withResolvers();
    this.isTyped = true;
    this.show(state, vscode.CommentMode.Editing);
    const late = setTimeout(() => this.boxed.resolve(false), boxMs);
    const isShown = await Promise.race([this.boxed.promise, this.pressed.promise.then(() => true)]);
    clearTimeout(late);
    return isShown;
  }

  /** The editor draws the box again, empty, whenever it looks for comments again or the file is shown again. */
  private async useBox(document: vscode.TextDocument): Promise<void> {
    const { scheme, authority } = document.uri;
    // Boxes for replies have an authority.
    const isBox = scheme === 'comment' && authority === '' && [...shown].at(-1) === this;
    if (!isBox || this.comment?.mode !== vscode.CommentMode.Editing) return;
    this.box = document;
    if (this.request !== '') await fill(document, this.request);
    this.boxed.resolve(true);
  }

  private show(state: State, mode: vscode.CommentMode): void {
    this.state = state;
    const isText = mode === vscode.CommentMode.Editing;
    const name = isText ? l10n.t('What do you want to change?') : inline(this.request);
    this.comment = { author: { name }, body: '', mode };
    ofComment.set(this.comment, this);
    this.update({ contextValue: this.context, label: this.label });
  }

  private get context(): string {
    return this.state === 'edited' && this.comment?.mode === vscode.CommentMode.Preview ? 'done' : this.state;
  }

  private get label(): string {
    const labels = { asking: '', answering: l10n.t('Editing…'), edited: l10n.t('Edited') };
    return labels[this.state];
  }

  private update(changes: Partial<vscode.Comment>): void {
    if (!this.comment) return;
    // The editor passes what is typed by the body.
    Object.assign(this.comment, changes, { body: '' });
    this.thread.comments = [this.comment];
  }
}

/** Writes into a text box that is still empty. */
async function fill(box: vscode.TextDocument, text: string): Promise<void> {
  // The editor sets the text of a new box once, after it has told of it.
  if (box.version === 1) {
    await nextOf(vscode.workspace.onDidChangeTextDocument, ({ document }) => document === box, settledMs);
  }
  while (!box.isClosed && box.getText() === '') {
    const { version } = box;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(box.uri, new vscode.Position(0, 0), text);
    // It is refused if the box changed meanwhile.
    if ((await vscode.workspace.applyEdit(edit)) || box.version === version) return;
  }
}

function isComment(value: unknown): value is vscode.Comment {
  return typeof value === 'object' && value !== null && 'body' in value && 'author' in value;
}
