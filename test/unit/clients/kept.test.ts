import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changeText } from '../../../src/clients/clientFiles.ts';
import { UnchangeableFile } from '../../../src/clients/edit.ts';
import { type FormatName, formats } from '../../../src/clients/formats/allFormats.ts';

/** Trivia between two tokens of JSON with comments. */
const trivia = fc.constantFrom('', ' ', '\n', '\n  ', ' // one\n', ' /* two\n */ ', '\n\t');
const name = fc.constantFrom('env', 'a', 'b c', '"', 'ключ', '__proto__', 'models');
const scalar = fc
  .oneof(fc.integer(), fc.boolean(), fc.string(), fc.constant(null))
  .map((value) => JSON.stringify(value));

/** Objects and lists as people and programs write them. */
const { object } = fc.letrec<{ object: string; list: string; value: string }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('object'), tie('list')),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, tie('value'), trivia, trivia), {
        selector: ([key]) => key,
        maxLength: 4,
      }),
      trivia,
    )
    .map(
      ([members, last]) =>
        `{${members.map(([key, value, before, after]) => `${before}${JSON.stringify(key)}:${after}${value}`).join(',')}${last}}`,
    ),
  list: fc
    .tuple(fc.array(fc.tuple(tie('value'), trivia), { maxLength: 3 }), trivia)
    .map(([items, last]) => `[${items.map(([value, before]) => before + value).join(',')}${last}]`),
}));

const lines = (line: fc.Arbitrary<string>) => fc.array(line, { maxLength: 8 }).map((all) => all.join('\n'));
const count = fc.nat(9);
const tomlText = fc
  .tuple(
    lines(
      fc.oneof(
        fc.constant('# note'),
        fc.constant(''),
        count.map((n) => `top${n} = "x" # why`),
      ),
    ),
    lines(
      fc.oneof(
        fc.constant('# note'),
        fc.constant(''),
        count.map((n) => `[t${n}]`),
        count.map((n) => `k${n} = [1, 2] # k`),
      ),
    ),
  )
  .map((parts) => parts.join('\n'));
const yamlText = lines(
  fc.oneof(
    fc.constantFrom(
      '# note',
      '',
      'env: {x: 1} # flow',
      'env:',
      '  y: 2 # block',
      'list:',
      '- 1',
      '  - {a: 1}',
    ),
    count.map((n) => `top${n}: "x" # why`),
  ),
);

/** True if a text has all characters of the other in order, so nothing was lost. */
function holdsAll(text: string, before: string): boolean {
  let at = 0;
  for (const character of before.replace(/\s/g, '')) {
    at = text.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

describe('files of other programs, however they are written', () => {
  const edits = [
    { path: ['env', 'NEW'], value: 'added' },
    { path: ['fresh'], value: { deep: { list: [1, 'two'] } } },
  ];
  const texts: [FormatName, fc.Arbitrary<string>][] = [
    ['jsonc', object],
    ['json5', object],
    ['toml', tomlText],
    ['yaml', yamlText],
  ];

  for (const [format, text] of texts) {
    it(`lose nothing to what is added: ${format}`, async () => {
      const read = await formats[format]();
      let changed = 0;
      fc.assert(
        fc.property(text, fc.boolean(), (unix, isWindows) => {
          const before = isWindows ? unix.replaceAll('\n', '\r\n') : unix;
          let after: string;
          try {
            after = changeText(read, before, () => edits);
          } catch (error) {
            // Broken, or of the wrong type in our place: nothing is written.
            assert.ok(error instanceof UnchangeableFile, String(error));
            return;
          }
          changed++;
          // `null` counts as absent, and is replaced.
          if (!/null/.test(before)) assert.ok(holdsAll(after, before), `${before}\n→\n${after}`);
          assert.equal(
            changeText(read, after, () => edits),
            after,
          );
        }),
        { numRuns: 400, seed: 20_261_122 },
      );
      assert.ok(changed > 50, `only ${changed} were changed`);
    });
  }
});
