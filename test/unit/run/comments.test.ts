import assert from 'node:assert/strict';
import { readSources } from '../../run/imports.ts';

/** First words of a clause that lacks the thing it is about. */
const dangling = /^\s*(?:\/\*\*|\/\/|\*) (?:What|Of|Whether|Whom|As|So|In order)\b.*/gm;

describe('comments', () => {
  // A question may be the content of a field.
  const questions = /\b(?:What happened|What to do)\b/;

  for (const part of ['src', 'test'] as const)
    it(`begin with the thing, or with what it does, in ${part}`, async () => {
      const sources = await readSources(part);
      assert.ok(sources.length > 500);
      const found = sources.flatMap(({ path, text }) =>
        [...text.matchAll(dangling)]
          .filter(([line]) => !questions.test(line))
          .map(([line]) => `${part}/${path}: ${line.trim()}`),
      );
      assert.deepEqual(found, []);
    });
});
