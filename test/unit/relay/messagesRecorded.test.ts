import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import litellm from '../../fixtures/recorded/litellm-protocols.txt';
import newApi from '../../fixtures/recorded/newapi-protocols.txt';
import { askOffline } from '../../support/askOffline.ts';
import { messagesServed } from '../../support/servedProfiles.ts';
import { readRecorded, type RecordedReply } from '../../support/recorded.ts';
import { replayNetwork } from '../../support/replayNetwork.ts';

/** `tries`: number of requests if every one gets this reply. */
interface Verdict {
  code?: ErrorCode;
  tries?: number;
  why?: string;
  waitMs?: number;
  text?: string;
  reasoning?: string;
  calls?: [id: string, name: string, args: string][];
  /** In, of these from the cache, out. */
  tokens?: [number, number | undefined, number];
}

const heard = (model: string, tokens: Verdict['tokens']): Verdict => ({
  text: `${model} heard turn 1: hi`,
  tokens,
});
const failed = (code: ErrorCode, why: string, tries = 1, more: Verdict = {}): Verdict => ({
  ...{ code, why, tries },
  ...more,
});
const limit = 'This request would exceed your organization’s rate limit of 40,000 input tokens per minute.';
const tooLong = 'prompt is too long: 210000 tokens > 200000 maximum';
const readA: Verdict['calls'] = [['toolu_0', 'read_file', '{"path":"a.ts"}']];

const newApiVerdicts: Record<string, Verdict> = {
  // Cached tokens are counted beside the input.
  'claude-v-plain whole': heard('claude-v-plain', [108, 100, 20]),
  'claude-v-plain stream': heard('claude-v-plain', [108, 100, 20]),
  // For another vendor's model new-api counts by that vendor's rules: cached tokens are part of the input.
  'v-plain whole': heard('v-plain', [8, 4, 11]),
  // The end or the middle of these three was not recorded.
  'v-plain stream': { code: 'truncated', text: 'v-plain heard turn 1: hi' },
  'v-tools stream tool': { code: 'truncated' },
  'v-midfail stream': { code: 'truncated', text: 'Half of an ' },
  'claude-v-think stream': { reasoning: 'Claude thinks about it.', text: 'i', tokens: [108, 100, 20] },
  'claude-v-tools stream tool': { text: 'Looking. ', calls: readA, tokens: [110, 100, 20] },
  'claude-v-tools tool result': { text: 'TOOLS SAID: let a', tokens: [161, 100, 20] },
  'v-tools tool result': { text: 'TOOLS SAID (1): let a', tokens: [68, 34, 11] },
  'claude-v-429 stream': failed('rate-limit', limit, 5),
  'claude-v-529 stream': failed('transient', 'Overloaded', 4),
  'claude-v-context stream': failed('context-too-long', tooLong),
  'claude-v-midfail stream': failed('truncated', 'Overloaded', 1, { text: 'claude-v-midfail heard turn 1:' }),
  'v-429 stream': failed(
    'rate-limit',
    'Rate limit reached for v-429: Limit 3, Used 3, Requested 1. Please try again in 2s.',
    5,
    { waitMs: 2000 },
  ),
  'v-context stream': { code: 'context-too-long' },
  'nosuch stream': failed('model', 'No available channel for model nosuch under group default (distributor)'),
  // The second request asks for the reason.
  'wrong key': failed('key', 'Invalid token', 2),
  'Bearer instead of x-api-key': heard('claude-v-plain', [108, 100, 20]),
};

const litellmVerdicts: Record<string, Verdict> = {
  'claude-plain whole': heard('claude-v-plain', [108, 100, 20]),
  'claude-plain stream': heard('claude-v-plain', [108, 100, 20]),
  'plain whole': { text: 'v-plain heard: hi', tokens: [30, undefined, 12] },
  'plain stream': { text: 'v-plain heard: hi', tokens: [30, 0, 12] },
  'claude-tools stream tool': { text: 'Looking. ', calls: readA, tokens: [110, 100, 20] },
  'claude-tools tool result': { text: 'TOOLS SAID: let a', tokens: [161, 100, 20] },
  'tools stream tool': { calls: [['call_0', 'read_file', '{"path":"a.ts"}']], tokens: [30, 0, 12] },
  'tools tool result': { text: 'TOOLS SAID: let a', tokens: [30, undefined, 12] },
  'claude-think stream': {
    ...{ reasoning: 'Claude thinks about it.', text: ' turn 1: hi' },
    tokens: [108, 100, 20],
  },
  'claude-429 stream': failed('rate-limit', limit, 5),
  'claude-529 stream': failed('transient', 'Overloaded', 4),
  'claude-context stream': failed('context-too-long', tooLong),
  'claude-midfail stream': failed('truncated', 'Overloaded', 1, { text: 'claude-v-midfail heard turn 1:' }),
  '429 stream': failed('rate-limit', 'Rate limit reached', 5),
  'context stream': { code: 'context-too-long' },
  // The stream doesn't show that the vendor failed.
  'midfail stream': { text: 'v-midfail heard: hi, this is a longer message to fail in', tokens: [30, 0, 12] },
  'nosuch stream': { code: 'model' },
  'wrong key': { code: 'key' },
  'Bearer instead of x-api-key': heard('claude-v-plain', [108, 100, 20]),
};

/** Replies of other addresses and protocols are judged elsewhere. */
function nameOf({ title }: RecordedReply): string | undefined {
  return title.startsWith('Bearer') ? title : /^POST \/v1\/messages (.+)$/.exec(title)?.[1];
}

describe('recorded replies of the messages protocol', () => {
  for (const [product, text, verdicts] of [
    ['new-api', newApi, newApiVerdicts],
    ['LiteLLM', litellm, litellmVerdicts],
  ] as const) {
    describe(product, () => {
      const replies = readRecorded(text).filter((reply) => nameOf(reply) !== undefined);
      it('are all in the table', () =>
        assert.deepEqual(
          replies.map((reply) => nameOf(reply) ?? '').toSorted(),
          Object.keys(verdicts).toSorted(),
        ));
      for (const reply of replies) {
        const name = nameOf(reply) ?? '';
        const verdict = verdicts[name];
        if (!verdict) continue;
        it(`${name}: ${verdict.code ?? 'answered'}`, async () => {
          const { status = 200, headers, body } = reply;
          const type = headers['content-type'] ?? '';
          const http = replayNetwork({ status, headers, type, pieces: [body] });
          const { events, failure } = await askOffline(http, {}, undefined, {
            profiles: messagesServed('messages'),
          });
          const said = (kind: 'textAdded' | 'reasoningAdded') =>
            events.map((event) => (event.type === kind ? event.text : '')).join('');
          const calls = events.flatMap((event) => (event.type === 'toolCallsCompleted' ? event.calls : []));
          const usage = events.flatMap((event) => (event.type === 'modelFinished' ? event.usage : []))[0];
          assert.equal(failure?.code, verdict.code);
          assert.equal(http.sent.length, verdict.tries ?? 1);
          if (verdict.why !== undefined) assert.equal(failure?.why, verdict.why);
          assert.equal(failure?.retryAfterMs, verdict.waitMs);
          assert.equal(said('textAdded'), verdict.text ?? '');
          assert.equal(said('reasoningAdded'), verdict.reasoning ?? '');
          assert.deepEqual(
            calls.map(({ id, name: tool, arguments: args }) => [id, tool, args]),
            verdict.calls ?? [],
          );
          assert.deepEqual(
            usage && [usage.promptTokens, usage.cachedTokens, usage.completionTokens],
            verdict.tokens,
          );
        });
      }
    });
  }
});
