import assert from 'node:assert/strict';
import { SearchWorkers } from '../../../../src/tools/search/searchWorkers.ts';

describe('tools: search workers', () => {
  it('lets at most two out, gives waiting searches their turn in order, and lets go of who left', async () => {
    const workers = new SearchWorkers('/no/such/script.mjs', 1000);
    const { signal } = new AbortController();
    const leaving = new AbortController();
    const first = await workers.take(signal);
    const second = await workers.take(signal);
    const order: string[] = [];
    const third = workers.take(signal).then((worker) => (order.push('third'), worker));
    const gone = workers.take(leaving.signal);
    const fourth = workers.take(signal).then((worker) => (order.push('fourth'), worker));
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    assert.equal(order.length, 0);
    leaving.abort();
    await assert.rejects(gone);
    workers.giveBack(first);
    const late = workers.take(signal).then((worker) => (order.push('late'), worker));
    const thirdWorker = await third;
    assert.deepEqual(order, ['third']);
    workers.giveBack(second);
    workers.giveBack(thirdWorker);
    workers.giveBack(await fourth);
    workers.giveBack(await late);
    assert.deepEqual(order, ['third', 'fourth', 'late']);
    workers.dispose();
  });
});
