import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { refusesTools } from '../../../../src/relay/profile/lessons.ts';
import type { Message, ModelRequest } from '../../../../src/relay/messages.ts';
import { createProfiles, type ModelFacts } from '../../../../src/relay/profile/modelFacts.ts';
import { askOffline } from '../../../support/askOffline.ts';
import { type Reply, replayNetwork } from '../../../support/replayNetwork.ts';

const good: Reply = {
  pieces: ['data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n'],
};
const refuses = (message: string, more: object = {}): Reply => ({
  ...{ status: 400, type: 'application/json' },
  pieces: [
    JSON.stringify({ error: { message, type: 'invalid_request_error', code: null, param: null, ...more } }),
  ],
});
const tools = [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object', $schema: 'x' } }];
const image = { mimeType: 'image/png', data: 'AA' };
const history: Message[] = [
  { role: 'user', content: 'u', images: [image] },
  { role: 'assistant', model: 'm', content: 'One.' },
  { role: 'user', content: 'v' },
  {
    ...{ role: 'assistant', model: 'other', content: '' },
    toolCalls: [{ id: 'call_1', name: 'read_file', arguments: '{}' }],
  },
  { role: 'tool', toolCallId: 'call_1', content: 'text' },
  { role: 'user', content: 'w' },
];
const ask = (
  http: ReturnType<typeof replayNetwork>,
  profiles = createProfiles(),
  request: Partial<ModelRequest> = {},
) => askOffline(http, { messages: history, tools, ...request }, undefined, { profiles });
const bodiesOf = ({ sent }: ReturnType<typeof replayNetwork>) => sent.map(({ body }) => String(body));

/** A vendor's message, the facts learnt, and their effect on the next request. */
const rows: [refusal: string, facts: ModelFacts, sent: RegExp][] = [
  [
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    { reasoning: 'all' },
    /"content":"One\.","reasoning_content":"./,
  ],
  [
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 3',
    { reasoning: 'calls' },
    /"content":"One\."\}.*"reasoning_content":"./,
  ],
  [
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
    { signatures: true },
    /"thought_signature":"skip_thought_signature_validator"/,
  ],
  [
    "Unexpected role 'user' after role 'tool'",
    { wordAfterResults: true },
    /"role":"tool"[^}]*\},\{"role":"assistant","content":"I have read/,
  ],
  [
    'After the optional system message, conversation roles must alternate user and assistant',
    { wordAfterResults: true },
    /"role":"tool"[^}]*\},\{"role":"assistant"/,
  ],
  [
    'messages.3: all messages must have non-empty content except for the optional final assistant message',
    { wordBeforeCalls: true },
    /"content":"Calling tools\."/,
  ],
  [
    'Invalid JSON payload received. Unknown name "$schema" at \'tools[0].function_declarations[0].parameters\': Cannot find field.',
    { tools: 'plain' },
    /"parameters":\{"type":"object","properties":\{\}\}/,
  ],
];

describe('a refusal', () => {
  for (const [refusal, facts, expected] of rows) {
    it(`teaches, once in a model's life: ${refusal}`, async () => {
      const profiles = createProfiles();
      const http = replayNetwork(refuses(refusal), good, good);
      assert.equal((await ask(http, profiles)).code, undefined);
      const [first = '', second = ''] = bodiesOf(http);
      assert.doesNotMatch(first, expected);
      assert.match(second, expected);
      assert.deepEqual(profiles.facts('m'), facts);
      assert.equal((await ask(http, profiles)).code, undefined);
      assert.equal(http.sent.length, 3, 'it is known from then on');
      assert.equal(bodiesOf(http)[2], second);
    });
  }

  it('of pictures has those of earlier messages told in words, and says so', async () => {
    const http = replayNetwork(refuses('unknown variant `image_url`, expected `text`'), good);
    const { events, code } = await ask(http);
    assert.equal(code, undefined);
    assert.deepEqual(
      events.filter(({ type }) => type === 'adapted'),
      [{ type: 'adapted', to: 'no-older-pictures' }],
    );
    assert.doesNotMatch(bodiesOf(http)[1] ?? '', /base64/);
  });

  it('of a picture that is sent now is told', async () => {
    const messages: Message[] = [{ role: 'user', content: 'look', images: [image] }];
    const http = replayNetwork(refuses('unknown variant `image_url`, expected `text`'), good);
    assert.equal((await ask(http, undefined, { messages })).code, 'images');
    assert.equal(http.sent.length, 1);
  });

  describe('of the history that nothing foresaw', () => {
    const unknown = refuses('messages: the flux of the third message is not aligned');

    it('leads to one more try in the plainest form, which is said and remembered', async () => {
      const profiles = createProfiles();
      const http = replayNetwork(unknown, good, good);
      const { events, code } = await ask(http, profiles);
      assert.equal(code, undefined);
      assert.deepEqual(
        events.slice(0, 4).map(({ type }) => type),
        ['requestSent', 'requestSent', 'adapted', 'textAdded'],
      );
      assert.match(bodiesOf(http)[1] ?? '', /\[Called read_file with \{\}\]/);
      assert.equal(profiles.facts('m').history, 'plain');
      const again = await ask(http, profiles);
      assert.ok(!again.types.includes('adapted'));
    });

    it('is told where that was refused as well, and nothing is remembered', async () => {
      const profiles = createProfiles();
      const http = replayNetwork(unknown, unknown, good);
      const { events, failure } = await ask(http, profiles);
      assert.equal(failure?.code, 'request');
      assert.equal(http.sent.length, 2, 'never a loop');
      assert.ok(!events.some(({ type }) => type === 'adapted'));
      assert.deepEqual(profiles.facts('m'), {});
    });

    it('is told at once where the history is as plain as it can be, or something else is at fault', async () => {
      const messages: Message[] = [{ role: 'user', content: 'hi' }];
      const first = replayNetwork(unknown, good);
      assert.equal((await ask(first, undefined, { messages })).code, 'request');
      assert.equal(first.sent.length, 1);
      for (const reply of [
        refuses('no', { param: 'top_p' }),
        refuses('This model does not support tools.'),
        refuses('no', { param: 'tools' }),
      ]) {
        const http = replayNetwork(reply, good);
        assert.equal((await ask(http)).code, 'request');
        assert.equal(http.sent.length, 1);
      }
    });
  });

  it('of tools with reasoning is no lack of tools', () => {
    const why =
      'Function tools with reasoning_effort are not supported for m in /v1/chat/completions. Please use /v1/responses instead.';
    const refusal = (text: string) => new SwitchboardError('request', 'No.', { status: 400, why: text });
    assert.equal(refusesTools(refusal(why)), false);
    assert.equal(refusesTools(refusal('m does not support tools')), true);
  });

  it('never leads to a loop, whatever a vendor says', async () => {
    const contradicting = [
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      'The reasoning_content field is not allowed in input messages',
    ];
    const replies = Array.from({ length: 30 }, (_, at) => refuses(contradicting[at % 2] ?? ''));
    const http = replayNetwork(...replies);
    assert.equal((await ask(http)).code, 'request');
    assert.ok(http.sent.length <= 4, String(http.sent.length));
  });
});
