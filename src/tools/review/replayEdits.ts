import { type AppliedEdit, type TextSnapshots } from '../edits/editJournal.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { FileMoves, type MoveMemory } from './fileMoves.ts';
import { FileReview, type OpenHunks } from './fileReview.ts';
import { sha256 } from '../../base/sha256.ts';
import { createReviewAccess } from './reviewAccess.ts';

export interface OpenReview extends OpenHunks {
  textHash: string;
}

/** Replays the edits of one file on top of `open` hunks; undefined if needed texts aren't stored any more. */
export async function replayEdits(
  edits: readonly AppliedEdit[],
  open: OpenReview | undefined,
  now: string | undefined,
  snapshots: TextSnapshots,
): Promise<FileReview | undefined> {
  if (open) {
    const text = await snapshots.get(open.textHash);
    return text === undefined ? undefined : FileReview.resume(open, text).advance(now, 'user');
  }
  const texts: (string | undefined)[] = [];
  for (const { before, beforeHash } of edits) {
    const text = before ?? (beforeHash === undefined ? undefined : await snapshots.get(beforeHash));
    if (text === undefined && beforeHash !== undefined) return undefined;
    texts.push(text);
  }
  let review: FileReview | undefined;
  for (const [index, { afterHash }] of edits.entries()) {
    review = review ? review.advance(texts[index], 'user') : FileReview.of(texts[index]);
    const known = [index + 1 < texts.length ? texts[index + 1] : now, now].find(
      (text) => text !== undefined && sha256(text) === afterHash,
    );
    const after = afterHash === undefined ? undefined : (known ?? (await snapshots.get(afterHash)));
    if (after === undefined && afterHash !== undefined) return undefined;
    review = review.advance(after, 'tool');
  }
  return review?.advance(now, 'user');
}

export interface WasMadeDependencies {
  tools(): Promise<{ dependencies: ToolDependencies }>;
  snapshots(): Promise<TextSnapshots>;
  memory: MoveMemory;
}

/** True if an edit changed its file, or if that is unknown. */
export async function wasMade(edit: AppliedEdit, deps: WasMadeDependencies): Promise<boolean> {
  try {
    const { dependencies } = await deps.tools();
    const access = createReviewAccess(dependencies, new FileMoves(deps.memory));
    const now = await access.read((await access.find(edit)).realPath);
    const review = await replayEdits([edit], undefined, now, await deps.snapshots());
    return !review || review.hunks.length > 0;
  } catch {
    return true;
  }
}
