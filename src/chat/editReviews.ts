import { countChanges, diffLines } from '../base/lineDiff.ts';
import { messageOf } from '../base/messageOf.ts';
import { hashText, type AppliedEdit, type TextSnapshots } from '../tools/editJournal.ts';
import type { FileReview, Hunk } from '../tools/review/fileReview.ts';
import type { ReviewAccess } from '../tools/review/reviewAccess.ts';
import { reviewFile, type OpenReview } from '../tools/review/reviewFile.ts';
import type { ChatSession } from './chatSession.ts';
import type { EditsItem } from './items.ts';
import type { ReviewedFile, UndoProblem } from './events.ts';
import { pathsToReview } from './rollback.ts';
import { thisWindow } from './windowMark.ts';

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

/** What is to be restored. */
export interface RestoredParts {
  files: boolean;
  conversation: boolean;
}

/** A file that a restoration would change. */
export interface RestorableFile {
  path: string;
  realPath: string;
  /** Undefined where it is not known what tools did to it. */
  review?: FileReview;
  problem?: UndoProblem;
}

/** What is to become of a file that is restored; without `edit` it stays as it is. */
interface PlannedRestoration {
  file: RestorableFile;
  edit?: AppliedEdit;
  left?: FileReview;
  /** What cannot be restored of it. */
  problem?: UndoProblem;
}

