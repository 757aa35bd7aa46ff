import assert from 'node:assert/strict';
import { networkOrigin, placeBeside, readPlace, writePlace } from '../../../src/connections/serverPlace.ts';

const at = (written: string) => ({
  baseUrl: 'https://relay.example/a',
  origin: `https://relay.example${written}`,
});

describe('several keys of one server', () => {
  it('are numbered behind its address, which is sent without the number', () => {
    for (const written of ['', '#2', '#999']) {
      const place = readPlace(` https://relay.example/a/v1${written} `);
      assert.deepEqual(place, at(written));
      assert.equal(writePlace(at(written)), `https://relay.example/a${written}`);
      assert.equal(networkOrigin(at(written).origin), 'https://relay.example');
    }
    for (const written of ['#0', '#02', '#1000', '#a']) {
      assert.deepEqual(readPlace(`https://relay.example/a${written}`), at(''), written);
    }
    assert.equal(readPlace('no address#2'), undefined);
  });

  it('take the first number that is free, from the second on', () => {
    assert.equal(placeBeside(at(''), []).origin, 'https://relay.example#2');
    const taken = ['', '#2', '#3'].map((written) => at(written).origin);
    assert.deepEqual(placeBeside(at('#3'), taken), at('#4'));
  });
});
