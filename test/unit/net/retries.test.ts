import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import {
  defaultRetryPolicy,
  rateLimitRetryPolicy,
  Retries,
  retryDelayMs,
  type RetryPolicy,
} from '../../../src/net/retries.ts';

const policy: RetryPolicy = { retries: 4, firstMs: 500, maxMs: 3000, maxAskedMs: 60_000 };

describe('retryDelayMs', () => {
  it('doubles up to the limit, then gives up', () => {
    const pauses = [1, 2, 3, 4, 5].map((retry) => retryDelayMs(retry, undefined, policy, 1));
    assert.deepEqual(pauses, [500, 1000, 2000, 3000, undefined]);
  });

  it('waits as long as the server asks, but no more than a minute', () => {
    assert.equal(retryDelayMs(1, 7000, policy, 0), 7000);
    for (const each of [defaultRetryPolicy, rateLimitRetryPolicy]) {
      assert.equal(retryDelayMs(1, 60_000, each, 0), 60_000);
      assert.equal(retryDelayMs(1, 60_001, each, 0), undefined);
    }
    assert.equal(retryDelayMs(5, 0, policy, 0), undefined);
  });

  it('waits about a minute in all for a rate limit that names no time', () => {
    const sum = (random: number) =>
      [1, 2, 3, 4].reduce(
        (ms, retry) => ms + (retryDelayMs(retry, undefined, rateLimitRetryPolicy, random) ?? 0),
        0,
      );
    assert.equal((sum(0) + sum(1)) / 2, 56_250);
    assert.equal(retryDelayMs(5, undefined, rateLimitRetryPolicy, 0), undefined);
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

describe('the attempts of a request', () => {
  it('in another form, which was just learnt, use up no retry', async () => {
    const failure = new SwitchboardError('transient', 'Broken.');
    const { signal } = new AbortController();
    const once = { ...policy, retries: 1 };
    const retries = new Retries({
      judge: (thrown) => (thrown === 'learnt' ? 'now' : { failure, policy: once }),
      ...{ signal, random: () => 1 },
    });
    assert.equal(await retries.after('learnt'), undefined);
    assert.equal((await retries.after('broken'))?.event.delayMs, 500);
    await assert.rejects(retries.after('broken'), failure);
  });

  it('that are stopped during a pause tell what failed before', async () => {
    const failure = new SwitchboardError('transient', 'Broken.');
    const stop = new AbortController();
    const retries = new Retries({ judge: () => ({ failure, policy }), signal: stop.signal });
    const retry = await retries.after('broken');
    stop.abort();
    await assert.rejects(retry!.wait(), { code: 'cancelled', cause: failure });
  });
});
