import assert from 'node:assert/strict';
import fc from 'fast-check';
import anthropicTranslated from '../fixtures/streams/anthropic-translated.txt';
import bareError from '../fixtures/streams/bare-error.txt';
import deepseek from '../fixtures/streams/deepseek-reasoning.txt';
import openai from '../fixtures/streams/openai.txt';
import openrouter from '../fixtures/streams/openrouter.txt';
import toolCalls from '../fixtures/streams/tool-calls.txt';
import { cutAt, replay } from '../unit/relay/replay.ts';
import { assertCalls, endsInOneOfTwoWays } from './answers.ts';
import { cutText, hostileText, places } from './inputs.ts';
import { spoiltStreamOf } from './streams.ts';
import type { Target } from './property.ts';

const recorded = [anthropicTranslated, bareError, deepseek, openai, openrouter, toolCalls];

/** Chunks of recorded answers, as JSON; words such as `[DONE]` unchanged. */
const streams = recorded.map((text) =>
  text.split('\n').flatMap((line) => {
    const data = /^(?:data: ?)?([[{].*)$/.exec(line)?.[1];
    if (data === undefined) return [];
    return [data.startsWith('{') ? (JSON.parse(data) as fc.JsonValue) : data];
  }),
);

const spoiltStream = spoiltStreamOf(streams);

function toBytes(chunks: readonly fc.JsonValue[], end = '\n'): Buffer {
  const text = chunks.map(
    (chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}${end}${end}`,
  );
  return Buffer.from(text.join(''));
}

const said = fc.record({
  reasoning: hostileText(['think', '思', '\n'], 8),
  text: hostileText(['Hello', '</think>', '🎉', '{"', '\n\n', 'data: '], 12),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom('read_file', 'x'),
      input: fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
    }),
    { maxLength: 3 },
  ),
  reasoningField: fc.constantFrom('reasoning_content', 'reasoning'),
  usageWhere: fc.constantFrom('own chunk', 'last chunk', 'every chunk', 'none'),
  end: fc.constantFrom('\n', '\r\n'),
  hasPings: fc.boolean(),
  hasDone: fc.boolean(),
  cuts: places,
  byteCuts: places,
});

function toChunks({
  reasoning,
  text,
  calls,
  ...how
}: typeof said extends fc.Arbitrary<infer T> ? T : never): fc.JsonValue[] {
  const usage = { prompt_tokens: 3, completion_tokens: 4 };
  const each =
    how.usageWhere === 'every chunk' ? { usage } : how.usageWhere === 'own chunk' ? { usage: null } : {};
  const chunk = (delta: fc.JsonValue, finish: string | null = null) => ({
    ...{ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] },
    ...each,
  });
  const chunks: fc.JsonValue[] = [
    chunk({ role: 'assistant', content: '' }),
    ...cutText(reasoning, how.cuts).map((piece) => chunk({ content: null, [how.reasoningField]: piece })),
    ...cutText(text, how.cuts).map((piece) => chunk({ content: piece })),
    ...calls.flatMap(({ name, input }, index) => [
      chunk({
        tool_calls: [{ index, id: `id${index}`, type: 'function', function: { name, arguments: '' } }],
      }),
      ...cutText(JSON.stringify(input), how.cuts).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    {
      ...chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      ...(how.usageWhere === 'last chunk' && { usage }),
    },
    ...(how.usageWhere === 'own chunk' ? [{ model: 'm', choices: [], usage }] : []),
  ];
  return how.hasDone ? [...chunks, '[DONE]'] : chunks;
}

export const target: Target = {
  'says what the model said, however a vendor sends it': {
    runs: 1500,
    property: fc.property(said, (what) => {
      const { reasoning, text, calls, end, byteCuts } = what;
      // Empty answers are handled elsewhere, and so is reasoning at the beginning of the text.
      fc.pre((text.trim() !== '' || calls.length > 0) && !text.trimStart().startsWith('<'));
      const pings = what.hasPings ? `: PING${end}${end}` : '';
      const bytes = Buffer.concat([Buffer.from(pings), toBytes(toChunks(what), end), Buffer.from(pings)]);
      const { events, failure } = replay(cutAt(bytes, byteCuts));
      assert.equal(failure, undefined);
      const join = (type: 'textAdded' | 'reasoningAdded') =>
        events.map((event) => (event.type === type ? event.text : '')).join('');
      assert.equal(join('textAdded'), text);
      assert.equal(join('reasoningAdded').trim(), reasoning.trim());
      const finished = events.at(-1);
      assert.ok(finished?.type === 'modelFinished');
      assert.equal(finished.usage?.completionTokens, what.usageWhere === 'none' ? undefined : 4);
      assertCalls(events, calls);
    }),
  },
  ...endsInOneOfTwoWays(replay, spoiltStream, toBytes, [
    'data: ',
    '{"choices":[{"delta":',
    '{"error":',
    '}',
    ']',
    '\n\n',
    'null',
  ]),
  'makes no call of an answer that was cut off': {
    runs: 1000,
    property: fc.property(said, fc.nat(), (what, at) => {
      const whole = toBytes(toChunks({ ...what, hasDone: false }), what.end);
      const finish = whole.lastIndexOf(Buffer.from('"finish_reason":"'));
      const { events, failure } = replay([whole.subarray(0, at % finish)]);
      assert.ok(failure);
      assert.ok(!events.some(({ type }) => type === 'toolCallsCompleted' || type === 'modelFinished'));
    }),
  },
};
