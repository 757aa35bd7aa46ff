import assert from 'node:assert/strict';
import { Patience } from '../../../src/net/patience.ts';
import { ManualClock } from '../../support/manualClock.ts';

function setUp(limits: { firstTokenMs: number; idleMs: number }) {
  const clock = new ManualClock();
  const expired: string[] = [];
  const patience = new Patience({
    ...limits,
    address: 'https://relay.example/v1',
    clock,
    onExpired: (error) => expired.push(error.code),
  });
  return { clock, expired, patience };
}

describe('Patience', () => {
  it('limits the time until the answer begins, pings or not', () => {
    const { clock, expired, patience } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    patience.sent();
    for (let i = 0; i < 9; i++) {
      patience.waiting();
      clock.advance(110);
      patience.heard();
    }
    assert.deepEqual(expired, []);
    clock.advance(10);
    assert.deepEqual(expired, ['timeout-first-token']);
    assert.equal(clock.pending, 0);
  });

  it('limits silence once the answer has begun, however long it takes in all', () => {
    const { clock, expired, patience } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    patience.sent();
    patience.begun();
    for (let i = 0; i < 100; i++) {
      patience.waiting();
      clock.advance(99);
      patience.heard();
    }
    assert.deepEqual(expired, []);
    patience.waiting();
    clock.advance(100);
    assert.deepEqual(expired, ['timeout-idle']);
  });

  it('does not count the time that the reader takes', () => {
    const { clock, expired, patience } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    patience.sent();
    patience.begun();
    patience.waiting();
    patience.heard();
    clock.advance(10_000);
    patience.waiting();
    clock.advance(90);
    patience.heard();
    assert.deepEqual(expired, []);
  });

  it('begins to count silence while a read is under way', () => {
    const { clock, expired, patience } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    patience.sent();
    patience.waiting();
    clock.advance(500);
    patience.begun();
    clock.advance(100);
    assert.deepEqual(expired, ['timeout-idle']);
  });

  it('has no limit where it is 0', () => {
    const { clock, expired, patience } = setUp({ firstTokenMs: 0, idleMs: 0 });
    patience.sent();
    clock.advance(1e9);
    patience.begun();
    patience.waiting();
    clock.advance(1e9);
    assert.deepEqual(expired, []);
  });

  it('takes a shorter limit towards the end', () => {
    const { clock, expired, patience } = setUp({ firstTokenMs: 0, idleMs: 60_000 });
    patience.sent();
    patience.begun();
    patience.waiting();
    patience.heard();
    patience.setIdleLimit(250);
    patience.waiting();
    clock.advance(250);
    assert.deepEqual(expired, ['timeout-idle']);
  });

  it('leaves no timer behind', () => {
    const { clock, patience } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    patience.sent();
    patience.begun();
    patience.waiting();
    patience.dispose();
    assert.equal(clock.pending, 0);
    patience.sent();
    patience.begun();
    patience.waiting();
    assert.equal(clock.pending, 0);
  });

  it('does not take pings for life for ever once something of the answer came', () => {
    const { clock, expired, patience } = setUp({ firstTokenMs: 1000, idleMs: 100 });
    patience.sent();
    patience.begun();
    const ping = () => {
      patience.waiting();
      clock.advance(50);
      patience.heard();
    };
    patience.progressed();
    for (let i = 0; i < 39; i++) ping();
    // Something came: it counts anew.
    patience.progressed();
    for (let i = 0; i < 40; i++) ping();
    assert.deepEqual(expired, []);
    patience.waiting();
    assert.deepEqual(expired, ['timeout-idle']);
    assert.equal(clock.pending, 0);
  });
});
