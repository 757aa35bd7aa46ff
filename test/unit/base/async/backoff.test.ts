import assert from 'node:assert/strict';
import { Backoff } from '../../../../src/base/async/backoff.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('a backoff', () => {
  const second = 1000;
  const minute = 60 * second;
  const running = new AbortController().signal;
  const busy = (retryAfterMs?: number) =>
    new SwitchboardError('rate-limit', 'Later.', retryAfterMs === undefined ? {} : { retryAfterMs });

  function backoffOf(most = 10) {
    const clock = new ManualClock();
    const pauses: (number | undefined)[] = [];
    const backoff = new Backoff<'limit'>({
      clock,
      pauseAfter: ({ retryAfterMs }) => ({
        ...{ reason: 'limit', firstMs: 20 * second, most },
        askedMs: retryAfterMs,
      }),
      onPause: (pause) => pauses.push(pause?.ms),
    });
    return { backoff, clock, pauses };
  }

  it('doubles its pauses up to a minute, and begins again after a success', () => {
    const { backoff, clock, pauses } = backoffOf();
    for (let pause = 0; pause < 4; pause++) {
      assert.ok(backoff.backOff(busy()));
      clock.advance(minute);
    }
    backoff.onSuccess();
    backoff.backOff(busy());
    assert.deepEqual(pauses, [20 * second, 40 * second, minute, minute, 20 * second]);
  });

  it('takes requests that fail during a pause, or succeed in it, for old news', () => {
    const { backoff, clock, pauses } = backoffOf();
    assert.ok(backoff.backOff(busy()));
    assert.ok(backoff.backOff(busy()));
    backoff.onSuccess();
    clock.advance(minute);
    backoff.backOff(busy());
    assert.deepEqual(pauses, [20 * second, 40 * second]);
  });

  it('waits as long as the server asks for, but leaves more than a minute to the user', () => {
    const { backoff, clock, pauses } = backoffOf();
    assert.ok(backoff.backOff(busy(minute)));
    clock.advance(minute);
    assert.ok(!backoff.backOff(busy(minute + 1)));
    assert.deepEqual(pauses, [minute]);
  });

  it('gives up after so many pauses', () => {
    const { backoff, clock } = backoffOf(2);
    const tries = [1, 2, 3].map(() => {
      const goesOn = backoff.backOff(busy());
      clock.advance(minute);
      return goesOn;
    });
    assert.deepEqual(tries, [true, true, false]);
  });

  it('is waited for by all, and over once', async () => {
    const { backoff, clock, pauses } = backoffOf();
    backoff.backOff(busy());
    const waiting = backoff.wait(running);
    clock.advance(20 * second);
    await waiting;
    await backoff.wait(running);
    assert.deepEqual(pauses, [20 * second, undefined]);
  });
});
