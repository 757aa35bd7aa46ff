import assert from 'node:assert/strict';
import { UrgentWork } from '../../../../src/base/async/urgentWork.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('UrgentWork', () => {
  function setUp() {
    const clock = new ManualClock();
    const urgent = new UrgentWork(clock);
    const done: number[] = [];
    const tell = (n: number) => urgent.afterwards(() => done.push(n));
    return { clock, urgent, done, tell };
  }

  it('holds up nothing where nothing is urgent', () => {
    const { clock, done, tell } = setUp();
    tell(1);
    assert.deepEqual([done, clock.pending], [[1], 0]);
  });

  it('comes before what is told meanwhile, which follows in its order', () => {
    const { clock, urgent, done, tell } = setUp();
    urgent.begin();
    tell(1);
    tell(2);
    assert.deepEqual(done, []);
    urgent.end();
    tell(3);
    urgent.end();
    assert.deepEqual([done, clock.pending], [[1, 2, 3], 0]);
  });

  it('holds up the rest for a moment at most, from the last that began', () => {
    const { clock, urgent, done, tell } = setUp();
    urgent.begin();
    tell(1);
    clock.advance(150);
    urgent.begin();
    clock.advance(150);
    assert.deepEqual(done, []);
    clock.advance(50);
    assert.deepEqual([done, clock.pending], [[1], 0]);
  });
});
