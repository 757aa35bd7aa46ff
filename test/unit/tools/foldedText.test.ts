import assert from 'node:assert/strict';
import { foldedPlaces } from '../../../src/tools/foldedText.ts';
import { processorMs } from '../../support/processorTime.ts';

describe('finding what only looks alike', () => {
  it('finds it in a file of some size', () => {
    const before = 'const a = 1;\n'.repeat(4000);
    assert.deepEqual(foldedPlaces(`${before}say(“hi”);  \r\nend`, 'say("hi");\nend'), [
      [before.length, before.length + 17],
    ]);
  });

  it('takes no more than a moment, whatever a model asks for', () => {
    const cases = [
      ['a\n'.repeat(100_000), `${'a\n'.repeat(5000)}b`],
      [' '.repeat(100_000), `${' '.repeat(50_000)}x`],
      ['y', `${' '.repeat(100_000)}x`],
      ['\u2013'.repeat(50_000), `${'-'.repeat(25_000)}x`],
    ] as const;
    for (const [text, wanted] of cases) {
      let found: unknown;
      const ms = processorMs(() => (found = foldedPlaces(text, wanted)));
      assert.deepEqual(found, []);
      assert.ok(ms < 2000, `${ms} ms`);
    }
  });
});
