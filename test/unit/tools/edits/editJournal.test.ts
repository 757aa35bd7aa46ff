import assert from 'node:assert/strict';
import { EditJournal, type AppliedEdit } from '../../../../src/tools/edits/editJournal.ts';
import { MemorySnapshots } from '../../../support/memorySnapshots.ts';

describe('EditJournal', () => {
  it('counts what the edits of a file come to together, from the text before the first', async () => {
    const recorded: AppliedEdit[] = [];
    const journal = new EditJournal(new MemorySnapshots(), { made: (edit) => void recorded.push(edit) });
    const texts = ['one\n', 'one\ntwo\n', 'one\ntwo\nthree\n', 'one\n'];
    for (const [index, after] of texts.slice(1).entries())
      await journal.record({ path: 'a.ts', realPath: '/work/a.ts', before: texts[index], after });
    assert.deepEqual(
      recorded.map(({ added, removed }) => [added, removed]),
      [
        [1, 0],
        [2, 0],
        [0, 0],
      ],
    );
  });
});