export interface EditReviewsDependencies {
  /** Asked for once for each decision. */
  access(): Promise<ReviewAccess>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  newId(): string;
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
    const found = await this.reviewNow(session, edits, item.reviews?.[path]?.open);
    return 'reason' in found ? found : { path, ...found };
  }

  private async reviewNow(
    session: ChatSession,
    edits: readonly AppliedEdit[],
    open: OpenReview | undefined,
  ): Promise<{ realPath: string; review: FileReview } | UndoProblem> {
    try {
      const access = await this.deps.access();
      const realPath = await access.find(edits[0]?.realPath ?? '');
      const now = await access.read(realPath);
      const snapshots = await this.deps.snapshots(session.conversation.id);
      const review = await reviewFile(edits, open, now, snapshots);
      return review ? { realPath, review } : { reason: isOld(edits) ? 'changed' : 'lost' };
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
    return this.afterLast(() => this.decideNow(session, itemId, decision, choice));
  }

  /** The files that differ from what they were before some edits, as far as tools changed them. */
  async restorable(session: ChatSession, edits: readonly AppliedEdit[]): Promise<RestorableFile[]> {
    const files: RestorableFile[] = [];
    const access = await this.deps.access();
    const places = await Promise.all(edits.map((edit) => access.find(edit.realPath)));
    for (const realPath of new Set(places)) {
      const ofFile = edits.filter((_, index) => places[index] === realPath);
      const path = ofFile[0]?.path ?? realPath;
      const found = await this.reviewNow(session, ofFile, undefined);
      if ('reason' in found) files.push({ path, realPath, problem: found });
      else if (found.review.hunks.length > 0) files.push({ path, ...found });
    }
    return files;
  }

  /**
   * Puts files, the conversation or both back to what they were before a message, an answer or another restoration.
   * Lines of others stay, as in every undo. False while a turn runs, or where that state is not known.
   * @param edits what is taken back in files; all since then, if absent
   */
  restore(
    session: ChatSession,
    toId: string,
    parts: RestoredParts,
    edits?: readonly AppliedEdit[],
  ): Promise<boolean> {
    return this.afterLast(() => this.restoreNow(session, toId, parts, edits));
  }

  private afterLast<T>(decide: () => Promise<T>): Promise<T> {
    const decided = this.last.then(decide);
    // Its failure is told to who asked for it, and keeps nobody else from deciding.
    this.last = decided.catch(() => undefined);
    return decided;
  }

  private async restoreNow(
    session: ChatSession,
    toId: string,
    { files, conversation: isConversation }: RestoredParts,
    edits = session.conversation.fileHistory.editsSince(toId),
  ): Promise<boolean> {
    const { conversation } = session;
    if (session.isRunning || !edits || !conversation.findCheckpoint(toId)) return false;
    const made: AppliedEdit[] = [];
    const folders: string[] = [];
    const problems: (UndoProblem & { path: string })[] = [];
    const id = this.deps.newId();
    const planned: PlannedRestoration[] = [];
    for (const file of files ? await this.restorable(session, edits) : [])
      planned.push(await this.planRestoration(session, file));
    const begun = planned.flatMap(({ edit }) => edit ?? []);
    if (begun.length > 0)
      await session.recordNow({ type: 'restorationBegun', id, toId, edits: begun, window: thisWindow });
    for (const plan of planned) {
      const { path } = plan.file;
      const outcome = await this.restoreFile(session, plan);
      if (outcome.edit) made.push(outcome.edit);
      folders.push(...(outcome.folders ?? []));
      if (outcome.problem) problems.push({ path, ...outcome.problem });
    }
    session.record({
      ...{ type: 'checkpointRestored', id, toId },
      ...(isConversation && { isConversation }),
      ...(files && { edits: made, folders }),
      ...(problems.length > 0 && { problems }),
    });
    if (files)
      await this.removeFolders(
        conversation.fileHistory.foldersMade.filter((each) => !folders.includes(each)),
      );
    return true;
  }

  private async planRestoration(session: ChatSession, file: RestorableFile): Promise<PlannedRestoration> {
    const { path, realPath, review, problem } = file;
    if (!review) return { file, ...(problem && { problem }) };
    const { problem: rest } = leftOver(review, review.hunks);
    const plan = { file, ...(rest && { problem: rest }) };
    const left = review.undo(review.hunks);
    if (left.text === review.text) return plan;
    try {
      const snapshots = await this.deps.snapshots(session.conversation.id);
      // So that it can be restored back.
      const beforeHash = review.text === undefined ? undefined : await snapshots.put(review.text);
      const afterHash = left.text === undefined ? undefined : await snapshots.put(left.text);
      return {
        ...plan,
        edit: { path, realPath, ...(beforeHash && { beforeHash }), ...(afterHash && { afterHash }) },
        left,
      };
    } catch (error) {
      return { file, problem: { reason: 'failed', why: messageOf(error) } };
    }
  }

  private async restoreFile(
    session: ChatSession,
    { file: { path, realPath, review }, edit: planned, left, problem }: PlannedRestoration,
  ): Promise<{ edit?: AppliedEdit; folders?: string[]; problem?: UndoProblem }> {
    const rest = problem ? { problem } : {};
    if (!planned || !left) return rest;
    try {
      const access = await this.deps.access();
      const before = review?.text;
      const { text, folders } = await access.write({ path: realPath, before, after: left.text });
      const snapshots = await this.deps.snapshots(session.conversation.id);
      const afterHash = text === undefined ? undefined : await snapshots.put(text);
      const { beforeHash } = planned;
      const edit = { path, realPath, ...(beforeHash && { beforeHash }), ...(afterHash && { afterHash }) };
      return { edit, folders, ...rest };
    } catch (error) {
      return { problem: { reason: 'failed', why: messageOf(error) } };
    }
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
    const problem = decision === 'undo' ? leftOver(review, chosen) : {};
    const undone = decision === 'undo' ? { undone: countLines(chosen) } : {};
    try {
      if (left.text !== review.text) {
        const access = await this.deps.access();
        const { text } = await access.write({ path: realPath, before: review.text, after: left.text });
        left = left.advance(text, 'user');
      }
      if (left.hunks.length === 0) return { path, ...undone };
      // Nothing was decided: what the file becomes next is still told from the edits themselves.
      if (left === review) return { path, ...problem };
      const snapshots = await this.deps.snapshots(session.conversation.id);
      const textHash = await snapshots.put(left.text ?? '');
      return { path, open: { textHash, ...left.open() }, ...problem, ...undone };
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

/** Hunks that somebody else changed since are not undone. */
function leftOver({ text }: FileReview, chosen: readonly Hunk[]): { problem?: UndoProblem } {
  if (!chosen.some(({ isEdited }) => isEdited)) return {};
  return { problem: { reason: text === undefined ? 'gone' : 'changed' } };
}

/** What undoing them takes back: those that somebody else changed since stay. */
function countLines(chosen: readonly Hunk[]): ReviewedFile['undone'] & {} {
  const counts = chosen
    .filter(({ isEdited }) => !isEdited)
    .map(({ before, now }) => countChanges(diffLines(before, now)));
  return {
    added: counts.reduce((sum, { added }) => sum + added, 0),
    removed: counts.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** Of conversations of 0.1.0, which kept no text after an edit. */
function isOld(edits: readonly AppliedEdit[]): boolean {
  return edits.every(({ beforeHash }) => beforeHash === undefined);
}
