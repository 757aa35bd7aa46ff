import assert from 'node:assert/strict';
import { detectStalls, stalled } from '../../../../src/apps/client/detectStalls.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('detectStalls', () => {
  it('says again and again that nothing comes, and then gives what came', async () => {
    const clock = new ManualClock();
    let give: (value: string) => void = () => {};
    async function* source() {
      yield 'first';
      yield await new Promise<string>((resolve) => (give = resolve));
    }
    const noticed = detectStalls(source(), () => 100, clock);
    assert.equal((await noticed.next()).value, 'first');
    for (const wait of [1, 2]) {
      const next = noticed.next();
      await turn();
      clock.advance(100);
      assert.equal((await next).value, stalled, `wait ${wait}`);
    }
    const next = noticed.next();
    give('second');
    assert.equal((await next).value, 'second');
    assert.equal((await noticed.next()).done, true);
    assert.equal(clock.pending, 0);
  });

  it('passes failures on', async () => {
    async function* source() {
      yield 1;
      throw new Error('broken');
    }
    const noticed = detectStalls(source(), () => 100, new ManualClock());
    await noticed.next();
    await assert.rejects(noticed.next(), /broken/);
  });

  it('can be left while the source waits', async () => {
    const clock = new ManualClock();
    async function* source() {
      await new Promise(() => {});
      yield 1;
    }
    for await (const event of detectStalls(source(), () => 100, {
      now: () => 0,
      after(ms, call) {
        queueMicrotask(() => clock.advance(ms));
        return clock.after(ms, call);
      },
    })) {
      assert.equal(event, stalled);
      break;
    }
    assert.equal(clock.pending, 0);
  });
});
