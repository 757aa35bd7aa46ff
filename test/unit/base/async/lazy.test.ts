import assert from 'node:assert/strict';
import { lazy } from '../../../../src/base/async/lazy.ts';

describe('lazy', () => {
  it('creates once, and again only after a failure', async () => {
    let created = 0;
    let fails = true;
    const get = lazy(async () => {
      created++;
      if (fails) throw new Error('not yet');
      return created;
    });
    await assert.rejects(Promise.all([get(), get()]), /not yet/);
    assert.equal(created, 1);
    fails = false;
    assert.deepEqual(await Promise.all([get(), get()]), [2, 2]);
    assert.equal(await get(), 2);
  });
});
