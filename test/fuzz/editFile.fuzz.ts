import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyReplacements, type Replacement } from '../../src/tools/edits/replacements.ts';
import type { Target } from './property.ts';
import { createGiveWay } from '../../src/base/async/promises.ts';

const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  'aa',
  '\n',
  '\r\n',
  '\r',
  '$&',
  '$1',
  '.*',
  '(',
  '\\',
  ' ',
  '\t',
  'é',
  '',
);
const text = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''));

/** Occurrences from the left by brute force; either kind of line end matches the other. */
function occurrences(whole: string, wanted: string): [start: number, end: number][] {
  const found: [number, number][] = [];
  const symbols = (wanted.match(/\r\n|[^]/g) ?? []).map((symbol) => (symbol === '\r\n' ? '\n' : symbol));
  for (let start = 0; start < whole.length; start++) {
    let at = start;
    const fits = symbols.every((symbol) => {
      const length = symbol === '\n' && whole.startsWith('\r\n', at) ? 2 : 1;
      const isSame = length === 2 || whole[at] === symbol;
      at += length;
      return isSame;
    });
    if (!fits || symbols.length === 0) continue;
    found.push([start, at]);
    start = at - 1;
  }
  return found;
}

function hasLooseEnds(each: string): boolean {
  return /[ \t\r](?:\r?\n|$)/.test(each);
}

/** The replaced text, or the number of the first replacement that doesn't fit. */
function byHand(whole: string, replacements: readonly Replacement[]): string | number {
  const isWindows = (whole.match(/\r\n/g)?.length ?? 0) * 2 > (whole.match(/\n/g)?.length ?? 0);
  let current = whole;
  for (const [index, { oldText, newText, all }] of replacements.entries()) {
    const inserted = newText.replace(/\r\n/g, '\n').replace(/\n/g, () => (isWindows ? '\r\n' : '\n'));
    if (oldText === '') {
      if (current !== '') return index;
      current = newText;
      continue;
    }
    const found = occurrences(current, oldText);
    if (found.length === 0 || (found.length > 1 && !all)) return index;
    for (const [start, end] of found.toReversed()) {
      current = current.slice(0, start) + inserted + current.slice(end);
    }
  }
  return current;
}

export const target: Target = {
  'makes all replacements exactly, or none': {
    runs: 6000,
    property: fc.asyncProperty(
      text,
      fc.array(fc.record({ oldText: text, newText: text, all: fc.boolean() }), {
        minLength: 1,
        maxLength: 4,
      }),
      async (whole, replacements) => {
        // Trailing white space may match where it differs.
        fc.pre(
          ![whole, ...replacements.flatMap(({ oldText, newText }) => [oldText, newText])].some(hasLooseEnds),
        );
        const expected = byHand(whole, replacements);
        const outcome = await applyReplacements(whole, replacements, createGiveWay());
        if (typeof expected === 'string') assert.deepEqual(outcome, { text: expected });
        else {
          assert.ok('problem' in outcome);
          if (replacements.length > 1)
            assert.match(outcome.problem, new RegExp(`^Replacement ${expected + 1} of`));
        }
      },
    ),
  },
  'replaces what stands there once, and nothing else': {
    runs: 3000,
    property: fc.asyncProperty(
      text,
      text,
      text,
      text,
      fc.nat(),
      async (before, middle, after, newText, number) => {
        const oldText = `${middle}<${number}>`;
        const outcome = await applyReplacements(
          before + oldText + after,
          [{ oldText, newText }],
          createGiveWay(),
        );
        fc.pre(!(before.endsWith('\r') && oldText.startsWith('\n')));
        assert.ok('text' in outcome);
        assert.ok(outcome.text.startsWith(before) && outcome.text.endsWith(after));
        const now = outcome.text.slice(before.length, outcome.text.length - after.length);
        const plain = (lines: string) => lines.replace(/\r+\n/g, '\n');
        assert.equal(plain(now), plain(newText));
      },
    ),
  },
};
