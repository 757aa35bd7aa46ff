import type { AppliedEdit, TextSnapshots } from '../editJournal.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { FileMoves, type MoveMemory } from './fileMoves.ts';
import { createReviewAccess } from './reviewAccess.ts';
import { reviewFile } from './reviewFile.ts';

export interface WasMadeDependencies {
  tools(): Promise<{ dependencies: ToolDependencies }>;
  snapshots(): Promise<TextSnapshots>;
  memory: MoveMemory;
}

/** Whether anything of an edit is in its file. True where that is not known: what it then says of itself is why. */
export async function wasMade(edit: AppliedEdit, deps: WasMadeDependencies): Promise<boolean> {
  try {
    const { dependencies } = await deps.tools();
    const access = createReviewAccess(dependencies, new FileMoves(deps.memory));
    const now = await access.read(await access.find(edit.realPath));
    const review = await reviewFile([edit], undefined, now, await deps.snapshots());
    return !review || review.hunks.length > 0;
  } catch {
    return true;
  }
}
