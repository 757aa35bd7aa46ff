import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listModels } from '../../../../src/relay/list/listModels.ts';
import { keyStateOf } from '../../../../src/relay/errors/refusedKey.ts';
import { askOffline, offlineOptions } from '../../../support/askOffline.ts';
import { type Reply, replayNetwork } from '../../../support/replayNetwork.ts';

const json = (status: number, body: unknown): Reply => ({
  status,
  type: 'application/json',
  pieces: [JSON.stringify(body)],
});
const refused = json(401, { error: { message: 'Invalid token', type: 'new_api_error', code: '' } });
const usage = (data: object): Reply => json(200, { code: true, message: 'ok', data });
const expired = usage({ expires_at: 1_700_000_000, total_available: 5, unlimited_quota: true });

describe('a key that new-api rejected', () => {
  it('is asked about once, below the address it was sent to, as new-api wants it', async () => {
    const http = replayNetwork(refused, expired);
    const { failure } = await askOffline(http);
    assert.equal(failure?.code, 'key');
    assert.match(failure.message, /^The key expired on Nov 14, 2023/);
    const [, asked, ...more] = http.sent;
    assert.equal(asked?.url, 'https://relay.example/api/usage/token/');
    assert.equal(asked?.headers['authorization'], 'Bearer sk-1');
    assert.ok((asked?.timeouts.firstTokenMs ?? Infinity) <= 5_000);
    assert.deepEqual(more, []);
    assert.deepEqual([failure.status, failure.why], [401, 'Invalid token']);
  });

  it('is asked about after a refused list, too', async () => {
    const http = replayNetwork(refused, json(401, { success: false, message: 'Invalid token' }));
    await assert.rejects(listModels(offlineOptions(http), new AbortController().signal), {
      code: 'key',
      message: /^The relay doesn't know this key\./,
    });
    assert.equal(http.sent.length, 2);
  });

  for (const [name, reply] of [
    ['a page', { type: 'text/html', pieces: ['<!doctype html><title>Console</title>'] }],
    ['no such route', json(404, { error: { message: 'Invalid URL' } })],
    ['its limit', { status: 429 }],
    ['another shape', usage({ expires_at: '1', total_available: null })],
    ['no limit, and so nothing left', usage({ expires_at: 0, total_available: 0, unlimited_quota: true })],
    ['nothing wrong with it', usage({ expires_at: 0, total_available: 5, unlimited_quota: false })],
    ['a broken connection', new Error('broken')],
  ] as [string, Reply | Error][]) {
    it(`stays rejected as before when the answer is ${name}`, async () => {
      const { failure } = await askOffline(replayNetwork(refused, reply));
      assert.equal(failure?.code, 'key');
      assert.match(failure.message, /^The relay rejected the key\./);
    });
  }

  it('is only asked about at new-api, and only when it was rejected', async () => {
    for (const error of [
      { message: '该令牌已过期', type: 'one_api_error' },
      { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' },
      { message: 'Invalid proxy server token', type: 'token_not_found_in_db', code: '401' },
    ]) {
      const http = replayNetwork(json(401, { error }));
      assert.equal((await askOffline(http)).code, 'key');
      assert.equal(http.sent.length, 1);
    }
    const http = replayNetwork(
      json(403, { error: { message: 'User has been banned', type: 'new_api_error' } }),
    );
    assert.equal((await askOffline(http)).code, 'not-permitted');
    assert.equal(http.sent.length, 1);
  });

  it('is read without trust', () => {
    assert.equal(
      keyStateOf(200, { data: { expires_at: 1e300, total_available: 1, unlimited_quota: true } }, Infinity),
      undefined,
    );
    fc.assert(
      fc.property(fc.constantFrom(200, 401, 500), fc.anything(), (status, body) => {
        const state = keyStateOf(status, body, 0);
        assert.ok(state === undefined || status !== 500);
      }),
    );
  });
});
