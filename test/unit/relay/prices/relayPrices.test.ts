import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { RelayPrices } from '../../../../src/relay/prices/relayPrices.ts';
import type { Prices } from '../../../../src/relay/prices/readPrices.ts';
import litellm from '../../../fixtures/recorded/litellm-prices.txt';
import { offlineOptions } from '../../../support/askOffline.ts';
import { findRecorded, readRecorded } from '../../../support/recorded.ts';
import { type Reply, replayNetwork } from '../../../support/replayNetwork.ts';
import { htmlReply, jsonReply, recordedReply } from '../../../support/replies.ts';

const recorded = readRecorded(litellm);
const none: Prices = new Map();

function pricesFrom(replies: readonly (Reply | Error)[], listed: Prices = none) {
  const http = replayNetwork(...replies);
  const options = offlineOptions(http);
  const prices = new RelayPrices(options, async () => listed, options.clock);
  return { prices, clock: options.clock, asked: () => http.sent.map(({ url }) => new URL(url).pathname) };
}

const newApi = [
  jsonReply({
    data: [
      { model_name: 'm', quota_type: 0, model_ratio: 1, completion_ratio: 4, enable_groups: ['default'] },
    ],
    group_ratio: { default: 2 },
  }),
  jsonReply({ data: { quota_per_unit: 500_000, quota_display_type: 'CNY', usd_exchange_rate: 7 } }),
];

describe("a relay's prices", () => {
  it('are asked for once, and for all models', async () => {
    const { prices, asked } = pricesFrom(newApi);
    const [first, second] = await Promise.all([prices.of('m'), prices.of('m')]);
    assert.equal(first?.prompt.toFixed(9), '0.000028000');
    assert.equal(second, first);
    assert.equal(await prices.of('other'), undefined);
    assert.deepEqual(asked(), ['/api/pricing', '/api/status']);
  });

  it('are those of LiteLLM, where there is nothing of new-api', async () => {
    const { prices, asked } = pricesFrom([
      recordedReply(findRecorded(recorded, 'GET /api/pricing')),
      recordedReply(findRecorded(recorded, 'GET /model/info')),
    ]);
    assert.equal((await prices.of('priced'))?.completion, 8e-6);
    assert.equal(await prices.of('plain'), undefined);
    assert.deepEqual(asked(), ['/api/pricing', '/model/info']);
  });

  it('are those of the list of models, without another request', async () => {
    const listed = new Map([['m', { currency: 'USD', prompt: 1, completion: 2 }]]);
    const { prices, asked } = pricesFrom([], listed);
    assert.equal((await prices.of('m'))?.prompt, 1);
    prices.keep(new Map([['m', { currency: 'USD', prompt: 3, completion: 2 }]]));
    assert.equal((await prices.of('m'))?.prompt, 3);
    assert.deepEqual(asked(), []);
  });

  it('are asked for again once the list of models was read again, which may have more of them', async () => {
    const [before, money] = newApi;
    const more = { quota_type: 0, model_ratio: 1, completion_ratio: 1, enable_groups: ['default'] };
    const later = { data: [{ ...more, model_name: 'added' }], group_ratio: { default: 1 } };
    const { prices, asked } = pricesFrom([...newApi, jsonReply(later), money ?? before!]);
    assert.equal(await prices.of('added'), undefined);
    prices.keep(none);
    assert.ok(await prices.of('added'));
    assert.equal(asked().length, 4);
  });

  it('stay as they were while they cannot be read again', async () => {
    const { prices } = pricesFrom([...newApi, new SwitchboardError('offline', 'No network.')]);
    const price = await prices.of('m');
    prices.keep(none);
    assert.deepEqual(await prices.of('m'), price);
  });

  it('are none on a relay that answers everything with its console', async () => {
    const { prices, asked } = pricesFrom([htmlReply]);
    assert.equal(await prices.of('m'), undefined);
    assert.equal(await prices.of('m'), undefined);
    assert.deepEqual(asked(), ['/api/pricing', '/model/info']);
  });

  it('are asked for again some minutes after they could not be read', async () => {
    const { prices, clock, asked } = pricesFrom([new SwitchboardError('offline', 'No network.'), ...newApi]);
    assert.equal(await prices.of('m'), undefined);
    clock.advance(60_000);
    assert.equal(await prices.of('m'), undefined);
    assert.equal(asked().length, 1);
    clock.advance(5 * 60_000);
    assert.equal((await prices.of('m'))?.currency, 'CNY');
  });
});
