import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { requestHeaders } from '../../../src/relay/headers.ts';

const options = { accept: 'application/json', hasBody: true };

describe('requestHeaders', () => {
  it('adds what settings say, but never replaces the key or the content type', () => {
    const headers = { AUTHORIZATION: 'Bearer other', 'Content-Type': 'text/plain', Host: 'x', 'X-Team': 'a' };
    assert.deepEqual(requestHeaders({ key: 'sk-1', headers }, options), {
      'user-agent': 'Switchboard',
      accept: 'application/json',
      'x-team': 'a',
      authorization: 'Bearer sk-1',
      'content-type': 'application/json',
    });
  });

  it('names a header that cannot be sent, not its value', () => {
    for (const [name, value] of [
      ['X Team', 'secret'],
      ['X-Team', 'secret\nX-Other: 1'],
      ['X-Team', 'secret 组'],
    ] as const) {
      assert.throws(
        () => requestHeaders({ key: 'sk-1', headers: { [name]: value } }, options),
        (error) =>
          error instanceof SwitchboardError &&
          error.code === 'request' &&
          error.message.includes(name) &&
          !error.message.includes('secret'),
      );
    }
  });
});
