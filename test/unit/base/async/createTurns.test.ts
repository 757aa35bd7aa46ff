import assert from 'node:assert/strict';
import { createTurns, Deferred } from '../../../../src/base/async/promises.ts';

describe('createTurns', () => {
  it('begins no work before the one before has ended, and goes on after one that failed', async () => {
    const inTurn = createTurns();
    const { promise, resolve } = new Deferred();
    const done: string[] = [];
    const first = inTurn(async () => {
      await promise;
      done.push('first');
      throw new Error('first');
    });
    const second = inTurn(async () => done.push('second'));
    resolve();
    await assert.rejects(first, /first/);
    assert.equal(await second, 2);
    assert.deepEqual(done, ['first', 'second']);
  });
});
