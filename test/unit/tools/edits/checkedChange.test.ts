import assert from 'node:assert/strict';
import { createToolDependencies } from '../../../../src/tools/allTools.ts';
import { CheckedChange } from '../../../../src/tools/edits/checkedChange.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';

describe('tools: a checked change of a file', () => {
  it('tells before and after it is written which folders it makes, innermost first', async () => {
    const workspace = new MemoryWorkspace({ '/work/a.ts': 'a' });
    const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
    const file = await deps.policy.check('new/deep/b.ts', 'create');
    assert.ok(file.isAllowed);
    const change = await CheckedChange.check(deps, { file, before: undefined, after: 'b' });
    const told: (readonly string[])[] = [];
    const { folders } = await change.write(async (needed) => {
      assert.equal(workspace.applied.length, 0);
      told.push(needed);
    });
    assert.deepEqual(
      [...told, folders],
      [
        ['/work/new/deep', '/work/new'],
        ['/work/new/deep', '/work/new'],
      ],
    );
  });
});
