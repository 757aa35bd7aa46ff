import assert from 'node:assert/strict';
import { commandsIn, findFence } from '../../../../src/chat/codeBlocks/fencedCode.ts';
import { namedFiles } from '../../../../src/chat/codeBlocks/namedFiles.ts';

describe('a code block of an answer', () => {
  it('is found with its info string and the text before it', () => {
    const answer =
      'First:\n\n```js\na();\n```\n\nNow `src/b.ts`:\n\n```ts title="src/b.ts"\nb();\n\n  c();\n```\n';
    assert.deepEqual(findFence(answer, 'b();\n\n  c();'), {
      info: 'ts title="src/b.ts"',
      before: 'Now `src/b.ts`:',
    });
    assert.equal(findFence(answer, 'd();'), undefined);
  });

  it('is found in lists and quotations, with fences in fences, and unclosed', () => {
    const answer =
      '1. Do\n   ```sh\n   npm test\n   ```\n> ~~~py x.py\n> a\n>\n> b\n> ~~~\n\n````md\n```\nin\n```\n````\n```ts\nlast';
    assert.deepEqual(findFence(answer, 'npm test'), { info: 'sh', before: '1. Do' });
    assert.equal(findFence(answer, 'a\n\nb')?.info, 'py x.py');
    assert.equal(findFence(answer, '```\nin\n```')?.info, 'md');
    assert.equal(findFence(answer, 'last')?.info, 'ts');
  });

  const named = (info: string, before = '', code = 'a();') => {
    const { title, mentioned } = namedFiles({ info, before }, code);
    return title ?? mentioned;
  };

  for (const [info, title] of Object.entries({
    'ts src/a.ts': 'src/a.ts',
    'ts title="src/a b.ts"': 'src/a b.ts',
    'ts title="Totals"': [],
    "js filename='lib/a.js'": 'lib/a.js',
    'ts:src/a.ts': 'src/a.ts',
    '12:40:src/a.ts': 'src/a.ts',
    'src\\host\\a.ts': 'src/host/a.ts',
    'js {file=./a.js}': 'a.js',
    Dockerfile: 'Dockerfile',
    'ts https://a.example/b.ts': [],
    ts: [],
    '': [],
  }))
    it(`names a file by its info: ${info}`, () => assert.deepEqual(named(info), title));

  it('names a file by its first line or a diff by its header, and drops that line', () => {
    for (const line of ['// src/a.ts', '# file: src/a.ts', '<!-- src/a.ts -->', '/* src/a.ts */']) {
      const found = namedFiles({ info: '', before: '' }, `${line}\nb();`);
      assert.deepEqual([found.title, found.code], ['src/a.ts', 'b();']);
    }
    const diff = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b';
    assert.equal(named('diff', '', diff), 'src/a.ts');
    assert.deepEqual(named('', '', '// Adds up.\na();'), []);
  });

  it('is for no file where a diff deletes it or a heading is only like a name', () => {
    const deleted = '--- a/src/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a';
    assert.deepEqual(named('diff', '', deleted), []);
    const text = '# LICENSE\nMIT';
    assert.deepEqual(namedFiles({ info: 'md', before: '' }, text), { mentioned: [], code: text });
  });

  it('may be for the files named before it, the nearest first', () => {
    const before = 'In `src/a.ts:12` and [that](src/b.ts#L3) see https://x.example/y.ts; then **src/c.ts**:';
    assert.deepEqual(named('ts', before), ['src/c.ts', 'src/b.ts', 'src/a.ts']);
  });

  it('of a shell has its commands without prompts and output', () => {
    assert.equal(commandsIn('npm ci\nnpm test\n', 'sh'), 'npm ci\nnpm test');
    assert.equal(commandsIn('$ npm ci\nadded 3 packages\n$ npm test', 'console'), 'npm ci\nnpm test');
    assert.equal(commandsIn('$ echo a \\\n> b\nout', ''), 'echo a \\\nb');
    assert.equal(commandsIn('echo $HOME', 'bash'), 'echo $HOME');
  });
});
