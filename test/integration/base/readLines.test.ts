import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readLines, readLinesBackwards } from '../../../src/base/files/readLines.ts';

describe('lines of a file', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('are the same from the beginning, from the end and split at once, however they lie in what is read', async () => {
    const path = join(folder, 'lines');
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '海', '🎉', '\r', '\0'), maxLength: 12 });
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (content, atOnce) => {
        await writeFile(path, content);
        const expected = content.split('\n').filter((each) => each !== '');
        const forwards: string[] = [];
        for await (const lines of readLines(path, {}, atOnce)) forwards.push(...lines);
        assert.deepEqual(forwards, expected);
        const bytes = await readFile(path);
        const backwards: string[] = [];
        for await (const lines of readLinesBackwards(path, bytes.length, atOnce)) {
          for (const { text: each, start } of lines) {
            assert.ok(bytes.subarray(start).toString().startsWith(each));
            const before: string[] = [];
            for await (const some of readLines(path, { to: start }, atOnce)) before.push(...some);
            assert.deepEqual(before, expected.slice(0, expected.length - backwards.length - 1));
            backwards.push(each);
          }
        }
        assert.deepEqual(backwards.toReversed(), expected);
      }),
      { numRuns: 300 },
    );
  });
});
