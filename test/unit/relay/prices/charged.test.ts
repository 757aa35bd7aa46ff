import assert from 'node:assert/strict';
import litellm from '../../../fixtures/recorded/litellm-prices.txt';
import { chargedFor } from '../../../../src/relay/prices/price.ts';
import { askOffline } from '../../../support/askOffline.ts';
import { findRecorded, readRecorded } from '../../../support/recorded.ts';
import { replayNetwork } from '../../../support/replayNetwork.ts';
import { recordedReply } from '../../../support/replies.ts';

const recorded = readRecorded(litellm);

async function usageOf(title: string) {
  const { events } = await askOffline(replayNetwork(recordedReply(findRecorded(recorded, title))));
  const end = events.find(({ type }) => type === 'modelFinished');
  return end?.type === 'modelFinished' ? end.usage : undefined;
}

describe('what a relay says that it charged', () => {
  it('is told by LiteLLM in a header, and in the last usage of a stream', async () => {
    const cost = { amount: 0.00022399999999999997, currency: 'USD', kind: 'charged' };
    assert.deepEqual((await usageOf('chat priced (whole)'))?.cost, cost);
    assert.deepEqual((await usageOf('chat priced (stream)'))?.cost, cost);
  });

  it('is nothing of a model without a price, rather than 0', async () => {
    assert.equal((await usageOf('chat plain (whole)'))?.cost, undefined);
    assert.deepEqual(await usageOf('chat plain (stream)'), {
      ...{ promptTokens: 12, completionTokens: 25, totalTokens: 37, cachedTokens: 0, reasoningTokens: 0 },
    });
  });

  it('is not what a vendor charged the relay', () => {
    const usage = { prompt_tokens: 1, cost: 0.01 };
    assert.equal(chargedFor({ headers: {} }, usage)?.amount, 0.01);
    assert.equal(chargedFor({ headers: { 'x-oneapi-request-id': '1' } }, usage), undefined);
    assert.equal(chargedFor({ headers: { 'x-new-api-version': 'v1' } }, usage), undefined);
  });

  it('is none that is no amount', () => {
    for (const cost of [-1, 0, Number.NaN, Infinity, '1', null]) {
      assert.equal(chargedFor({ headers: {} }, { cost }), undefined);
    }
    assert.equal(chargedFor({ headers: { 'x-litellm-response-cost': 'None' } }, undefined), undefined);
  });
});
