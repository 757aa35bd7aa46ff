import assert from 'node:assert/strict';
import fc from 'fast-check';
import litellm from '../fixtures/recorded/litellm-responses.txt';
import newApi from '../fixtures/recorded/newapi-responses.txt';
import { serviceForm } from '../../src/relay/profile/modelDialect.ts';
import { toResponsesBody } from '../../src/relay/protocols/responsesRequest.ts';
import { cutAt, replay } from '../unit/relay/replay.ts';
import { endsInOneOfTwoWays } from './answers.ts';
import { cutText, hostileText, places } from './inputs.ts';
import { eventStreams, namedEvents, spoiltStreamOf } from './streams.ts';
import type { Target } from './property.ts';

const ask = (pieces: Iterable<Uint8Array>) => replay(pieces, 'responses');

const spoiltStream = spoiltStreamOf(eventStreams([newApi, litellm], /^POST \/v1\/responses .*streamed/));

const words = hostileText(['Hello', '</think>', '🎉', '{"', '\n\n', 'data: ', 'event: error'], 8);

const saidItem = fc.oneof(
  fc.record({ type: fc.constant('message' as const), text: words }),
  fc.record({ type: fc.constant('reasoning' as const), text: words }),
  fc.record({
    type: fc.constant('function_call' as const),
    text: fc
      .dictionary(fc.string(), fc.string(), { noNullPrototype: true })
      .map((each) => JSON.stringify(each)),
  }),
);

const said = fc.record({
  items: fc.array(saidItem, { maxLength: 6 }),
  /** How much of each item its deltas send before it is done. */
  told: fc.constantFrom('all', 'some', 'nothing'),
  isAnnounced: fc.boolean(),
  /** Items that begin before others are done, like LiteLLM's bridge sends them. */
  isInterleaved: fc.boolean(),
  end: fc.constantFrom('\n', '\r\n'),
  isNamed: fc.boolean(),
  cuts: places,
  byteCuts: places,
});
type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;
type SaidItem = Said['items'][number];

const deltas = {
  message: 'output_text',
  reasoning: 'reasoning_summary_text',
  function_call: 'function_call_arguments',
};

function itemOf({ type, text }: SaidItem, at: number): { [name: string]: fc.JsonValue } {
  switch (type) {
    case 'message':
      return { type, id: `msg_${at}`, role: 'assistant', content: [{ type: 'output_text', text }] };
    case 'reasoning':
      return { type, id: `rs_${at}`, summary: [{ type: 'summary_text', text }], encrypted_content: `b${at}` };
    case 'function_call':
      return { type, id: `fc_${at}`, call_id: `call_${at}`, name: 'read_file', arguments: text };
  }
}

function toEvents({ items, told, isAnnounced, isInterleaved, cuts }: Said): fc.JsonValue[] {
  const opened = items.map((each, at): fc.JsonValue[] => {
    const pieces = cutText(each.text, cuts).filter((piece) => piece !== '');
    const sent = told === 'all' ? pieces : told === 'some' ? pieces.slice(0, pieces.length / 2) : [];
    const begun = itemOf({ ...each, text: '' }, at);
    const empty =
      each.type === 'message' ? { content: [] } : each.type === 'reasoning' ? { summary: [] } : {};
    return [
      // Without it, deltas of a call would name none.
      ...(isAnnounced || each.type === 'function_call'
        ? [{ type: 'response.output_item.added', output_index: at, item: { ...begun, ...empty } }]
        : []),
      ...sent.map((delta) => ({ type: `response.${deltas[each.type]}.delta`, output_index: at, delta })),
    ];
  });
  const done = items.map((each, at) => ({
    ...{ type: 'response.output_item.done', output_index: at, item: itemOf(each, at) },
  }));
  return [
    { type: 'response.created', response: { status: 'in_progress', model: 'm', output: [] } },
    ...(isInterleaved
      ? [...opened.flat(), ...done.toReversed()]
      : opened.flatMap((events, at) => [...events, ...done.slice(at, at + 1)])),
    {
      type: 'response.completed',
      response: { status: 'completed', output: [], usage: { input_tokens: 3, output_tokens: 4 } },
    },
  ];
}

const isSaid = ({ text }: SaidItem) => text !== '';

export const target: Target = {
  'says what the model said, and gives it back as it came': {
    runs: 1500,
    property: fc.property(said, (what) => {
      const { items, end, isNamed, byteCuts, told, isInterleaved } = what;
      const texts = items.filter(({ type }) => type === 'message').filter(isSaid);
      const calls = items.flatMap(({ type, text }, at) =>
        type === 'function_call' ? [{ id: `call_${at}`, name: 'read_file', arguments: text }] : [],
      );
      const text = texts.map((each) => each.text).join('\n\n');
      fc.pre((text.trim() !== '' || calls.length > 0) && !text.trimStart().startsWith('<'));
      const { events, failure } = ask(cutAt(namedEvents(toEvents(what), end, isNamed), byteCuts));
      assert.equal(failure, undefined);
      // Items that are sent only when done keep that order.
      const isInOrder = told === 'all' || !isInterleaved;
      const spoken = events.map((event) => (event.type === 'textAdded' ? event.text : '')).join('');
      if (isInOrder) assert.equal(spoken, text);
      assert.deepEqual(
        events.flatMap((event) => (event.type === 'toolCallsCompleted' ? event.calls : [])),
        calls,
      );
      const finished = events.at(-1);
      assert.ok(finished?.type === 'modelFinished');
      assert.deepEqual(
        [finished.usage, finished.reason],
        [{ promptTokens: 3, completionTokens: 4 }, calls.length > 0 ? 'tool_calls' : 'stop'],
      );
      const blocks = events.flatMap((event) => (event.type === 'reasoningSigned' ? event.blocks : []));
      const thoughts = items.flatMap((each, at) => (each.type === 'reasoning' ? [itemOf(each, at)] : []));
      // Signed reasoning comes back byte for byte: vendors refuse changed items.
      assert.deepEqual(
        blocks.flatMap((block) =>
          'item' in block && block.item['type'] === 'reasoning' ? [block.item] : [],
        ),
        thoughts,
      );
      if (!isInOrder) return;
      const { input } = toResponsesBody(
        {
          ...{ model: 'm', stream: true },
          messages: [
            { role: 'assistant', model: 'm', content: spoken, signedReasoning: blocks, toolCalls: calls },
          ],
        },
        serviceForm,
      );
      const sent = (input as { type: string }[]).map(({ type }) => type);
      const kinds = items.filter((each) => each.type !== 'message' || isSaid(each)).map(({ type }) => type);
      const last = kinds.findLastIndex((kind) => kind !== 'reasoning');
      if (thoughts.length > 0) assert.deepEqual(sent, kinds.slice(0, last + 1));
    }),
  },
  ...endsInOneOfTwoWays(ask, spoiltStream, namedEvents, [
    'data: ',
    '{"type":"response.',
    'output_item.done","item":',
    '{"error":',
    '}',
    '\n\n',
  ]),
  'makes no call of an answer that was cut off': {
    runs: 1000,
    property: fc.property(said, fc.nat(), (what, at) => {
      const whole = namedEvents(toEvents(what), what.end, what.isNamed);
      const { events, failure } = ask([
        whole.subarray(0, at % whole.lastIndexOf(Buffer.from('"type":"response.completed"'))),
      ]);
      assert.ok(failure);
      assert.ok(!events.some(({ type }) => type === 'toolCallsCompleted' || type === 'modelFinished'));
    }),
  },
};
