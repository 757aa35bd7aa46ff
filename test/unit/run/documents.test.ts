import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../host/paths.ts';
import { drawFolders, readSources } from '../../run/imports.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/servers/README.md'],
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
];

describe('the documents of the repository', () => {
  it('draw the folders as they import each other', async () => {
    const [, drawn] = /```mermaid\n([^`]*)\n```/.exec(read('docs/architecture.md')) ?? [];
    assert.equal(drawn, drawFolders(await readSources()));
  });

  for (const path of documents) {
    it(`name files that are there: ${path}`, () => {
      const named = [...read(path).matchAll(/`((?:src|test|docs|media)\/[\w./-]*\w)`/g)].map(
        ([, name = '']) => name,
      );
      const missing = named.filter(
        (name) => !['', '.ts', '.test.ts'].some((ending) => existsSync(join(root, name + ending))),
      );
      assert.deepEqual(missing, []);
    });
  }

  it('are cited by comments only where they are there', async () => {
    const cited = (await readSources()).flatMap(({ path, text }) =>
      [...text.matchAll(/\b([a-z-]+\.md) \d/g)].map(([, name = '']) => ({ path, name })),
    );
    assert.ok(cited.length > 0);
    assert.deepEqual(
      cited.filter(({ name }) => !existsSync(join(root, 'docs', name))),
      [],
    );
  });
});
