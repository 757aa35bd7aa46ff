import assert from 'node:assert/strict';
import { ResponseTimeouts } from '../../../src/net/responseTimeouts.ts';
import { ManualClock } from '../../support/manualClock.ts';

function setUp(limits: { firstTokenMs: number; idleMs: number }) {
  const clock = new ManualClock();
  const expired: string[] = [];
  const timeouts = new ResponseTimeouts({
    ...limits,
    address: 'https://relay.example/v1',
    clock,
    onExpired: (error) => expired.push(error.code),
  });
  return { clock, expired, timeouts };
}

describe('ResponseTimeouts', () => {
  it('limits the time until the answer begins, pings or not', () => {
    const { clock, expired, timeouts } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    timeouts.onSent();
    for (let i = 0; i < 9; i++) {
      timeouts.onWait();
      clock.advance(110);
      timeouts.onData();
    }
    assert.deepEqual(expired, []);
    clock.advance(10);
    assert.deepEqual(expired, ['timeout-first-token']);
    assert.equal(clock.pending, 0);
  });

  it('limits silence once the answer has begun, however long it takes in all', () => {
    const { clock, expired, timeouts } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    timeouts.onSent();
    timeouts.onFirstByte();
    for (let i = 0; i < 100; i++) {
      timeouts.onWait();
      clock.advance(99);
      timeouts.onData();
    }
    assert.deepEqual(expired, []);
    timeouts.onWait();
    clock.advance(100);
    assert.deepEqual(expired, ['timeout-idle']);
  });

  it('does not count the time that the reader takes', () => {
    const { clock, expired, timeouts } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    timeouts.onSent();
    timeouts.onFirstByte();
    timeouts.onWait();
    timeouts.onData();
    clock.advance(10_000);
    timeouts.onWait();
    clock.advance(90);
    timeouts.onData();
    assert.deepEqual(expired, []);
  });

  it('begins to count silence while a read is under way', () => {
    const { clock, expired, timeouts } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    timeouts.onSent();
    timeouts.onWait();
    clock.advance(500);
    timeouts.onFirstByte();
    clock.advance(100);
    assert.deepEqual(expired, ['timeout-idle']);
  });

  it('has no limit where it is 0', () => {
    const { clock, expired, timeouts } = setUp({ firstTokenMs: 0, idleMs: 0 });
    timeouts.onSent();
    clock.advance(1e9);
    timeouts.onFirstByte();
    timeouts.onWait();
    clock.advance(1e9);
    assert.deepEqual(expired, []);
  });

  it('takes a shorter limit towards the end', () => {
    const { clock, expired, timeouts } = setUp({ firstTokenMs: 0, idleMs: 60_000 });
    timeouts.onSent();
    timeouts.onFirstByte();
    timeouts.onWait();
    timeouts.onData();
    timeouts.setIdleLimit(250);
    timeouts.onWait();
    clock.advance(250);
    assert.deepEqual(expired, ['timeout-idle']);
  });

  it('leaves no timer behind', () => {
    const { clock, timeouts } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    timeouts.onSent();
    timeouts.onFirstByte();
    timeouts.onWait();
    timeouts.dispose();
    assert.equal(clock.pending, 0);
    timeouts.onSent();
    timeouts.onFirstByte();
    timeouts.onWait();
    assert.equal(clock.pending, 0);
  });

  it('does not take pings for life for ever once something of the answer came', () => {
    const { clock, expired, timeouts } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    timeouts.onSent();
    timeouts.onFirstByte();
    const ping = () => {
      timeouts.onWait();
      clock.advance(50);
      timeouts.onData();
    };
    timeouts.onProgress();
    for (let i = 0; i < 39; i++) ping();
    timeouts.onProgress();
    for (let i = 0; i < 40; i++) ping();
    assert.deepEqual(expired, []);
    timeouts.onWait();
    assert.deepEqual(expired, ['timeout-idle']);
    assert.equal(clock.pending, 0);
  });
});
