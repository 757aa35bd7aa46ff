import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Notifications } from '../ui/notifications.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { formatNumber } from '../../base/text/format.ts';
import type { ChatController } from '../../chat/chatController.ts';
import { keyOf, type EditReviews, type Hunk, type HunkChoice } from '../../chat/edits/editReviews.ts';
import { pathsToReview } from '../../chat/conversation/rollback.ts';
import { openFileToReview, ReviewMarks } from './reviewMarks.ts';
import { RemovedLines } from './removedLines.ts';
import { RevertedFiles, type PendingFile } from './revertedFiles.ts';
import { contextKey, commandId, type ReviewCommand } from '../ids.ts';
import { toPath, toUri } from '../workspace/workspacePlaces.ts';
import type { FileMoves } from '../../tools/review/fileMoves.ts';

interface PlacedHunk extends Hunk {
  itemId: string;
  path: string;
  key: string;
}

export interface HunkActions {
  decide(itemId: string, decision: 'keep' | 'undo' | 'redo', choice?: HunkChoice): Promise<boolean>;
  show(itemId: string, path?: string): Promise<void>;
}

const changesHunks = new Set([
  'chatOpened',
  'earlierLoaded',
  'editMade',
  'editsMade',
  'hunksKept',
  'hunksUndone',
  'hunksRedone',
  'checkpointRestored',
  'versionChosen',
  'versionStarted',
  'branchDeleted',
  'itemsRemoved',
]);

const pauseMs = 150;

