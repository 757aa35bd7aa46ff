import assert from 'node:assert/strict';
import fc from 'fast-check';
import { charactersRead, lettersOf, readBlocks, wordsAmongMarks, wordsIn } from '../support/readMarkdown.ts';
import { hostileText } from './inputs.ts';
import type { Target } from './property.ts';

const parts = [
  ...[
    '*',
    '_',
    '~~',
    '`',
    '```',
    '~~~',
    '>',
    '> ',
    '- ',
    '* ',
    '1. ',
    '+ ',
    '#',
    '=',
    '---',
    '[',
    ']',
    '(',
    ')',
  ],
  ...['|', '|-', '|a', '!', '\\', '$$', '\\(', '\\[', '[ ] ', '[1]', '[a]: b', '](', '<a ', '<!--', '&amp;'],
  ...['http://a', '.', '@', 'a', 'word', '\n', '\n\n', '\n  ', '\n    ', '\n| a | b |\n|--|--|\n'],
];
const pieces = fc.integer({ min: 1, max: 40 });
/** Repetition is where parsers become slow. */
const repeated = fc
  .tuple(hostileText(parts, 4), hostileText(parts, 3), hostileText(parts, 4))
  .map(([before, part, after]) => (length: number) => {
    const times = part === '' ? 0 : Math.ceil(length / part.length);
    return before + part.repeat(times) + after;
  });

const tags = [
  'b',
  'i',
  'br',
  'sub',
  'sup',
  'kbd',
  'details',
  'summary',
  'u',
  'script',
  'img',
  'a',
  'svg',
  'style',
];
const tag = fc
  .tuple(
    fc.constantFrom('<', '</', '< ', '<<', '&lt;'),
    fc.constantFrom(...tags, ...tags.map((name) => name.toUpperCase())),
    fc.constantFrom('>', '/>', ' />', ' >', ' onclick="x">', '\t>', '\n>', '', ' style=x>', '\0>'),
  )
  .map((all) => all.join(''));
const tagged = fc
  .array(fc.oneof(tag, fc.constantFrom(...parts, '<details>\n', '</details>\n', '<summary>a</summary>\n')), {
    maxLength: 60,
  })
  .map((all) => all.join(''));
/** All that the renderer may write: these elements, and attributes that only it sets. */
const written =
  /^<(?:\/?(?:b|i|sub|sup|kbd|details|summary)|br|\/?(?:a|blockquote|code|del|em|h[1-6]|hr|li|ol|p|pre|span|strong|table|tbody|td|th|thead|tr|ul)(?: (?:align|aria-label|class|colspan|href|role|start|title)="[^"<>]*")*)>$/;

export const target: Target = {
  'lets no HTML through but a few elements without attributes': {
    runs: 1000,
    property: fc.property(tagged, pieces, (text, count) => {
      for (const block of readBlocks(text, count)) {
        const html = 'html' in block ? block.html : '';
        const items = 'items' in block ? [block.open, ...block.items.map((item) => item.html)] : [];
        for (const found of [html, ...items].join('').match(/<[^>]*>?/g) ?? []) assert.match(found, written);
      }
    }),
  },
  'shows every word, at once and in pieces': {
    runs: 600,
    property: fc.property(wordsAmongMarks, pieces, (text, count) => {
      assert.deepEqual(wordsIn(lettersOf(readBlocks(text))), wordsIn(text));
      assert.deepEqual(wordsIn(lettersOf(readBlocks(text, count))), wordsIn(text));
    }),
  },
  'ends with the same blocks in pieces as at once': {
    runs: 600,
    property: fc.property(hostileText(parts, 60), pieces, (text, count) => {
      assert.deepEqual(settled(readBlocks(text, count)), settled(readBlocks(text)));
    }),
  },
  'reads in proportion to the length, at once and in pieces': {
    runs: 30,
    property: fc.property(repeated, pieces, (text, count) => {
      const cost = (length: number, times: number) =>
        charactersRead(() => readBlocks(text(length), times * count));
      const once = cost(40_000, 1);
      const twice = cost(80_000, 2);
      assert.ok(twice <= 2.3 * once + 20_000, `${once}, then ${twice} characters`);
    }),
  },
};

function settled(blocks: ReturnType<typeof readBlocks>): object[] {
  return blocks.map((block) =>
    'items' in block
      ? { ...block, stable: 0, items: block.items.map(({ html, source }) => ({ html, source })) }
      : block,
  );
}
