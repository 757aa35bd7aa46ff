import type { AppliedEdit, TextSnapshots } from '../edits/editJournal.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { FileMoves, type MoveMemory } from './fileMoves.ts';
import { createReviewAccess } from './reviewAccess.ts';
import { replayEdits } from './replayEdits.ts';

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