/** Marks unreviewed hunks in editors, with actions above them. Of overlapping hunks, the newest turn's is shown. */
export class ReviewEditors implements vscode.Disposable, vscode.CodeLensProvider {
  private readonly parts = new DisposableStore();
  private readonly changed = this.parts.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly added = this.parts.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
      // High contrast themes have no background, and others no border.
      ...{ borderStyle: 'solid', borderWidth: '0 0 0 3px' },
      borderColor: new vscode.ThemeColor('diffEditor.insertedTextBorder'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
    }),
  );
  private readonly removed = this.parts.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      borderStyle: 'dashed',
      borderWidth: '1px 0 0 0',
      borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
    }),
  );
  /** Documents with hunks. Cached, since searching conversations on every key is too slow. */
  private underReview: ReadonlySet<vscode.TextDocument> = new Set();
  private pause: ReturnType<typeof setTimeout> | undefined;
  private provider: vscode.Disposable | undefined;
  private readonly removedLines = this.parts.add(new RemovedLines());
  private readonly marks = this.parts.add(new ReviewMarks());
  private readonly reverted: RevertedFiles;
  private filesToReview: readonly string[] = [];
  private timesShown = 0;

  constructor(
    private readonly chat: ChatController,
    private readonly reviews: EditReviews,
    private readonly actions: HunkActions,
    private readonly moves: FileMoves,
    private readonly notifications: Notifications,
  ) {
    this.reverted = this.parts.add(
      new RevertedFiles(
        () => this.allPending(),
        reviews,
        () => this.refresh(),
      ),
    );
    this.parts.add(chat.onDidChange(({ type }) => changesHunks.has(type) && this.refresh()));
    // Background conversations only announce the end of a turn.
    this.parts.add(chat.onDidChangeSessions(() => this.refresh()));
    this.parts.add(vscode.window.onDidChangeVisibleTextEditors(() => this.refresh()));
    this.parts.add(vscode.window.onDidChangeActiveTextEditor(() => this.refresh()));
    this.parts.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!this.underReview.has(document)) return;
        this.refresh(pauseMs);
        this.reverted.fileChanged(toPath(document.uri));
      }),
    );
    this.refresh();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const hunks = await this.hunksIn(document);
    return hunks.flatMap((hunk, index) => {
      const line = Math.min(hunk.from, document.lineCount - 1);
      const lens = (title: string, command: ReviewCommand) =>
        new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
          title,
          command: commandId(command),
          arguments: [hunk],
        });
      const count = formatNumber(hunks.length);
      return [
        lens(`$(check) ${l10n.t('Keep')}`, 'keepChange'),
        hunk.isEdited
          ? lens(`$(diff) ${l10n.t('Changed since: Open Diff')}`, 'undoChange')
          : lens(`$(discard) ${l10n.t('Undo')}`, 'undoChange'),
        ...this.removedLines.lens(document, hunk),
        ...(index === 0 && hunks.length > 1
          ? [
              lens(l10n.t('Keep All ({0})', count), 'keepFile'),
              lens(l10n.t('Undo All ({0})', count), 'undoFile'),
            ]
          : []),
      ];
    });
  }

  async run(command: ReviewCommand, given: unknown): Promise<boolean> {
    const editor = vscode.window.activeTextEditor;
    const hunks = editor ? await this.hunksIn(editor.document) : [];
    const line = editor?.selection.active.line ?? 0;
    const named = isPlaced(given) ? given : nearest(hunks, line);
    switch (command) {
      case 'keepChange':
      case 'undoChange': {
        if (!named) return false;
        const decision = command === 'keepChange' ? 'keep' : 'undo';
        if (decision === 'undo' && named.isEdited) return this.refuse(named);
        const choice = { path: named.path, keys: [named.key] };
        const isDecided = await this.actions.decide(named.itemId, decision, choice);
        if (isDecided && decision === 'keep' && editor && !isPlaced(given)) await this.goOn(editor, named);
        return isDecided;
      }
      case 'keepFile':
      case 'undoFile': {
        const decision = command === 'keepFile' ? 'keep' : 'undo';
        let isDecided = false;
        // Newest turn first: its lines may overlap those of earlier turns.
        for (const { item, path } of editor ? this.pendingOf(editor.document) : []) {
          isDecided = (await this.actions.decide(item.id, decision, { path })) || isDecided;
        }
        return isDecided;
      }
      case 'nextChange':
        return reveal(editor, hunks.find(({ from }) => from > line) ?? hunks[0]);
      case 'previousChange':
        return reveal(editor, hunks.findLast(({ from }) => from < line) ?? hunks.at(-1));
      case 'showChanges':
        if (!named) return false;
        await this.actions.show(named.itemId);
        return true;
      case 'reviewFiles': {
        const opened = await openFileToReview([...new Set(this.pending().map(({ realPath }) => realPath))]);
        return reveal(opened, opened && (await this.hunksIn(opened.document))[0]);
      }
    }
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.provider?.dispose();
    this.parts.dispose();
    this.setFilesToReview([]);
  }

  /** Leads from a change that was kept by its key to the next: a diff shows kept changes as before. */
  private async goOn(editor: vscode.TextEditor, { from }: PlacedHunk): Promise<void> {
    const left = await this.hunksIn(editor.document);
    if (reveal(editor, left.find((hunk) => hunk.from >= from) ?? left[0])) return;
    vscode.window.setStatusBarMessage(l10n.t('All changes in this file are reviewed.'), 5000);
  }

  private async refuse({ itemId, path }: PlacedHunk): Promise<boolean> {
    void this.notifications.warning(
      l10n.t("You changed these lines of {0} since, so they can't be undone.", path),
    );
    await this.actions.show(itemId, path);
    return false;
  }

  private pending(all = this.allPending()): PendingFile[] {
    return all.filter(({ item, path }) => !item.reverted?.has(path));
  }

  private allPending(): PendingFile[] {
    return this.chat.sessions.flatMap((session) =>
      session.conversation.all.toReversed().flatMap((item) => {
        if (item.type !== 'edits') return [];
        return pathsToReview(item).flatMap((path) => {
          const edit = item.edits.find((each) => each.path === path);
          return edit ? [{ session, item, path, realPath: this.moves.follow(edit.realPath) }] : [];
        });
      }),
    );
  }

  private pendingOf({ uri }: vscode.TextDocument, pending = this.pending()): PendingFile[] {
    const path = toPath(uri);
    return pending.filter(({ realPath }) => realPath === path);
  }

  private async hunksIn(document: vscode.TextDocument, pending?: PendingFile[]): Promise<PlacedHunk[]> {
    const placed: PlacedHunk[] = [];
    for (const { session, item, path } of this.pendingOf(document, pending)) {
      const found = await this.reviews.review(session, item, path);
      if ('reason' in found || found.realPath !== toPath(document.uri)) continue;
      const { hunks } = found.review;
      const isFree = ({ from, to }: Hunk) => placed.every((each) => to < each.from || from > each.to);
      placed.push(
        ...hunks.filter(isFree).map((hunk) => ({ ...hunk, path, itemId: item.id, key: keyOf(hunks, hunk) })),
      );
    }
    return placed.toSorted((a, b) => a.from - b.from);
  }

  private refresh(afterMs = 0): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => void this.show(), afterMs);
  }

  private async show(): Promise<void> {
    this.reverted.update();
    const all = this.allPending();
    const pending = this.pending(all);
    const files = new Set(pending.map(({ realPath }) => realPath));
    // Set before anything asynchronous: the next key may be a review key.
    this.setFilesToReview([...files].map(toUri).flatMap(({ fsPath, path }) => [fsPath, path]));
    this.marks.show([...files]);
    const shown = ++this.timesShown;
    const editors = vscode.window.visibleTextEditors;
    const documents = editors.map(({ document }) => document);
    // Reverted files, too: typing brings their changes back.
    const known = new Set(all.map(({ realPath }) => realPath));
    this.underReview = new Set(documents.filter(({ uri }) => known.has(toPath(uri))));
    // Without hunks, the editor would still call the provider on every key.
    if (this.underReview.size > 0)
      this.provider ??= vscode.languages.registerCodeLensProvider({ pattern: '**' }, this);
    else {
      this.provider?.dispose();
      this.provider = undefined;
    }
    for (const editor of editors) {
      const hunks = await this.hunksIn(editor.document, pending);
      if (shown !== this.timesShown) return;
      const last = editor.document.lineCount - 1;
      const marked = (some: readonly Hunk[]) =>
        some.map((hunk): vscode.DecorationOptions => {
          const { from, to } = hunk;
          const range = new vscode.Range(Math.min(from, last), 0, Math.min(Math.max(from, to - 1), last), 0);
          const hoverMessage = this.removedLines.hover(editor.document, hunk);
          return { range, ...(hoverMessage && { hoverMessage }) };
        });
      editor.setDecorations(this.added, marked(hunks.filter(({ from, to }) => to > from)));
      editor.setDecorations(this.removed, marked(hunks.filter(({ from, to }) => to === from)));
    }
    this.changed.fire();
  }

  /** Keybindings of the review depend on the active file's path, which the editor compares itself. */
  private setFilesToReview(files: readonly string[]): void {
    if (
      files.length === this.filesToReview.length &&
      files.every((file) => this.filesToReview.includes(file))
    )
      return;
    this.filesToReview = files;
    // Undefined rather than empty: an empty list counts as true.
    const value = files.length > 0 ? files : undefined;
    void vscode.commands.executeCommand('setContext', contextKey('filesToReview'), value);
  }
}

function isPlaced(given: unknown): given is PlacedHunk {
  return (
    typeof given === 'object' && given !== null && 'itemId' in given && 'key' in given && 'path' in given
  );
}

function nearest(hunks: readonly PlacedHunk[], line: number): PlacedHunk | undefined {
  const distance = ({ from, to }: Hunk) => Math.max(from - line, line - Math.max(from, to - 1), 0);
  return hunks.toSorted((a, b) => distance(a) - distance(b))[0];
}

function reveal(editor: vscode.TextEditor | undefined, hunk: PlacedHunk | undefined): boolean {
  if (!editor || !hunk) return false;
  const at = new vscode.Position(Math.min(hunk.from, editor.document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}
