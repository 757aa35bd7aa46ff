import assert from 'node:assert/strict';
import { joinPath } from '../../../../src/tools/files/fileSystem.ts';
import { IgnoreRules } from '../../../../src/tools/policy/ignoreRules.ts';
import { MemoryFiles } from '../../../support/memoryFiles.ts';

describe('tools: ignore files of a folder that is listed', () => {
  const files = {
    '/repo/.git/info/exclude': '/work/private\n',
    '/repo/.gitignore': '*.log\n/work/deep/gen\n',
    '/repo/work/a.ts': '',
    '/repo/work/own/.switchboardignore': 'secret*\n',
    '/repo/work/own/secret.md': '',
    '/repo/work/own/below/secret.md': '',
    '/repo/work/own/below/deeper/secret.md': '',
    '/repo/work/git/.gitignore': '/built\n!kept.log\n',
    '/repo/work/git/built': '',
    '/repo/work/git/kept.log': '',
    '/repo/work/git/below/kept.log': '',
    '/repo/work/git/below/built': '',
    '/repo/work/deep/gen': '',
    '/repo/work/deep/er/gen': '',
    '/repo/work/deep/er/x.log': '',
    '/repo/work/private': '',
  };
  const ignored = [
    'deep/er/x.log',
    'deep/gen',
    'git/built',
    'own/below/deeper/secret.md',
    'own/below/secret.md',
    'own/secret.md',
    'private',
  ];
  const rulesOf = () => new IgnoreRules(new MemoryFiles(files), '/repo/work', false);
  const inside = Object.keys(files)
    .filter((path) => path.startsWith('/repo/work/'))
    .map((path) => path.slice('/repo/work/'.length));
  const has = (folder: string) => (name: string) => inside.includes(joinPath(folder, name));
  const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

  it('hold as they do for a path alone, whichever folder is listed first', async () => {
    const folders = [...new Set(inside.map(folderOf)), 'own/below', 'deep'];
    for (const order of [folders.toSorted(), folders.toSorted().toReversed()]) {
      const rules = rulesOf();
      const found: string[] = [];
      for (const folder of new Set(order)) {
        const level = await rules.levelOfListed(folder, has(folder));
        const here = inside.filter((path) => folderOf(path) === folder);
        found.push(...here.filter((path) => rules.isIgnored(level, nameOf(path), false)));
      }
      assert.deepEqual(found.toSorted(), ignored);
      for (const path of inside)
        assert.equal(await rules.excludes(path, false), ignored.includes(path), path);
    }
    const alone = rulesOf();
    for (const path of inside) assert.equal(await alone.excludes(path, false), ignored.includes(path), path);
  });

  it('are not looked for again in a folder that was listed without any', async () => {
    const access = new MemoryFiles(files);
    const looked: string[] = [];
    const { find } = access;
    access.find = async (path) => {
      looked.push(path);
      return find.call(access, path);
    };
    const rules = new IgnoreRules(access, '/repo/work', false);
    for (const folder of ['', 'deep', 'deep/er']) await rules.levelOfListed(folder, has(folder));
    await rules.excludes('deep/er/x.log', false);
    assert.deepEqual(
      looked.filter((path) => path.includes('/deep')),
      [],
    );
  });
});
