import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { BlockReader } from '../../../src/webview/markdown/blockReader.ts';
import type { Block } from '../../../src/webview/markdown/blocks.ts';
import { md } from '../../../src/webview/markdown/parser.ts';
import { hostileTexts } from '../../bench/hostileTexts.ts';

/** Reads a text in pieces, and puts its blocks where they belong. */
function readBlocks(text: string, pieces = 1): Block[] {
  const reader = new BlockReader();
  const blocks: Block[] = [];
  const size = Math.ceil(text.length / pieces) || 1;
  for (let end = size; ; end += size) {
    const hasEnded = end >= text.length;
    for (let isComplete = false; !isComplete;) {
      const change = reader.read(text.slice(0, end), hasEnded);
      ({ isComplete } = change);
      blocks.splice(change.from, isComplete ? Infinity : change.blocks.length, ...change.blocks);
    }
    if (hasEnded) return blocks;
  }
}

/** The letters and digits that are seen. */
function lettersOf(blocks: readonly Block[]): string {
  const texts = blocks.map((block, index) => {
    if ('text' in block) return block.text;
    const before = blocks[index - 1];
    // A long table has its head above each of its parts.
    const isPart = 'items' in block && before && 'items' in before && before.open === block.open;
    const items = 'items' in block ? [isPart ? '' : block.open, ...block.items.map((item) => item.html)] : [];
    const html = block.type === 'html' ? block.html : items.join('');
    return html.replace(/<[^>]*>/g, '').replace(/&(?:amp|lt|gt|quot|#39);/g, ' ');
  });
  return texts.join('').replace(/[^\p{L}\p{N}]/gu, '');
}

describe('hostile Markdown', () => {
  it('is complete on the screen, at once and in pieces, whatever marks stand around its words', () => {
    const marks = [
      '*',
      '**',
      '_',
      '~~',
      '`',
      '> ',
      '- ',
      '1) ',
      '# ',
      '[',
      ']',
      '(',
      '!',
      '<',
      '>',
      '|',
      '\\',
      '\n',
      '\n\n',
    ];
    const part = fc.tuple(
      fc.constantFrom(...marks, '    ', '\n---\n', '\n===\n', '\n~~~\n', '$$', '\\(', '\\['),
      fc.nat(30),
    );
    const texts = fc.array(part, { maxLength: 60 }).map((parts) =>
      // What is behind `](` or `]:` is an address, what is behind a fence a language, and a list has numbers.
      parts
        .map(([mark, times], index) => `${mark.repeat(times % 7 === 0 ? times : 1)}w${index}x`)
        .join(' ')
        .replace(/\](?=[(:])/g, '] ')
        .replace(/(?<=^|\n)([\s>]*)(?:\d+[.)]|~~~+|```+)/g, '$1'),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, pieces) => {
        const words = (shown: string) => shown.match(/w\d+x/g) ?? [];
        assert.deepEqual(words(lettersOf(readBlocks(text))), words(text));
        assert.deepEqual(words(lettersOf(readBlocks(text, pieces))), words(text));
      }),
      { numRuns: 500 },
    );
  });

  for (const [name, text] of Object.entries(hostileTexts)) {
    if (/links|named/.test(name)) continue;
    it(`is complete: ${name}`, () => {
      // A word in the deepest of it, which would be the first to be dropped.
      const source = `${text(30_000)}word`;
      const language = /^```(\w+)/.exec(source)?.[1] ?? '';
      const letters = source.replace(/[^\p{L}\p{N}]/gu, '').slice(language.length);
      assert.ok(lettersOf(readBlocks(source)) === letters);
    });
  }

  describe('costs in proportion to its length', () => {
    const { State } = md.block;
    const { State: InlineState } = md.inline;
    let characters = 0;
    before(() => {
      md.block.State = class extends State {
        constructor(...args: ConstructorParameters<typeof State>) {
          super(...args);
          characters += this.src.length;
        }
      };
      md.inline.State = class extends InlineState {
        constructor(...args: ConstructorParameters<typeof InlineState>) {
          super(...args);
          characters += this.src.length;
        }
      };
    });
    after(() => {
      md.block.State = State;
      md.inline.State = InlineState;
    });
    const cost = (text: string, pieces: number) => {
      characters = 0;
      readBlocks(text, pieces);
      return characters;
    };

    for (const [name, text] of Object.entries(hostileTexts)) {
      it(`${name}, at once and streamed`, function () {
        this.timeout(60_000);
        for (const pieces of [1, 60]) {
          const once = cost(text(40_000), pieces);
          const twice = cost(text(80_000), 2 * pieces);
          assert.ok(twice <= 2.3 * once + 20_000, `${pieces} pieces: ${once}, then ${twice} characters`);
        }
      });
    }
  });
});
