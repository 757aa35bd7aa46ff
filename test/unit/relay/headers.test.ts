import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { requestHeaders, secretsNamedIn, withSecrets } from '../../../src/relay/headers.ts';

const options = { accept: 'application/json', hasBody: true };

describe('requestHeaders', () => {
  it('adds what settings say, but never replaces the key or the content type', () => {
    const ours =
      'AUTHORIZATION Content-Type Content-Length Host Connection Keep-Alive Transfer-Encoding Upgrade TE Trailer ' +
      'Expect Proxy-Authorization';
    const headers = { ...Object.fromEntries(ours.split(' ').map((name) => [name, 'other'])), 'X-Team': 'a' };
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
          error.code === 'settings' &&
          error.message.includes(name) &&
          !error.message.includes('secret'),
      );
    }
  });
});

describe('secrets in headers', () => {
  const valueOf = async (name: string) => (name === 'team' ? 'q7Wm2Rt9Xb4Lp8' : undefined);

  it('are put in by their name, and known to be secret', async () => {
    const headers = { 'X-Team': 'Token ${secret:team}', 'X-Plain': 'plain ${other}' };
    assert.deepEqual(await withSecrets(headers, valueOf), {
      headers: { 'X-Team': 'Token q7Wm2Rt9Xb4Lp8', 'X-Plain': 'plain ${other}' },
      headerSecrets: ['q7Wm2Rt9Xb4Lp8'],
    });
    assert.deepEqual(secretsNamedIn('${secret:a} ${secret:b.c-d} ${secret:} ${secret:e f}'), ['a', 'b.c-d']);
  });

  it('that have no value keep the request from being sent, with what to do', async () => {
    const { headers } = await withSecrets({ 'X-Team': '${secret:unknown}' }, valueOf);
    assert.throws(
      () => requestHeaders({ key: 'sk-1', headers }, { accept: '*/*', hasBody: false }),
      /needs the secret "unknown".*Set Header Secret/,
    );
  });
});
