import { createTurns } from '../../base/async/promises.ts';
import * as l10n from '@vscode/l10n';
import { countChanges } from '../../base/text/lineDiff.ts';
import type { AppliedEdit, TextSnapshots } from '../../tools/edits/editJournal.ts';
import { FileReview, type Hunk } from '../../tools/review/fileReview.ts';
import type { FilePlace, ReviewAccess } from '../../tools/review/reviewAccess.ts';
import { replayEdits, type OpenReview } from '../../tools/review/replayEdits.ts';
import { reasonForUser } from '../../tools/toolFailure.ts';
import type { ChatSession } from '../session/chatSession.ts';
import type { EditsItem } from '../conversation/items.ts';
import type { ReviewedFile, UndoProblem } from '../store/events.ts';
import { pathsToReview } from '../conversation/rollback.ts';
import { thisWindow } from '../session/windowMark.ts';
import { sha256 } from '../../base/sha256.ts';

export type { Hunk } from '../../tools/review/fileReview.ts';

export interface FileToReview {
  path: string;
  realPath: string;
  review: FileReview;
}

export interface HunkChoice {
  path?: string | undefined;
  keys?: readonly string[] | undefined;
}

export interface RestoredParts {
  files: boolean;
  conversation: boolean;
}

export interface RestorableFile {
  path: string;
  /** Current location and display name; undefined if the file may not be changed. */
  place?: FilePlace;
  review?: FileReview;
  problem?: UndoProblem;
}

/** Planned change of a restored file; without `edit` it stays unchanged. */
interface PlannedRestoration {
  file: RestorableFile;
  edit?: AppliedEdit;
  left?: FileReview;
  problem?: UndoProblem;
}

export interface EditReviewsDependencies {
  access(): Promise<ReviewAccess>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  newId(): string;
}

/** Key that survives line shifts above the hunk. */
export function keyOf(hunks: readonly Hunk[], hunk: Hunk): string {
  const isLike = ({ before, now }: Hunk) => before === hunk.before && now === hunk.now;
  const alike = hunks.slice(0, hunks.indexOf(hunk)).filter(isLike).length;
  return `${sha256(JSON.stringify([hunk.before, hunk.now])).slice(0, 16)}:${alike}`;
}

export class EditReviews {
  /** Serializes decisions: each starts from the files left by the previous one. */
  private readonly afterLast = createTurns();

  constructor(private readonly deps: EditReviewsDependencies) {}

  async review(session: ChatSession, item: EditsItem, path: string): Promise<FileToReview | UndoProblem> {
    const edits = item.edits.filter((edit) => edit.path === path);
    const found = await this.reviewNow(session, edits, item.reviews?.[path]?.open);
    if ('reason' in found) return found;
    return { path, realPath: found.place.realPath, review: found.review };
  }

  private async reviewNow(
    session: ChatSession,
    edits: readonly AppliedEdit[],
    open: OpenReview | undefined,
  ): Promise<{ place: FilePlace; review: FileReview } | UndoProblem> {
    try {
      const access = await this.deps.access();
      const places = await Promise.all(edits.map((edit) => access.find(edit)));
      const [place] = places;
      if (!place || places.some(({ realPath }) => realPath !== place.realPath)) return { reason: 'changed' };
      const now = await access.read(place.realPath);
      const snapshots = await this.deps.snapshots(session.conversation.id);
      const review = await replayEdits(edits, open, now, snapshots);
      return review ? { place, review } : { reason: isOld(edits) ? 'changed' : 'lost' };
    } catch (error) {
      return { reason: 'failed', why: reasonForUser(error) };
    }
  }

  /** Keeps or undoes hunks. Does nothing while a turn is running. */
  decide(
    session: ChatSession,
    itemId: string,
    decision: 'keep' | 'undo',
    choice: HunkChoice = {},
  ): Promise<boolean> {
    return this.afterLast(() => this.decideNow(session, itemId, decision, choice));
  }

  async restorable(session: ChatSession, edits: readonly AppliedEdit[]): Promise<RestorableFile[]> {
    const files: RestorableFile[] = [];
    const access = await this.deps.access();
    // Missing files are reported when they are read.
    const places = await Promise.all(
      edits.map((edit) =>
        access.find(edit).then(
          ({ realPath }) => realPath,
          () => edit.realPath,
        ),
      ),
    );
    for (const realPath of new Set(places)) {
      const ofFile = edits.filter((_, index) => places[index] === realPath);
      const path = ofFile[0]?.path ?? realPath;
      const found = await this.reviewNow(session, ofFile, undefined);
      if ('reason' in found) files.push({ path, problem: found });
      else if (found.review.hunks.length > 0) files.push({ path, ...found });
    }
    return files;
  }

