import { messageOf } from '../base/messageOf.ts';
import { hashText, type AppliedEdit, type TextSnapshots } from '../tools/editJournal.ts';
import type { FileReview, Hunk } from '../tools/review/fileReview.ts';
import type { ReviewAccess } from '../tools/review/reviewAccess.ts';
import { reviewFile } from '../tools/review/reviewFile.ts';
import type { ChatSession } from './chatSession.ts';
import type { EditsItem } from './conversation.ts';
import type { ReviewedFile, UndoProblem } from './events.ts';
import { pathsToReview } from './rollback.ts';

export type { Hunk } from '../tools/review/fileReview.ts';

/** A file of a turn's changes with what is still to be reviewed of it. */
export interface FileToReview {
  path: string;
  realPath: string;
  review: FileReview;
}

/** Which hunks: of one file or of all, and of these only the ones with these keys. */
export interface HunkChoice {
  path?: string | undefined;
  keys?: readonly string[] | undefined;
}

export interface EditReviewsDependencies {
  /** Asked for once for each decision. */
  access(): Promise<ReviewAccess>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
}

/** A hunk stays the same one while lines above it come and go. */
export function keyOf(hunks: readonly Hunk[], hunk: Hunk): string {
  const isLike = ({ before, now }: Hunk) => before === hunk.before && now === hunk.now;
  const alike = hunks.slice(0, hunks.indexOf(hunk)).filter(isLike).length;
  return `${hashText(JSON.stringify([hunk.before, hunk.now])).slice(0, 16)}:${alike}`;
}

/** The review of what turns changed: what is left of it, and the user's decisions, which are recorded in the conversation. */
export class EditReviews {
  /** Decisions come one after the other: each begins with the files as the one before left them. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: EditReviewsDependencies) {}

  /** A file of a turn as it is now; a problem where what is left of it is not known. */
  async review(session: ChatSession, item: EditsItem, path: string): Promise<FileToReview | UndoProblem> {
    const edits = item.edits.filter((edit) => edit.path === path);
    const realPath = edits[0]?.realPath ?? path;
    try {
      const now = await (await this.deps.access()).read(realPath);
      const snapshots = await this.deps.snapshots(session.conversation.id);
      const review = await reviewFile(edits, item.reviews?.[path]?.open, now, snapshots);
      if (!review) return { reason: isOld(edits) ? 'changed' : 'lost' };
      return { path, realPath, review };
    } catch (error) {
      return { reason: 'failed', why: messageOf(error) };
    }
  }

  /** Keeps or undoes hunks of a turn. Nothing happens while the conversation is running a turn. */
  decide(
    session: ChatSession,
    itemId: string,
    decision: 'keep' | 'undo',
    choice: HunkChoice = {},
  ): Promise<boolean> {
    const decided = this.last.then(() => this.decideNow(session, itemId, decision, choice));
    this.last = decided.catch(() => undefined);
    return decided;
  }

  private async decideNow(
    session: ChatSession,
    itemId: string,
    decision: 'keep' | 'undo',
    { path, keys }: HunkChoice,
  ): Promise<boolean> {
    const item = session.conversation.all.find(({ id }) => id === itemId);
    if (session.isRunning || item?.type !== 'edits') return false;
    const paths = pathsToReview(item).filter((each) => path === undefined || each === path);
    if (paths.length === 0) return false;
    const type = decision === 'keep' ? 'hunksKept' : 'hunksUndone';
    const files: ReviewedFile[] = [];
    for (const each of paths) {
      // What is kept as a whole need not be looked at.
      if (decision === 'keep' && !keys) files.push({ path: each });
      else files.push(await this.decideFile(session, item, each, decision, keys));
    }
    session.record({ type, id: itemId, files });
    if (decision === 'undo') await this.removeFolders(item.folders ?? []);
    return true;
  }

  private async decideFile(
    session: ChatSession,
    item: EditsItem,
    path: string,
    decision: 'keep' | 'undo',
    keys: readonly string[] | undefined,
  ): Promise<ReviewedFile> {
    const file = await this.review(session, item, path);
    if ('reason' in file) return { path, problem: file };
    const { review, realPath } = file;
    const { hunks } = review;
    const chosen = keys ? hunks.filter((hunk) => keys.includes(keyOf(hunks, hunk))) : hunks;
    let left: FileReview = decision === 'keep' ? review.keep(chosen) : review.undo(chosen);
    const isEdited = decision === 'undo' && chosen.some((hunk) => hunk.isEdited);
    const problem = isEdited && {
      problem: { reason: review.text === undefined ? ('gone' as const) : ('changed' as const) },
    };
    try {
      if (left.text !== review.text) {
        const access = await this.deps.access();
        const { text } = await access.write({ path: realPath, before: review.text, after: left.text });
        left = left.advance(text, 'user');
      }
      if (left.hunks.length === 0) return { path };
      // Nothing was decided: what the file becomes next is still told from the edits themselves.
      if (left === review) return { path, ...problem };
      const snapshots = await this.deps.snapshots(session.conversation.id);
      const textHash = await snapshots.put(left.text ?? '');
      return { path, open: { textHash, ...left.open() }, ...problem };
    } catch (error) {
      return { path, problem: { reason: 'failed', why: messageOf(error) } };
    }
  }

  /** Folders that were made for new files go when nothing is left in them. */
  private async removeFolders(folders: readonly string[]): Promise<void> {
    const access = await this.deps.access();
    // What lies in a folder has the longer path.
    for (const folder of folders.toSorted((a, b) => b.length - a.length)) {
      // Something else is in it, or it is gone already.
      await access.removeFolder(folder).catch(() => undefined);
    }
  }
}

/** Of conversations of 0.1.0, which kept no text after an edit. */
function isOld(edits: readonly AppliedEdit[]): boolean {
  return edits.every(({ beforeHash }) => beforeHash === undefined);
}
