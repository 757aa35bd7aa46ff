import assert from 'node:assert/strict';
import { relativeTime } from '../../../src/history/relativeTime.ts';

describe('the age of a conversation', () => {
  const at = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();
  const now = at(24, 10, 30);
  const ages: [atMs: number, text: string][] = [
    [now + 60_000, 'now'],
    [now - 59_000, 'now'],
    [at(24, 10, 29), '1 min'],
    [at(24, 9, 31), '59 mins'],
    [at(24, 9, 30), '1 hr'],
    [at(24, 0, 5), '10 hrs'],
    [at(23, 23, 59), 'yesterday'],
    [at(23), 'yesterday'],
    [at(22, 23, 59), '2 days'],
    [at(18), '6 days'],
    [at(17), '1 wk'],
    [at(1), '3 wks'],
    [at(24 - 30), '1 mo'],
    [at(24 - 364), '12 mos'],
    [at(24 - 365), '1 yr'],
    [at(24 - 800), '2 yrs'],
  ];
  for (const [atMs, text] of ages) {
    it(`is ${text} for ${new Date(atMs).toLocaleString('en')}`, () =>
      assert.equal(relativeTime(atMs, now), text));
  }

  it('counts minutes over midnight', () => {
    assert.equal(relativeTime(at(23, 23, 50), at(24, 0, 10)), '20 mins');
  });
});
