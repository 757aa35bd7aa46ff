import assert from 'node:assert/strict';
import { HardLinks } from '../../../../src/tools/policy/hardLinks.ts';
import { MemoryFiles } from '../../../support/memoryFiles.ts';

/** Paths that are all names of one file. */
function linked(...paths: string[]) {
  const access = new MemoryFiles(Object.fromEntries(paths.map((path) => [path, 'text'])));
  const stat = { type: 'file', size: 4, mtimeMs: 0, identity: 'one', links: paths.length } as const;
  access.find = async (path) => (access.entries.has(path) ? stat : undefined);
  return { links: new HardLinks(access), stat, access };
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

  it('are looked for in folders whose names begin alike, and although one cannot be listed', async () => {
    const { links, stat, access } = linked('/work/a', '/work-two/b', '/work/locked/x/y');
    const list = access.list.bind(access);
    access.list = async (folder) => {
      if (folder === '/work/locked') throw new Error('EACCES');
      return list(folder);
    };
    const names = await links.namesOf({ ...stat, links: 2 }, ['/work', '/work-two']);
    assert.deepEqual(names?.toSorted(), ['/work-two/b', '/work/a']);
  });

  it('count as unknown where there are too many entries to look at', async () => {
    const { links, stat, access } = linked('/work/sub/a', '/work/sub/b');
    const list = access.list.bind(access);
    const many = Array.from({ length: 50_000 }, (_, index) => ({ name: `${index}`, type: 'link' as const }));
    access.list = async (folder) => [...(folder === '/work' ? many : []), ...(await list(folder))];
    assert.equal(await links.namesOf(stat, ['/work']), undefined);
  });
});
