import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hostileTexts } from '../../bench/hostileTexts.ts';
import {
  charactersRead,
  lettersOf,
  readBlocks,
  wordsAmongMarks,
  wordsIn,
} from '../../support/readMarkdown.ts';

describe('hostile Markdown', () => {
  it('is complete on the screen, at once and in pieces, whatever marks stand around its words', () => {
    fc.assert(
      fc.property(wordsAmongMarks, fc.integer({ min: 1, max: 40 }), (text, pieces) => {
        assert.deepEqual(wordsIn(lettersOf(readBlocks(text))), wordsIn(text));
        assert.deepEqual(wordsIn(lettersOf(readBlocks(text, pieces))), wordsIn(text));
      }),
      { numRuns: 500 },
    );
  });

  it('shows the cells that a row has beyond its table, also in a list in a quotation', () => {
    for (const before of ['', '> - ']) {
      const lines = ['|a|b|', '|-|-|', '|1|2|3|', '|4|5|\\|6|7', '|8|'].map(
        (line, index) => (index === 0 || before === '' ? before : '>   ') + line,
      );
      assert.equal(lettersOf(readBlocks(lines.join('\n'))), 'ab12345678');
    }
  });

  it('ends code where the last line does, whatever space is in it', () => {
    for (const end of ['\ufeff', '\u3000', '    ```', '```\ufeff']) {
      const text = '```\ncode\n' + end;
      assert.deepEqual(readBlocks(text, text.length), readBlocks(text));
      assert.deepEqual(readBlocks(text), [
        { type: 'code', language: '', text: `code\n${end}`, closed: false },
      ]);
    }
  });

  it('formats fewer tasks than items of a quotation, since each has a box to be drawn', () => {
    const isFormatted = (line: string, count: number) =>
      readBlocks(line.repeat(count)).every(({ type }) => type !== 'plain');
    assert.ok(isFormatted('> - x\n', 600));
    assert.ok(!isFormatted('> - [ ] x\n', 600));
    assert.ok(isFormatted('> - [ ] x\n', 300));
  });

  for (const [name, text] of Object.entries(hostileTexts)) {
    if (/links|named/.test(name)) continue;
    it(`is complete: ${name}`, () => {
      // A word at the deepest level would be dropped first.
      const source = `${text(15_000)}word`;
      const language = /^```(\w+)/.exec(source)?.[1] ?? '';
      const letters = source.replace(/[^\p{L}\p{N}]/gu, '').slice(language.length);
      assert.ok(lettersOf(readBlocks(source)) === letters);
    });
  }

  describe('costs in proportion to its length', () => {
    const cost = (text: string, pieces: number) => charactersRead(() => readBlocks(text, pieces));

    for (const [name, text] of Object.entries(hostileTexts)) {
      // Longer than a block may be; a wide table has 16 cells per character.
      const length = name === 'short rows of a wide table' ? 10_000 : 40_000;
      it(`${name}, at once and streamed`, function () {
        this.timeout(60_000);
        for (const pieces of [1, 20]) {
          const once = cost(text(length), pieces);
          const twice = cost(text(2 * length), 2 * pieces);
          assert.ok(twice <= 2.3 * once + 20_000, `${pieces} pieces: ${once}, then ${twice} characters`);
        }
      });
    }
  });
});
