import assert from 'node:assert/strict';
import fc from 'fast-check';
import data from '../../../fixtures/contextRefusals.txt';
import { readContextRefusal, type ContextRefusal } from '../../../../src/chat/context/contextRefusal.ts';

/** Servers' messages with the facts in them. */
const refusals = data
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): [text: string, said: ContextRefusal] => {
    const [, window, prompt, text = ''] = /^(\d+|-) (\d+|-) ?(.*)$/.exec(line) ?? assert.fail(line);
    return [
      text,
      {
        ...(window !== '-' && { window: Number(window) }),
        ...(prompt !== '-' && { prompt: Number(prompt) }),
      },
    ];
  });

describe('chat/contextRefusal', () => {
  for (const [text, said] of refusals) {
    it(`reads ${JSON.stringify(text.slice(0, 80))}`, () => assert.deepEqual(readContextRefusal(text), said));
  }

  it('makes sane numbers of any text, in linear time', () => {
    const words = fc.constantFrom(
      'maximum',
      'context',
      'length',
      'is',
      '>',
      '(',
      '最大',
      'tokens',
      '8192',
      '1,',
      'k',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 40 }), (parts) => {
        for (const number of Object.values(readContextRefusal(parts.join(' ')))) {
          assert.ok(Number.isInteger(number) && number >= 256 && number <= 20_000_000);
        }
      }),
    );
    // A backtracking pattern would exceed the test's limit.
    readContextRefusal('maximum context length is '.repeat(20_000) + '1,'.repeat(20_000));
  });
});
