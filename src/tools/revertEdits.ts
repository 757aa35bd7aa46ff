import type { EditJournal, RevertOutcome } from './editJournal.ts';
import { granted } from './toolFailure.ts';
import type { ToolDependencies } from './toolDependencies.ts';

/** Takes the edits of a journal back, under the file policy like every edit. */
export function revertEdits(
  { workspace, policy, texts }: ToolDependencies,
  journal: EditJournal,
): Promise<RevertOutcome> {
  return journal.revert({
    async read(realPath) {
      const verdict = await policy.check(realPath, 'edit');
      if (!verdict.isAllowed && verdict.reason === 'not-found') return undefined;
      return texts.readWhole(granted(verdict));
    },
    write: (edit) => workspace.edits.apply(edit),
    async removeFolder(path) {
      await workspace.edits.removeFolder(granted(await policy.check(path, 'list')).realPath);
    },
  });
}
