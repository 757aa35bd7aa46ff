import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SuggestionCache } from '../../src/chat/suggestions/suggestionCache.ts';
import { sentSurroundings } from '../../src/chat/suggestions/suggestionPlace.ts';
import {
  closedAfter,
  mostCharacters,
  mostLines,
  trimSuggestion,
} from '../../src/chat/suggestions/trimSuggestion.ts';
import { hostileText } from './inputs.ts';
import type { Target } from './property.ts';

const words = [
  'f(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '\n',
  '\n}\n',
  '  ',
  'return a;',
  ';',
  ',',
  '`',
  'sk-',
  'done();',
];
const code = hostileText(words, 25);

/** Code whose brackets and quotes have partners, without blanks at its ends. */
const balanced = fc
  .array(fc.constantFrom('a', 'b.c', '(d)', '[0]', '{ e }', '"f"', ', ', ' + ', '(g, {h: [1]})'), {
    maxLength: 6,
  })
  .map((parts) => parts.join('').trim());

export const target: Target = {
  'shows a bounded beginning of the answer': {
    runs: 3000,
    property: fc.property(code, code, fc.boolean(), (answer, after, isCut) => {
      const shown = trimSuggestion(answer, { before: '', after }, isCut);
      assert.ok(answer.replaceAll('\r\n', '\n').startsWith(shown));
      assert.ok(shown.length <= mostCharacters && shown.split('\n').length <= mostLines);
      assert.equal(shown, shown.trimEnd());
      assert.ok(closedAfter(shown, after) <= after.length);
    }),
  },
  'leaves out what follows the caret, and no more of balanced code': {
    runs: 2000,
    property: fc.property(balanced, fc.nat(30), (inserted, length) => {
      const after = ');\n  next();\n}\n';
      const answer = inserted + after.slice(0, length);
      const shown = trimSuggestion(answer, { before: '', after });
      // Balanced code alone may only lose blanks.
      assert.equal(shown, inserted);
    }),
  },
  'finds a suggestion again after any part of it was typed': {
    runs: 1000,
    property: fc.property(code, code, code, fc.nat(), (before, after, suggested, at) => {
      const cache = new SuggestionCache();
      const place = { path: 'a', text: before + after, caret: before.length, offset: before.length };
      cache.add(place, suggested);
      const typed = suggested.slice(0, at % (suggested.length + 1));
      const text = before + typed;
      const found = cache.find({ ...place, text: text + after, caret: text.length, offset: text.length });
      const rest = suggested.slice(typed.length);
      assert.equal(found, rest === '' && typed !== '' ? undefined : rest);
    }),
  },
  'sends no text with a secret in it': {
    runs: 500,
    property: fc.property(code, code, fc.boolean(), (before, after, isAfter) => {
      const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
      const line = `\ntoken = "${secret}"\n`;
      const [left, right] = isAfter ? [before, `\n${line}${after}`] : [`${before}${line}\n`, after];
      const sent = sentSurroundings({ path: 'a', text: left + right, caret: left.length, offset: 0 });
      assert.ok(!JSON.stringify(sent ?? '').includes(secret.slice(8)));
    }),
  },
};
