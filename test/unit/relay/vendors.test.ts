import assert from 'node:assert/strict';
import type { Message, Protocol } from '../../../src/relay/messages.ts';
import { createProfiles } from '../../../src/relay/profile/modelFacts.ts';
import { askOffline } from '../../support/askOffline.ts';
import { type Reply, replayNetwork } from '../../support/replayNetwork.ts';
import { refusalOf, type VendorKind, vendorKinds } from '../../support/vendorBodies.ts';

const good: Reply = {
  pieces: ['data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n'],
};
const image = { mimeType: 'image/png', data: 'AA' };
const long = { name: 'read_file', description: 'x'.repeat(2000) };
const tools = [
  {
    ...long,
    parameters: {
      $schema: 'x',
      type: 'object',
      properties: { a: { const: 'b' } },
      additionalProperties: false,
    },
  },
  { name: 'x'.repeat(70), description: 'Too long a name.', parameters: { type: 'object' } },
];
const call = (id: string, name = 'read_file') => ({ id, name, arguments: '{"path":"a"}' });

/** One history with everything that some vendor refuses. */
const history: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'one', images: [image] },
  { role: 'user', content: ' ' },
  { role: 'user', content: 'two' },
  {
    ...{ role: 'assistant', model: 'other', content: ' \n', reasoning: 'Hm.' },
    signedReasoning: [{ text: 'Hm.', signature: 'foreign' }],
    toolCalls: [call('call_0'), call('functions.read_file:0', 'functions.read_file')],
  },
  { role: 'tool', toolCallId: 'call_0', content: '' },
  { role: 'user', content: 'steered' },
  { role: 'assistant', model: 'other', content: '' },
  { role: 'assistant', model: 'other', content: 'Done.' },
  { role: 'system', content: 'Be briefer.' },
  { role: 'user', content: 'three' },
  { role: 'assistant', model: 'other', content: '', toolCalls: [call('call_0')] },
  { role: 'tool', toolCallId: 'call_0', content: 'text' },
  { role: 'tool', toolCallId: 'gone', content: 'orphan' },
  { role: 'user', content: 'four' },
  { role: 'assistant', model: 'other', content: 'Yes.' },
  { role: 'user', content: 'five' },
];

/** Refuses like the vendor, else answers. */
function vendorNetwork(kind: VendorKind, protocol: Protocol) {
  const refusals: string[] = [];
  const http = replayNetwork((sent) => {
    const refusal = refusalOf(kind, JSON.parse(String(sent.body)), protocol);
    if (refusal === undefined) return good;
    refusals.push(refusal);
    const error = { message: refusal, type: 'invalid_request_error', param: null, code: null };
    return { status: 400, type: 'application/json', pieces: [JSON.stringify({ error })] };
  });
  return { http, refusals };
}

describe('the history of another model', () => {
  for (const kind of vendorKinds) {
    if (kind === 'openai-responses' || kind === 'no-tools') continue;
    it(`is accepted by ${kind} after at most three lessons, and at once from then on`, async () => {
      const profiles = createProfiles();
      const { http, refusals } = vendorNetwork(kind, 'chat-completions');
      const ask = () => askOffline(http, { messages: history, tools }, undefined, { profiles });
      const first = await ask();
      assert.equal(first.failure, undefined, refusals.join('\n'));
      assert.ok(refusals.length <= 3, refusals.join('\n'));
      assert.notEqual(profiles.facts('m').history, 'plain', refusals.join('\n'));
      const count = refusals.length;
      assert.equal((await ask()).failure, undefined);
      assert.equal(refusals.length, count);
    });
  }

  it('is accepted by a model without tools in words', async () => {
    const { http } = vendorNetwork('no-tools', 'chat-completions');
    assert.equal((await askOffline(http, { messages: history })).failure, undefined);
    assert.equal(http.sent.length, 1);
  });
});
