import assert from 'node:assert/strict';
import fc from 'fast-check';
import litellm from '../fixtures/recorded/litellm-protocols.txt';
import newApi from '../fixtures/recorded/newapi-protocols.txt';
import { cutAt, replay } from '../unit/relay/replay.ts';
import { assertCalls, endsInOneOfTwoWays } from './answers.ts';
import { cutText, hostileText, places } from './inputs.ts';
import { eventStreams, namedEvents, spoiltStreamOf } from './streams.ts';
import type { Target } from './property.ts';

const ask = (pieces: Iterable<Uint8Array>) => replay(pieces, 'messages');

const spoiltStream = spoiltStreamOf(eventStreams([newApi, litellm], /^POST \/v1\/messages .*stream/));

const said = fc.record({
  reasoning: hostileText(['think', '思', '\n'], 8),
  signature: fc.base64String({ maxLength: 12 }),
  text: hostileText(['Hello', '</think>', '🎉', '{"', '\n\n', 'data: ', 'event: error'], 12),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom('read_file', 'x'),
      input: fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
    }),
    { maxLength: 3 },
  ),
  end: fc.constantFrom('\n', '\r\n'),
  hasPings: fc.boolean(),
  hasStop: fc.boolean(),
  cuts: places,
  byteCuts: places,
});
type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

function toEvents({ reasoning, signature, text, calls, cuts, hasPings, hasStop }: Said): fc.JsonValue[] {
  let index = 0;
  const block = (start: fc.JsonValue, deltas: fc.JsonValue[]): fc.JsonValue[] => {
    const at = index++;
    return [
      { type: 'content_block_start', index: at, content_block: start },
      ...(hasPings ? [{ type: 'ping' }] : []),
      ...deltas.map((delta) => ({ type: 'content_block_delta', index: at, delta })),
      { type: 'content_block_stop', index: at },
    ];
  };
  return [
    { type: 'message_start', message: { model: 'm', usage: { input_tokens: 3, output_tokens: 1 } } },
    ...(reasoning
      ? block({ type: 'thinking', thinking: '', signature: '' }, [
          ...cutText(reasoning, cuts).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature },
        ])
      : []),
    ...block(
      { type: 'text', text: '' },
      cutText(text, cuts).map((piece) => ({ type: 'text_delta', text: piece })),
    ),
    ...calls.flatMap(({ name, input }, place) =>
      block(
        { type: 'tool_use', id: `id${place}`, name, input: {} },
        cutText(JSON.stringify(input), cuts).map((piece) => ({
          ...{ type: 'input_json_delta', partial_json: piece },
        })),
      ),
    ),
    {
      ...{ type: 'message_delta', usage: { output_tokens: 4 } },
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' },
    },
    ...(hasStop ? [{ type: 'message_stop' }] : []),
  ];
}

export const target: Target = {
  'says what the model said, and keeps what it signed': {
    runs: 1500,
    property: fc.property(said, (what) => {
      const { reasoning, signature, text, calls, end, byteCuts } = what;
      fc.pre((text.trim() !== '' || calls.length > 0) && !text.trimStart().startsWith('<'));
      const { events, failure } = ask(cutAt(namedEvents(toEvents(what), end), byteCuts));
      assert.equal(failure, undefined);
      const join = (type: 'textAdded' | 'reasoningAdded') =>
        events.map((event) => (event.type === type ? event.text : '')).join('');
      assert.equal(join('textAdded'), text);
      assert.equal(join('reasoningAdded').trim(), reasoning.trim());
      // Signed blocks come back byte for byte: vendors refuse changed ones.
      assert.deepEqual(
        events.flatMap((event) => (event.type === 'reasoningSigned' ? event.blocks : [])),
        reasoning && signature ? [{ text: reasoning, signature }] : [],
      );
      const finished = events.at(-1);
      assert.ok(finished?.type === 'modelFinished');
      assert.deepEqual(finished.usage, { promptTokens: 3, completionTokens: 4 });
      assertCalls(events, calls);
    }),
  },
  ...endsInOneOfTwoWays(ask, spoiltStream, namedEvents, [
    'data: ',
    '{"type":"',
    'content_block_delta","delta":',
    '{"error":',
    '}',
    '\n\n',
  ]),
  'makes no call of an answer that was cut off': {
    runs: 1000,
    property: fc.property(said, fc.nat(), (what, at) => {
      const whole = namedEvents(toEvents({ ...what, hasStop: false }), what.end);
      const { events, failure } = ask([
        whole.subarray(0, at % whole.lastIndexOf(Buffer.from('"stop_reason":"'))),
      ]);
      assert.ok(failure);
      assert.ok(!events.some(({ type }) => type === 'toolCallsCompleted' || type === 'modelFinished'));
    }),
  },
};
