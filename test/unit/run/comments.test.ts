import assert from 'node:assert/strict';
import { readSources } from '../../run/imports.ts';

/** First words of a clause that lacks the thing it is about. */
const dangling = /^\s*(?:\/\*\*|\/\/|\*) (?:What|Of|Whether|Whom|As|So|In order)\b.*/gm;

describe('the comments of src', () => {
  it('begin with the thing, or with what it does', async () => {
    // A question may be what a field holds.
    const questions = /\b(?:What happened|What to do)\b/;
    const found = (await readSources()).flatMap(({ path, text }) =>
      [...text.matchAll(dangling)]
        .filter(([line]) => !questions.test(line))
        .map(([line]) => `src/${path}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });
});
