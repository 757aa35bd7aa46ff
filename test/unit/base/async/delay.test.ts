import assert from 'node:assert/strict';
import { delay } from '../../../../src/base/async/promises.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('delay', () => {
  it('resolves when its time has come', async () => {
    const clock = new ManualClock();
    const waiting = delay(100, new AbortController().signal, clock);
    clock.advance(100);
    await waiting;
  });

  it('clears its timer and rejects when aborted', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const waiting = delay(100, stop.signal, clock);
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    assert.equal(clock.pending, 0);
  });

  it('does not begin when aborted before', async () => {
    await assert.rejects(delay(100, AbortSignal.abort(new Error('enough'))), /enough/);
  });
});
