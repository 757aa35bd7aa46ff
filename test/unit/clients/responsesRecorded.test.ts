import assert from 'node:assert/strict';
import { responsesEndpoint } from '../../../src/clients/clientProgram.ts';
import { tryClient } from '../../../src/clients/tryClient.ts';
import { type ErrorCode, SwitchboardError } from '../../../src/base/errors/errors.ts';
import litellm from '../../fixtures/recorded/litellm-protocols.txt';
import newApi from '../../fixtures/recorded/newapi-protocols.txt';
import { readRecorded } from '../../support/recorded.ts';
import { replayNetwork } from '../../support/replayNetwork.ts';
import { recordedReply } from '../../support/replies.ts';

/** The client's answer or error by the responses protocol. */
type Verdict = { text: string } | { code: ErrorCode; why?: string };

/** The middle, with all text, was not recorded. */
const cut: Verdict = { code: 'truncated' };
const notTranslated: Verdict = { code: 'request', why: 'not implemented' };
const tooLong =
  'Your input exceeds the context window of this model. Please adjust your input and try again.';

const newApiVerdicts: Record<string, Verdict> = {
  'v-plain whole': { text: 'v-plain heard: hi' },
  'v-plain stream': cut,
  'v-tools stream tool': cut,
  'claude-v-plain whole': notTranslated,
  'claude-v-plain stream': notTranslated,
  'claude-v-tools stream tool': notTranslated,
  'v-429 stream': { code: 'rate-limit', why: 'Rate limit reached' },
  'v-context stream': { code: 'context-too-long', why: tooLong },
  'nosuch stream': {
    code: 'model',
    why: 'No available channel for model nosuch under group default (distributor)',
  },
};

const litellmVerdicts: Record<string, Verdict> = {
  'plain whole': { text: 'v-plain heard: hi' },
  'claude-plain whole': { text: 'claude-v-plain heard turn 1: hi' },
  'plain stream': cut,
  'claude-plain stream': cut,
  'tools stream tool': cut,
  // No event of it is complete.
  'claude-tools stream tool': { code: 'empty-reply' },
  '429 stream': { code: 'rate-limit', why: 'Rate limit reached' },
  'context stream': { code: 'context-too-long', why: tooLong },
  'nosuch stream': { code: 'model' },
};

async function tried(reply: Parameters<typeof recordedReply>[0]): Promise<Verdict> {
  const http = replayNetwork(recordedReply(reply));
  const context = { http, timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 } };
  const program = { endpoints: { responses: responsesEndpoint } };
  const target = {
    baseUrl: 'https://relay.example',
    models: [{ id: 'm', name: 'm' }],
    protocol: 'responses',
    variable: 'RELAY_API_KEY',
  } as const;
  try {
    return { text: await tryClient(context, program, target, 'sk-1', new AbortController().signal) };
  } catch (error) {
    assert.ok(error instanceof SwitchboardError);
    const { code, why } = error;
    return { code, ...(why !== undefined && { why }) };
  } finally {
    assert.equal(http.sent.length, 1);
  }
}

describe('recorded replies of the responses protocol, to a client that is tried', () => {
  for (const [product, text, verdicts] of [
    ['new-api', newApi, newApiVerdicts],
    ['LiteLLM', litellm, litellmVerdicts],
  ] as const) {
    const replies = readRecorded(text).flatMap((reply) => {
      const name = /^POST \/v1\/responses (.+)$/.exec(reply.title)?.[1];
      return name === undefined ? [] : [{ name, reply }];
    });
    it(`${product}: all are in the table`, () =>
      assert.deepEqual(replies.map(({ name }) => name).toSorted(), Object.keys(verdicts).toSorted()));
    for (const { name, reply } of replies) {
      it(`${product}: ${name}`, async () => {
        const verdict = verdicts[name];
        assert.ok(verdict);
        const told = await tried(reply);
        if ('code' in verdict && verdict.why === undefined) {
          assert.equal('code' in told && told.code, verdict.code);
        } else assert.deepEqual(told, verdict);
      });
    }
  }
});
