import assert from 'node:assert/strict';
import type { RelayServer } from './relay/relayServer.ts';
import { readJson, withSandbox } from './testClient.ts';

const get = (relay: RelayServer, path: string, key: string = relay.key): Promise<Response> =>
  fetch(relay.url + path, { headers: { Authorization: `Bearer ${key}` } });

describe('sandbox relay: balance', () => {
  it('tells limit and usage, with and without /v1', () =>
    withSandbox(async ({ relay }) => {
      for (const prefix of ['', '/v1']) {
        const limit = await get(relay, `${prefix}/dashboard/billing/subscription`);
        assert.equal((await readJson<{ hard_limit_usd: number }>(limit)).hard_limit_usd, 12.5);
        const usage = await get(relay, `${prefix}/dashboard/billing/usage`);
        assert.equal((await readJson<{ total_usage: number }>(usage)).total_usage, 317);
      }
      const expired = await get(relay, '/v1/dashboard/billing/usage', relay.keys.expired);
      assert.equal(expired.status, 401);
    }));

  it('tells a token apart that has expired or run out', () =>
    withSandbox(async ({ relay }) => {
      type Usage = { data: { expires_at: number; total_available: number; unlimited_quota: boolean } };
      const dataOf = async (key: string) =>
        (await readJson<Usage>(await get(relay, '/api/usage/token/', key))).data;
      assert.equal((await dataOf(relay.key)).total_available, 4_665_000);
      assert.ok((await dataOf(relay.keys.expired)).expires_at > 0);
      const exhausted = await dataOf(relay.keys.exhausted);
      assert.deepEqual([exhausted.total_available, exhausted.unlimited_quota], [0, false]);
      for (const [key, message] of [
        [relay.keys.disabled, 'This token status is unavailable'],
        [relay.keys.unknown, 'Invalid token'],
      ] as const) {
        const refused = await get(relay, '/api/usage/token/', key);
        assert.equal(refused.status, 401);
        assert.deepEqual(await readJson(refused), { success: false, message });
      }
    }));

  it('is found on new-api alone', () =>
    withSandbox(async ({ relay }) => assert.equal((await get(relay, '/api/status')).status, 404), {
      dialect: 'one-api',
    }));
});
