import { countChanges } from '../../base/text/lineDiff.ts';
import type { AppliedEdit, TextSnapshots } from '../edits/editJournal.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { FileMoves, type MoveMemory } from './fileMoves.ts';
import { createReviewAccess } from './reviewAccess.ts';
import { replayEdits } from './replayEdits.ts';

export interface FindMadeDependencies {
  tools(): Promise<{ dependencies: ToolDependencies }>;
  snapshots(): Promise<TextSnapshots>;
  memory: MoveMemory;
}

/** The edit if it changed its file, or if that is unknown. What an unfinished one came to is in the file. */
export async function findMade(
  edit: AppliedEdit,
  deps: FindMadeDependencies,
): Promise<AppliedEdit | undefined> {
  try {
    const { dependencies } = await deps.tools();
    const access = createReviewAccess(dependencies, new FileMoves(deps.memory));
    const now = await access.read((await access.find(edit)).realPath);
    const snapshots = await deps.snapshots();
    if (edit.isUnfinished) return await readUnfinished(edit, now, snapshots);
    const review = await replayEdits([edit], undefined, now, snapshots);
    return !review || review.hunks.length > 0 ? edit : undefined;
  } catch {
    return edit;
  }
}

async function readUnfinished(
  edit: AppliedEdit,
  now: string | undefined,
  snapshots: TextSnapshots,
): Promise<AppliedEdit | undefined> {
  const before = edit.beforeHash === undefined ? undefined : await snapshots.get(edit.beforeHash);
  if (now === undefined || before === undefined || isSameText(now, before)) return undefined;
  return { ...edit, afterHash: await snapshots.put(now), ...countChanges(before, now) };
}

/** Line ends depend on how the text was read. */
function isSameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
}
