import assert from 'node:assert/strict';
import { pageAddress } from '../../../src/base/urls.ts';

describe('the address of a page', () => {
  it('is encrypted and without a sign-in, in whatever case', () => {
    for (const typed of [
      'https://example.com/a?b#c',
      ' HTTPS://example.com ',
      'https://[2606:4700::1]:8443/',
    ])
      assert.ok(pageAddress(typed), typed);
    for (const typed of [
      '',
      'example.com',
      'http://example.com',
      'file:///etc/passwd',
      'https://',
      'https://a b',
      'https://me:hidden@example.com',
      'https://me@example.com',
      'https://:hidden@example.com',
    ])
      assert.equal(pageAddress(typed), undefined, typed);
  });

  it('is as long as servers take', () => {
    const ofLength = (length: number) => 'https://example.com/'.padEnd(length, 'a');
    assert.ok(pageAddress(ofLength(2000)));
    assert.equal(pageAddress(ofLength(2001)), undefined);
  });
});
