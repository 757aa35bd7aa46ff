import assert from 'node:assert/strict';
import { parseJson } from '../../../src/base/json.ts';
import type { Message, SignedReasoning } from '../../../src/relay/messages.ts';
import { createProfiles } from '../../../src/relay/profile/modelFacts.ts';
import recorded from '../../fixtures/recorded/litellm-thinking.txt';
import { askOffline } from '../../support/askOffline.ts';
import { findRecorded, readRecorded } from '../../support/recorded.ts';
import { type Reply, replayNetwork } from '../../support/replayNetwork.ts';
import { recordedReply } from '../../support/replies.ts';
import { servedProfiles } from '../../support/servedProfiles.ts';

const replies = readRecorded(recorded);
const byChat = (name: string) => recordedReply(findRecorded(replies, `POST /v1/chat/completions: ${name}`));
const byResponses = (name: string) => recordedReply(findRecorded(replies, `POST /v1/responses: ${name}`));

const thought = 'I am scripted. After 1 messages comes {"path":"a.md"}.';
const signature = 'BRWl/2us6mDCmkTu/gdo0KcslqAYc4bsDgIZZqAmA+k=';
const tools = [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }];

const exchange = (signedReasoning: readonly SignedReasoning[], model = 'm'): Message[] => [
  { role: 'user', content: 'read a.md' },
  {
    ...{ role: 'assistant', model, content: '', reasoning: thought, signedReasoning },
    toolCalls: [{ id: 'call_1', name: 'read_file', arguments: '{"path":"a.md"}' }],
  },
  { role: 'tool', toolCallId: 'call_1', content: 'x' },
];

async function signedBy(reply: Reply, profiles = createProfiles()): Promise<readonly SignedReasoning[]> {
  const { events, failure } = await askOffline(replayNetwork(reply), {}, undefined, { profiles });
  assert.equal(failure, undefined);
  assert.ok(events.some((event) => event.type === 'toolCallsCompleted' && event.calls.length === 1));
  const shown = events.map((event) => (event.type === 'reasoningAdded' ? event.text : '')).join('');
  assert.equal(shown, thought);
  return events.flatMap((event) => (event.type === 'reasoningSigned' ? event.blocks : []));
}

const goOn: Message = { role: 'user', content: 'Go on' };

/** The bodies sent to a server with these replies, and the facts it taught. */
async function sentFor(messages: readonly Message[], ...given: Reply[]) {
  const http = replayNetwork(...given);
  const profiles = servedProfiles({});
  await askOffline(http, { messages, tools, reasoningEffort: 'low' }, undefined, { profiles });
  const bodies = http.sent.map(({ body }) => parseJson(String(body)) as Record<string, unknown>);
  const answers = bodies.map(({ messages: sent }) => (sent as Record<string, unknown>[])[1]);
  return { bodies, answers, learnt: profiles.learnt.get('m') };
}

const answered = byChat('thinking and a call, whole');

describe("Claude's signed reasoning behind LiteLLM", () => {
  for (const form of ['streamed', 'whole']) {
    it(`is kept by chat completions, ${form}`, async () => {
      assert.deepEqual(await signedBy(byChat(`thinking and a call, ${form}`)), [
        { text: thought, signature },
      ]);
    });

    it(`is kept by the responses protocol, ${form}`, async () => {
      const [reasoning, ...others] = await signedBy(
        byResponses(`bridged thinking and a call, ${form}`),
        servedProfiles({ protocol: 'responses' }),
      );
      assert.ok(reasoning && 'item' in reasoning);
      const { id, encrypted_content: encrypted, ...item } = reasoning.item;
      assert.match(String(id), /^rs_/);
      assert.deepEqual(item, { type: 'reasoning', summary: [{ type: 'summary_text', text: thought }] });
      assert.deepEqual(parseJson(String(encrypted)), [{ type: 'thinking', thinking: thought, signature }]);
      assert.deepEqual(others, [{ item: { type: 'function_call' } }]);
    });
  }

  it('is kept in pieces and encrypted', async () => {
    const chunk = (...blocks: object[]) =>
      `data: ${JSON.stringify({ choices: [{ delta: { thinking_blocks: blocks } }] })}\n\n`;
    const end = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n';
    const pieces = [
      chunk({ type: 'thinking', thinking: 'o' }, { type: 'thinking', thinking: 'ne' }),
      chunk({ type: 'thinking', thinking: '', signature: 's1' }, { type: 'redacted_thinking', data: 'blob' }),
      chunk(
        { type: 'thinking', thinking: 'two', signature: 's2' },
        { type: 'thinking', thinking: 'unsigned' },
      ),
      end,
    ];
    const { events } = await askOffline(replayNetwork({ pieces }));
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'reasoningSigned' ? event.blocks : [])),
      [{ text: 'one', signature: 's1' }, { redacted: 'blob' }, { text: 'two', signature: 's2' }],
    );
  });

  it('goes back beside the calls of its own model alone', async () => {
    const signed = [{ text: thought, signature }, { redacted: 'blob' }, { item: { type: 'reasoning' } }];
    const own = await sentFor(exchange(signed), answered);
    assert.deepEqual(own.answers[0]?.['thinking_blocks'], [
      { type: 'thinking', thinking: thought, signature },
      { type: 'redacted_thinking', data: 'blob' },
    ]);
    assert.equal(own.bodies[0]?.['reasoning_effort'], 'low');
    const foreign = await sentFor(exchange(signed, 'other'), answered);
    assert.equal(foreign.answers[0]?.['thinking_blocks'], undefined);
    const finished: Message[] = [
      { role: 'user', content: 'u' },
      { role: 'assistant', model: 'm', content: 'Hi', signedReasoning: signed },
      { role: 'user', content: 'v' },
    ];
    assert.equal((await sentFor(finished, answered)).answers[0]?.['thinking_blocks'], undefined);
  });

  it('is missing in an open exchange: the model is asked without reasoning until that ends', async () => {
    const refusal = byChat('the thinking blocks did not come back');
    const { bodies, learnt } = await sentFor(exchange([]), refusal, answered);
    assert.deepEqual(learnt, { thinksFromStart: true });
    assert.deepEqual(
      bodies.map(({ reasoning_effort: effort }) => effort),
      ['low', undefined],
    );
    assert.deepEqual(bodies[1]?.['messages'], bodies[0]?.['messages']);
    for (const [messages, effort] of [
      [exchange([]), undefined],
      [exchange([{ text: thought, signature }]), 'low'],
      [[...exchange([]), goOn], undefined],
      [[...exchange([]), { role: 'assistant', model: 'm', content: 'x' }, goOn], 'low'],
    ] as const) {
      const profiles = servedProfiles({ thinksFromStart: true });
      const http = replayNetwork(answered);
      await askOffline(http, { messages, tools, reasoningEffort: 'low' }, undefined, { profiles });
      const body = parseJson(String(http.sent[0]?.body)) as Record<string, unknown>;
      assert.equal(body['reasoning_effort'], effort);
    }
  });

  it('is left out where its signature or its field is refused', async () => {
    const message = 'messages.1.thinking_blocks: Extra inputs are not permitted';
    const strict: Reply = {
      status: 400,
      type: 'application/json',
      pieces: [JSON.stringify({ error: { message } })],
    };
    for (const refusal of [byChat('the signature is wrong'), strict]) {
      const { answers, learnt } = await sentFor(exchange([{ text: thought, signature }]), refusal, answered);
      assert.deepEqual(learnt, { reasoning: 'none' });
      assert.deepEqual(
        answers.map((answer) => answer?.['thinking_blocks'] !== undefined),
        [true, false],
      );
    }
  });
});
