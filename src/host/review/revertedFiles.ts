import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { EditReviews } from '../../chat/edits/editReviews.ts';
import type { EditsItem } from '../../chat/conversation/items.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { toPath } from '../workspace/workspacePlaces.ts';

export interface PendingFile {
  session: ChatSession;
  item: EditsItem;
  path: string;
  realPath: string;
}

/** Delay after a change, in ms: Git writes many files. */
const pauseMs = 300;

/**
 * Finds files of which others, such as Git, left no change to review. What they write there later is theirs, until a
 * change is back as it was made, unless a newer turn made it. Watches while there are changes to review.
 */
export class RevertedFiles implements Disposable {
  private watcher: vscode.FileSystemWatcher | undefined;
  private pause: NodeJS.Timeout | undefined;
  private readonly changed = new Set<string>();
  private readonly seen = new WeakMap<EditsItem, Set<string>>();
  /** Put back before a newer turn changed the file. */
  private readonly outdone = new WeakMap<EditsItem, Set<string>>();
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly pending: () => readonly PendingFile[],
    private readonly reviews: EditReviews,
    private readonly onChange: () => void,
  ) {}

  update(): void {
    const pending = this.pending();
    if (pending.length === 0) return this.stop();
    this.watcher ??= this.watch();
    const isNew = ({ item, path }: PendingFile) => add(this.seen, item, path);
    const news = new Set(pending.filter(isNew).map(({ realPath }) => realPath));
    for (const realPath of news) this.fileChanged(realPath);
    for (const { item, path, realPath } of pending) {
      if (news.has(realPath) && item.reverted?.has(path)) add(this.outdone, item, path);
    }
  }

  fileChanged(realPath: string): void {
    this.changed.add(realPath);
    this.pause ??= setTimeout(() => {
      this.pause = undefined;
      this.last = this.last.then(() => this.check());
    }, pauseMs);
  }

  dispose(): void {
    this.stop();
  }

  private stop(): void {
    clearTimeout(this.pause);
    this.pause = undefined;
    this.changed.clear();
    this.watcher?.dispose();
    this.watcher = undefined;
  }

  private watch(): vscode.FileSystemWatcher {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    // Searching the pending files for each of thousands that a checkout writes is too slow.
    const onEvent = (uri: vscode.Uri) => this.fileChanged(toPath(uri));
    watcher.onDidCreate(onEvent);
    watcher.onDidChange(onEvent);
    watcher.onDidDelete(onEvent);
    return watcher;
  }

  private async check(): Promise<void> {
    const paths = new Set(this.changed);
    this.changed.clear();
    const touched = new Map<EditsItem, ChatSession>();
    for (const { session, item, path, realPath } of this.pending()) {
      if (!paths.has(realPath) || this.outdone.get(item)?.has(path)) continue;
      const known = item.reviews?.[path];
      const found = await this.reviews.review(session, item, path);
      if (!this.watcher) return;
      // The user may have undone or redone it meanwhile.
      if (item.reviews?.[path] !== known) {
        this.fileChanged(realPath);
        continue;
      }
      const before = item.reverted ?? new Set();
      const isReverted =
        !('reason' in found) && found.review.hunks.every(({ isEdited }) => isEdited && before.has(path));
      if (isReverted === before.has(path)) continue;
      item.reverted = new Set([...before].filter((each) => each !== path).concat(isReverted ? path : []));
      touched.set(item, session);
    }
    for (const [{ id }, session] of touched) session.showAgain(id);
    if (touched.size > 0) this.onChange();
  }
}

/** True if it was not there. */
function add(paths: WeakMap<EditsItem, Set<string>>, item: EditsItem, path: string): boolean {
  const known = paths.get(item) ?? new Set();
  paths.set(item, known);
  return known.size !== known.add(path).size;
}
