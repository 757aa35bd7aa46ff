import assert from 'node:assert/strict';
import { HardLinks } from '../../../../src/tools/policy/hardLinks.ts';
import { MemoryFiles } from '../../../support/memoryFiles.ts';

/** Paths that are all names of one file. */
function linked(...paths: string[]) {
  const access = new MemoryFiles(Object.fromEntries(paths.map((path) => [path, 'text'])));
  const stat = { type: 'file', size: 4, mtimeMs: 0, identity: 'one', links: paths.length } as const;
  access.find = async (path) => (access.entries.has(path) ? stat : undefined);
  return { links: new HardLinks(access), stat };
}

describe('tools: the names of a hard link', () => {
  it('are counted once where a workspace folder lies in another one', async () => {
    const { links, stat } = linked('/work/a', '/work/sub/b');
    const names = await links.namesOf(stat, ['/work', '/work/sub']);
    assert.deepEqual(names?.toSorted(), ['/work/a', '/work/sub/b']);
  });

  it('are known no longer when the folder of one was closed', async () => {
    const { links, stat } = linked('/work/a', '/other/b');
    assert.equal((await links.namesOf(stat, ['/work', '/other']))?.length, 2);
    assert.equal(await links.namesOf(stat, ['/work']), undefined);
  });
});
