import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRetryAfter, retryDelayMs, type RetryPolicy } from '../../../src/net/retry.ts';

const policy: RetryPolicy = { retries: 4, firstMs: 500, maxMs: 3000, maxAskedMs: 60_000 };

describe('retryDelayMs', () => {
  it('doubles up to the limit, then gives up', () => {
    const pauses = [1, 2, 3, 4, 5].map((retry) => retryDelayMs(retry, undefined, policy, 1));
    assert.deepEqual(pauses, [500, 1000, 2000, 3000, undefined]);
  });

  it('waits as long as the server asks, but not for ever', () => {
    assert.equal(retryDelayMs(1, 7000, policy, 0), 7000);
    assert.equal(retryDelayMs(1, 60_001, policy, 0), undefined);
    assert.equal(retryDelayMs(5, 0, policy, 0), undefined);
  });

  it('stays between half and whole of the pause', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (retry, random) => {
          const full = Math.min(500 * 2 ** (retry - 1), 3000);
          const pause = retryDelayMs(retry, undefined, policy, random);
          assert.ok(pause !== undefined && pause >= full / 2 && pause <= full);
        },
      ),
    );
  });
});

describe('readRetryAfter', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  const rows: [headers: Record<string, string>, ms: number | undefined][] = [
    [{}, undefined],
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': ' 0.5 ' }, 500],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  ];
  for (const [headers, ms] of rows) {
    it(`reads ${JSON.stringify(headers)}`, () => assert.equal(readRetryAfter(headers, now), ms));
  }
});
