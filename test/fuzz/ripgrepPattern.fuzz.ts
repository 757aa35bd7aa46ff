import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { LineMatcher } from '../../src/tools/search/lineMatcher.ts';
import { compilePattern } from '../../src/tools/search/linePattern.ts';
import { ripgrepPatterns } from '../../src/tools/search/ripgrepPattern.ts';
import { vscodeRipgrep } from '../support/searchParts.ts';
import type { Target } from './property.ts';

const letters = [
  'a',
  'b',
  'k',
  'K',
  's',
  'ſ',
  '\u212a',
  'é',
  'É',
  'ß',
  '漢',
  '😀',
  '1',
  '_',
  ' ',
  '\t',
  '-',
  '.',
  '\u00a0',
  '\u2028',
];
const escapes = [
  ...[
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\D',
    '\\W',
    '\\S',
    '\\b',
    '\\B',
    '\\.',
    '\\t',
    '\\x61',
    '\\u00e9',
    '\\u{1F600}',
    '\\p{L}',
  ],
  ...['\\P{L}', '\\-', '\\(', '^', '$'],
];
const inClass = fc.constantFrom(
  'a-k',
  'é',
  '\\d',
  '\\w',
  '\\s',
  '\\S',
  '\\W',
  '-',
  '\\]',
  '\\-',
  '_',
  '漢',
  'K',
  '\\x41-\\x5a',
  '.',
  '\\p{Lu}',
);

const expression: fc.Arbitrary<string> = fc.letrec<{ all: string; piece: string; atom: string }>((tie) => ({
  all: fc
    .array(
      fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .map((ways) => ways.join('|')),
  piece: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{1,2}', '*?', '{0,}'))
    .map(([atom, times]) => atom + times),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...letters.filter((letter) => letter !== '.')),
    fc.constantFrom(...escapes),
    fc
      .tuple(fc.constantFrom('', '^'), fc.array(inClass, { minLength: 1, maxLength: 3 }))
      .map(([not, parts]) => `[${not}${parts.join('')}]`),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<n>', '(?P<m>'), tie('all'))
      .map(([open, inside]) => `${open}${inside})`),
  ),
})).all;
const line = fc.array(fc.constantFrom(...letters), { maxLength: 6 }).map((parts) => parts.join(''));
const program = vscodeRipgrep();

/** Number of lines ripgrep finds; it says where it cannot tell, and the product then searches itself. */
async function count(args: readonly string[], content: Buffer): Promise<number> {
  const common = ['--no-config', '--count', '--no-filename', '--no-mmap', '--color=never'];
  const { status, stdout, stderr } = spawnSync(await program, [...common, ...args, '--', '-'], {
    input: content,
  });
  fc.pre(status !== 2);
  assert.ok(status === 0 || status === 1, String(stderr));
  return Number(String(stdout).trim() || '0');
}

export const target: Target = {
  'finds every line that matches': {
    runs: 300,
    property: fc.asyncProperty(
      fc.oneof(
        { weight: 4, arbitrary: fc.tuple(expression, fc.constant(true)) },
        { weight: 1, arbitrary: fc.tuple(line, fc.constant(false)) },
      ),
      fc.boolean(),
      fc.array(line, { minLength: 20, maxLength: 20 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async ([query, isRegex], ignoreCase, lines, end, isLatin) => {
        const pattern = compilePattern({ query, isRegex, ignoreCase });
        fc.pre(!('problem' in pattern));
        const patterns = ripgrepPatterns(pattern, undefined);
        fc.pre(patterns !== undefined);
        const matcher = new LineMatcher(pattern);
        const matching = lines.filter((each) => {
          // eslint-disable-next-line no-control-regex -- what a byte holds
          const canBeWritten = !isLatin || /^[\x00-\x7f\xa0-\xff]*$/.test(each);
          return canBeWritten && matcher.match(`${each}\n`, 0, 1).length > 0;
        });
        fc.pre(matching.length > 0);
        const content = Buffer.from(matching.map((each) => each + end).join(''), isLatin ? 'latin1' : 'utf8');
        // One pattern is for UTF-8 files, the other for all others.
        const counts = await Promise.all(patterns.map((args) => count(args, content)));
        assert.equal(Math.max(...counts), matching.length, patterns[0]?.join(' '));
      },
    ),
  },
};
