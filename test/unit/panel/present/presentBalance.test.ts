import assert from 'node:assert/strict';
import { presentBalance } from '../../../../src/relay/prices/balance.ts';

describe('a balance, as it is shown', () => {
  it('says what is left and what was used, in the money that the relay tells', () => {
    const shown = [
      presentBalance('Home', { used: 3.17, left: 9.33, currency: 'USD' }),
      presentBalance('Home', { used: 0.5, currency: 'CNY' }),
      presentBalance('Home', { used: 1500, left: 2_000_000 }),
    ];
    assert.deepEqual(shown, [
      'Home: $9.33 left, $3.17 used.',
      'Home: no limit for this key, CN¥0.50 used.',
      'Home: 2,000,000 units left, 1,500 units used.',
    ]);
  });

  it('says where there is none', () => {
    assert.equal(presentBalance('Home', undefined), "Home doesn't report a balance.");
  });
});
