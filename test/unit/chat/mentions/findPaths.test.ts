import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findPaths, foldersOf } from '../../../../src/chat/mentions/findPaths.ts';

const labels = (query: string, files: string[], limit = 20) =>
  findPaths(query, { files, folders: foldersOf(files) }, limit).map(({ label }) => label);

describe('finding paths by letters', () => {
  it('finds a file by letters of its name in any case, by its path, and by words in any order', () => {
    const files = ['src/chat/MentionFinder.ts', 'src/chat/turn.ts', 'Straße/größe.md', 'a[1]/b-c^d.txt'];
    assert.equal(labels('mf', files)[0], 'MentionFinder.ts');
    assert.equal(labels('chat/tu', files)[0], 'turn.ts');
    assert.equal(labels('finder chat', files)[0], 'MentionFinder.ts');
    assert.equal(labels('GRÖ', files)[0], 'größe.md');
    assert.equal(labels('[1]/b-c^', files)[0], 'b-c^d.txt');
    assert.deepEqual(labels('zq', files), []);
  });

  it('finds the likeliest name among more than are compared', () => {
    const files = Array.from(
      { length: 200_000 },
      (_, index) => `packages/p${index % 700}/read/me${index}.ts`,
    );
    files.push('packages/last/docs/readme.md');
    assert.equal(labels('readme', files)[0], 'readme.md');
    assert.equal(labels('dme.m', files)[0], 'readme.md');
  });

  it('offers each file for its whole path', () => {
    const segment = fc.string({ minLength: 1, maxLength: 12 }).map((name) => name.replaceAll(/[\s/]/g, '_'));
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 30 }), fc.nat(), (files, pick) => {
        const wanted = files[pick % files.length] ?? '';
        const found = findPaths(wanted, { files, folders: [] }, files.length);
        assert.ok(found.some(({ source }) => source?.type === 'path' && source.path === wanted));
      }),
    );
  });
});
