import assert from 'node:assert/strict';
import { isOfPortal, type PortalSigns, withSignInHint } from '../../../src/net/captivePortal.ts';

const page: PortalSigns = {
  ...{ status: 200, contentType: 'text/html', target: undefined, hasAnswered: true },
};
const isPage = (address: string, signs: Partial<PortalSigns> = {}) =>
  isOfPortal(new URL(address), { ...page, ...signs });
const leads = (from: string, to: string) => isPage(from, { status: 302, target: new URL(to) });

describe('the sign-in page of a network', () => {
  it('is told where a server that has answered sends a page without TLS, or status 511', () => {
    assert.equal(isPage('http://relay.example.com/v1'), true);
    assert.equal(isPage('http://relay.example.com/v1', { hasAnswered: false }), false);
    assert.equal(isPage('http://relay.example.com/v1', { contentType: 'application/json' }), false);
    assert.equal(isPage('http://relay.example.com/v1', { status: 502 }), false);
    assert.equal(isPage('https://relay.example.com/v1', { status: 511, hasAnswered: false }), true);
  });

  it('is not assumed behind TLS, nor on this machine', () => {
    assert.equal(isPage('https://relay.example.com/v1'), false);
    assert.equal(isPage('http://127.0.0.1:3000/v1'), false);
    assert.match(withSignInHint('Failed.', 'http://relay.example.com'), /sign in with a browser/);
    assert.equal(withSignInHint('Failed.', 'https://relay.example.com'), 'Failed.');
  });

  it('is where another site is, and another address is another site', () => {
    assert.equal(leads('http://relay.example.com/v1', 'http://login.hotel.net/'), true);
    assert.equal(leads('http://relay.example.com/v1', 'http://www.example.com/'), false);
    assert.equal(leads('http://10.0.3.4/v1', 'http://10.1.3.4/'), true);
    assert.equal(leads('http://10.0.3.4/v1', 'http://10.0.3.4:8080/'), false);
  });
});
