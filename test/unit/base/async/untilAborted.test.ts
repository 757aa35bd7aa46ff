import assert from 'node:assert/strict';
import { untilAborted } from '../../../../src/base/async/promises.ts';

describe('untilAborted', () => {
  it('gives what the promise comes to', async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve(1), signal), 1);
    await assert.rejects(untilAborted(Promise.reject(new Error('no')), signal), /no/);
  });

  it('ends with the signal, before or while it waits', async () => {
    const abort = new AbortController();
    const waiting = untilAborted(new Promise(() => {}), abort.signal);
    abort.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    await assert.rejects(untilAborted(new Promise(() => {}), abort.signal), /stopped/);
  });

  it('leaves no failure unhandled that comes after the end', async () => {
    const late = Promise.reject(new Error('late'));
    await assert.rejects(untilAborted(late, AbortSignal.abort(new Error('stopped'))), /stopped/);
    await new Promise((resolve) => setImmediate(resolve));
  });
});
