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
        (name) =>
          !['', '.ts', '.test.ts', '.fuzz.ts', '.json'].some((ending) =>
            existsSync(join(root, name + ending)),
          ),
      );
      assert.deepEqual(missing, []);
    });
  }

  /** For each of the eight questions what the file that is named holds, if it is the answer. */
  const answers: [question: RegExp, holds: RegExp][] = [
    [/event .* stored/, /class FileChatStore[\s\S]*appendLine/],
    [/after a 429/, /function\* withRetries/],
    [/path refused/, /class FilePolicy[\s\S]*refuse\(/],
    [/shown as a diff/, /'vscode\.diff'/],
    [/key bound to its server/, /interface KeySlot[\s\S]*origin/],
    [/field .* checked/, /function checkAnswers/],
    [/indexing polled/, /class IndexingPoller/],
    [/idle stream ended/, /class ResponseTimeouts[\s\S]*idleMs/],
  ];
  it('answer eight questions with the file that holds the answer', () => {
    const table = [...read('CONTRIBUTING.md').matchAll(/^\| (.+) \| `(src\/[\w./]+)` \|$/gm)];
    assert.equal(table.length, answers.length);
    for (const [index, [, question = '', file = '']] of table.entries()) {
      const [asked, holds] = answers[index] ?? [];
      assert.match(question, asked ?? /^$/);
      assert.match(read(file), holds ?? /^$/, `${question}: ${file}`);
    }
  });

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
