import assert from 'node:assert/strict';
import { readBalance } from '../../../../src/relay/prices/balance.ts';
import litellm from '../../../fixtures/recorded/litellm-prices.txt';
import newApiKeys from '../../../fixtures/recorded/newapi-keys.txt';
import { offlineOptions } from '../../../support/askOffline.ts';
import { findRecorded, readRecorded } from '../../../support/recorded.ts';
import { type Reply, replayNetwork } from '../../../support/replayNetwork.ts';
import { htmlReply, jsonReply, recordedReply } from '../../../support/replies.ts';

const keys = readRecorded(newApiKeys);
const ofKey = (name: string, path: string) => recordedReply(findRecorded(keys, `${name} GET ${path}`));
const status = (data: object) => jsonReply({ success: true, data });

async function balanceOf(...replies: Reply[]) {
  const http = replayNetwork(...replies);
  const balance = await readBalance(offlineOptions(http), new AbortController().signal);
  return { balance, asked: http.sent.map(({ url }) => new URL(url).pathname) };
}

const ofNewApi = (name: string, shown: object) =>
  balanceOf(
    ofKey(name, '/v1/dashboard/billing/subscription'),
    ofKey(name, '/v1/dashboard/billing/usage'),
    status(shown),
  );

describe('the balance of a relay', () => {
  it('is what new-api has left of the key, in the money that it shows', async () => {
    const { balance, asked } = await ofNewApi('LIMITED', { quota_display_type: 'USD' });
    assert.deepEqual(balance, { used: 0.000112, left: 1 - 0.000112, currency: 'USD' });
    assert.deepEqual(asked, [
      '/v1/dashboard/billing/subscription',
      '/v1/dashboard/billing/usage',
      '/api/status',
    ]);
  });

  it('has only what was used where nothing limits the key', async () => {
    const { balance } = await ofNewApi('GOOD', { quota_display_type: 'CNY', usd_exchange_rate: 7 });
    assert.deepEqual({ ...balance, used: balance?.used.toFixed(6) }, { used: '0.004318', currency: 'CNY' });
  });

  it('is in units of the relay, or in its own money', async () => {
    assert.equal((await ofNewApi('LIMITED', { quota_display_type: 'TOKENS' })).balance?.currency, undefined);
    const custom = {
      quota_display_type: 'CUSTOM',
      custom_currency_symbol: '₡',
      custom_currency_exchange_rate: 10,
    };
    const { balance } = await ofNewApi('LIMITED', custom);
    assert.deepEqual([balance?.currency, balance?.left?.toFixed(5)], ['₡', '9.99888']);
  });

  it('is refused with the key, and with what is wrong with it', async () => {
    await assert.rejects(
      balanceOf(
        ofKey('EXHAUSTED', '/v1/dashboard/billing/subscription'),
        ofKey('EXHAUSTED', '/api/usage/token/'),
      ),
      { code: 'balance', message: /quota is used up/ },
    );
  });

  it('is refused to a network, a user and a rate that the relay keeps out, with one request', async () => {
    const otherNetwork = ofKey('OTHERIP', '/v1/dashboard/billing/subscription');
    const banned = { error: { message: 'User has been banned', type: 'new_api_error', code: '' } };
    const tooMany: Reply = { status: 429, type: 'text/plain', pieces: [] };
    for (const [reply, code] of [
      [otherNetwork, 'network-not-allowed'],
      [jsonReply(banned, 403), 'not-permitted'],
      [tooMany, 'rate-limit'],
    ] as const) {
      const http = replayNetwork(reply);
      await assert.rejects(readBalance(offlineOptions(http), new AbortController().signal), { code });
      assert.equal(http.sent.length, 1);
    }
  });

  it('is looked for elsewhere where a front proxy has closed the page', async () => {
    const closed: Reply = { status: 403, type: 'text/html', pieces: ['<title>403 Forbidden</title>'] };
    const key = jsonReply({ data: { label: 'sk', usage: 0.25, limit_remaining: null } });
    assert.equal((await balanceOf(closed, key)).balance?.used, 0.25);
  });

  it('is that of OpenRouter', async () => {
    const key = (limit: number | null) =>
      jsonReply({ data: { label: 'sk', usage: 0.25, limit_remaining: limit } });
    const missing = jsonReply({ error: { message: 'Not Found', code: 404 } }, 404);
    assert.deepEqual((await balanceOf(missing, key(4.75))).balance, {
      used: 0.25,
      left: 4.75,
      currency: 'USD',
    });
    assert.deepEqual((await balanceOf(missing, key(null))).balance, { used: 0.25, currency: 'USD' });
  });

  it('is what LiteLLM keeps in its database', async () => {
    const info = (limit: number | null) =>
      jsonReply({ key: 'hash', info: { spend: 0.5, max_budget: limit } });
    const missing = jsonReply({ detail: 'Not Found' }, 404);
    assert.deepEqual((await balanceOf(missing, missing, info(2))).balance, {
      used: 0.5,
      left: 1.5,
      currency: 'USD',
    });
    assert.deepEqual((await balanceOf(missing, missing, info(null))).balance, { used: 0.5, currency: 'USD' });
  });

  it('is none where the relay tells none', async () => {
    const replies = readRecorded(litellm);
    const missing = recordedReply(findRecorded(replies, 'GET /v1/dashboard/billing/subscription'));
    const withoutDatabase = recordedReply(findRecorded(replies, 'GET /key/info'));
    assert.equal((await balanceOf(missing, missing, withoutDatabase)).balance, undefined);
    assert.equal((await balanceOf(htmlReply)).balance, undefined);
    assert.equal((await balanceOf(jsonReply({ hard_limit_usd: 'much' }))).balance, undefined);
  });
});