  /** False during a turn, or if the state before the item is unknown. Without `edits`, undoes all since the item. */
  restore(
    session: ChatSession,
    toId: string,
    parts: RestoredParts,
    edits?: readonly AppliedEdit[],
  ): Promise<boolean> {
    return this.afterLast(() => this.restoreNow(session, toId, parts, edits));
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
      type: 'checkpointRestored',
      id,
      toId,
      ...(isConversation && { isConversation }),
      ...(files && { edits: made, folders }),
      ...(problems.length > 0 && { problems }),
    });
    if (files)
      await this.removeFolders(
        conversation.fileHistory.foldersMade.filter((each) => !folders.includes(each)),
        made.flatMap(({ realPath, afterHash }) => (afterHash === undefined ? realPath : [])),
      );
    return true;
  }

  private async planRestoration(session: ChatSession, file: RestorableFile): Promise<PlannedRestoration> {
    const { place, review, problem } = file;
    if (!review || !place) return { file, ...(problem && { problem }) };
    const { problem: rest } = leftOver(review, review.hunks);
    const plan = { file, ...(rest && { problem: rest }) };
    const left = review.undo(review.hunks);
    if (left.text === review.text) return plan;
    try {
      const snapshots = await this.deps.snapshots(session.conversation.id);
      // Needed to undo the restoration.
      const beforeHash = review.text === undefined ? undefined : await snapshots.put(review.text);
      const afterHash = left.text === undefined ? undefined : await snapshots.put(left.text);
      return {
        ...plan,
        edit: { ...place, ...(beforeHash && { beforeHash }), ...(afterHash && { afterHash }) },
        left,
      };
    } catch (error) {
      return { file, problem: { reason: 'failed', why: reasonForUser(error) } };
    }
  }

  private async restoreFile(
    session: ChatSession,
    { file: { review }, edit: planned, left, problem }: PlannedRestoration,
  ): Promise<{ edit?: AppliedEdit; folders?: string[]; problem?: UndoProblem }> {
    const rest = problem ? { problem } : {};
    if (!planned || !left) return rest;
    try {
      const access = await this.deps.access();
      const before = review?.text;
      const { path, realPath, beforeHash } = planned;
      const { text, folders } = await access.write({ path: realPath, before, after: left.text });
      const snapshots = await this.deps.snapshots(session.conversation.id);
      const afterHash = text === undefined ? undefined : await snapshots.put(text);
      const edit = { path, realPath, ...(beforeHash && { beforeHash }), ...(afterHash && { afterHash }) };
      return { edit, folders, ...rest };
    } catch (error) {
      return { problem: { reason: 'failed', why: reasonForUser(error) } };
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
    const isMeant = (each: string) => (path === undefined ? !item.reverted?.has(each) : each === path);
    const paths = pathsToReview(item).filter(isMeant);
    if (paths.length === 0) return false;
    const type = decision === 'keep' ? 'hunksKept' : 'hunksUndone';
    const files: ReviewedFile[] = [];
    const removed: string[] = [];
    for (const each of paths) {
      if (decision === 'keep' && !keys) files.push({ path: each });
      else files.push(await this.decideFile(session, item, each, decision, keys, removed));
    }
    session.record({ type, id: itemId, files });
    await this.removeFolders(item.folders ?? [], removed);
    return true;
  }

  private async decideFile(
    session: ChatSession,
    item: EditsItem,
    path: string,
    decision: 'keep' | 'undo',
    keys: readonly string[] | undefined,
    removed: string[],
  ): Promise<ReviewedFile> {
    const file = await this.review(session, item, path);
    if ('reason' in file) return { path, problem: file };
    const { review, realPath } = file;
    const { hunks } = review;
    const chosen = keys ? hunks.filter((hunk) => keys.includes(keyOf(hunks, hunk))) : hunks;
    let left: FileReview = decision === 'keep' ? review.keep(chosen) : review.undo(chosen);
    const problem = decision === 'undo' ? leftOver(review, chosen) : {};
    let undone: Pick<ReviewedFile, 'undone' | 'redo'> =
      decision === 'undo' ? { undone: countLines(chosen) } : {};
    try {
      if (left.text !== review.text) {
        const access = await this.deps.access();
        const { text } = await access.write({ path: realPath, before: review.text, after: left.text });
        left = left.advance(text, 'user');
        const redo = await this.keepForRedo(session, review, text, item.reviews?.[path]?.redo);
        undone = { ...undone, ...(redo && { redo }) };
        if (text === undefined) removed.push(realPath);
      }
      if (left.hunks.length === 0) return { path, ...undone };
      // Without a decision the later review still starts from the edits.
      if (left === review) return { path, ...problem };
      const snapshots = await this.deps.snapshots(session.conversation.id);
      const textHash = await snapshots.put(left.text ?? '');
      return { path, open: { textHash, ...left.open() }, ...problem, ...undone };
    } catch (error) {
      return { path, problem: { reason: 'failed', why: reasonForUser(error) } };
    }
  }

  /** Undefined if a text can't be stored: the undo itself was made. */
  private async keepForRedo(
    session: ChatSession,
    before: FileReview,
    after: string | undefined,
    earlier: ReviewedFile['redo'],
  ): Promise<ReviewedFile['redo']> {
    const fromHash = hashOf(after);
    const from = fromHash === undefined ? {} : { fromHash };
    // Hunks that are undone one by one are redone together.
    if (earlier && earlier.fromHash === hashOf(before.text)) {
      const { toHash } = earlier;
      return { ...from, ...(toHash && { toHash }) };
    }
    try {
      if (before.text === undefined) return from;
      const snapshots = await this.deps.snapshots(session.conversation.id);
      return { ...from, toHash: await snapshots.put(before.text) };
    } catch {
      return undefined;
    }
  }

  redo(session: ChatSession, itemId: string, path: string): Promise<string | undefined> {
    return this.afterLast(() => this.redoNow(session, itemId, path));
  }

  private async redoNow(session: ChatSession, itemId: string, path: string): Promise<string | undefined> {
    const item = session.conversation.all.find(({ id }) => id === itemId);
    const known = item?.type === 'edits' ? item.reviews?.[path] : undefined;
    if (session.isRunning || item?.type !== 'edits' || !known?.redo) return undefined;
    const { redo, open: left, isDone } = known;
    try {
      const access = await this.deps.access();
      const edits = item.edits.filter((edit) => edit.path === path);
      const [place] = await Promise.all(edits.map((edit) => access.find(edit)));
      const now = place && (await access.read(place.realPath));
      if (!place || hashOf(now) !== redo.fromHash) {
        return l10n.t("{0} has changed since it was undone, so it can't be redone.", path);
      }
      const snapshots = await this.deps.snapshots(session.conversation.id);
      const after = redo.toHash === undefined ? undefined : await snapshots.get(redo.toHash);
      if (after === undefined && redo.toHash !== undefined) {
        return l10n.t("The text of {0} is no longer stored, so it can't be redone.", path);
      }
      const { text } = await access.write({ path: place.realPath, before: now, after });
      const pending = isDone ? undefined : await replayEdits(edits, left, now, snapshots);
      // The base now includes changes that were kept since the undo.
      const review = (pending ?? FileReview.of(now)).advance(text, 'tool');
      const open = { textHash: await snapshots.put(text ?? ''), ...review.open() };
      session.record({ type: 'hunksRedone', id: itemId, files: [{ path, open }] });
      // While it was undone, it looked as if others had reverted it.
      if (item.reverted?.has(path))
        item.reverted = new Set([...item.reverted].filter((each) => each !== path));
      return undefined;
    } catch (error) {
      return reasonForUser(error);
    }
  }

  private async removeFolders(folders: readonly string[], removed: readonly string[]): Promise<void> {
    const access = await this.deps.access();
    const left = folders.filter((folder) => removed.some((path) => path.startsWith(`${folder}/`)));
    // Inner folders have longer paths.
    for (const folder of left.toSorted((a, b) => b.length - a.length)) {
      // The folder is not empty or already gone.
      await access.removeFolder(folder).catch(() => undefined);
    }
  }
}

function hashOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : sha256(text);
}

function leftOver({ text }: FileReview, chosen: readonly Hunk[]): { problem?: UndoProblem } {
  if (!chosen.some(({ isEdited }) => isEdited)) return {};
  return { problem: { reason: text === undefined ? 'gone' : 'changed' } };
}

function countLines(chosen: readonly Hunk[]): ReviewedFile['undone'] & {} {
  const counts = chosen
    .filter(({ isEdited }) => !isEdited)
    .map(({ before, now }) => countChanges(before, now));
  return {
    added: counts.reduce((sum, { added }) => sum + added, 0),
    removed: counts.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** True for edits of 0.1.0, which stored no text after an edit. */
function isOld(edits: readonly AppliedEdit[]): boolean {
  return edits.every(({ beforeHash }) => beforeHash === undefined);
}
