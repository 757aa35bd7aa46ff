import assert from 'node:assert/strict';
import { apiOf, consoleOf } from '../../../src/connections/otherAddresses.ts';

describe('the hosted platform', () => {
  it('has its console at another host than its API', () => {
    assert.equal(consoleOf('https://api.dify.ai'), 'https://cloud.dify.ai');
    assert.equal(apiOf('https://cloud.dify.ai'), 'https://api.dify.ai');
  });

  it('is told from others, which have one address, or are asked about', () => {
    for (const other of [
      'https://api.dify.ai.evil.example',
      'http://api.dify.ai',
      'https://dify.example.com',
    ]) {
      assert.equal(consoleOf(other), undefined);
      assert.equal(apiOf(other), other);
    }
  });
});
