import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toPlatformError } from '../../src/platform/platformErrors.ts';
import { replay as replayWith, type Replayed } from '../unit/apps/client/replay.ts';
import agent from '../unit/apps/client/streams/agent.txt';
import chat from '../unit/apps/client/streams/chat.txt';
import chatflowOld from '../unit/apps/client/streams/chatflow-old.txt';
import chatflow from '../unit/apps/client/streams/chatflow.txt';
import completion from '../unit/apps/client/streams/completion.txt';
import errorInStream from '../unit/apps/client/streams/error-in-stream.txt';
import workflowFailed from '../unit/apps/client/streams/workflow-failed.txt';
import workflowPaused from '../unit/apps/client/streams/workflow-paused.txt';
import workflow from '../unit/apps/client/streams/workflow.txt';
import { cutAt } from '../unit/relay/replay.ts';
import { cutText, hostileText, places, spoilt, textsIn } from './inputs.ts';
import type { Target } from './property.ts';

const key = 'app-q7Wm2Rt9Xb4Lp8Zk3Vn6Hc1Y';
const address = 'https://platform.example/v1/chat-messages';

/** Parses with the platform's errors; servers may repeat the key. */
function replay(pieces: Iterable<Uint8Array>): Replayed {
  const toError = (body: object) =>
    toPlatformError({
      ...{ status: 200, headers: {}, contentType: 'text/event-stream', service: 'app', nowMs: 0 },
      ...{ address, key, body: JSON.stringify(body) },
    });
  return replayWith(pieces, toError, key);
}

const numeric = /^(?:.*(?:Ms|Tokens|Count)|tokens|size|score|position|index|round|retries|depth)$/;

function assertOfItsKind(value: unknown): void {
  assert.ok(typeof value === 'object' && value !== null);
  if (Array.isArray(value)) {
    for (const each of value) if (typeof each !== 'string') assertOfItsKind(each);
    return;
  }
  for (const [name, field] of Object.entries(value)) {
    // Outputs and inputs of an app are shown as JSON, whatever they are.
    if (name === 'outputs' || name === 'inputs') continue;
    assert.equal(typeof field === 'number', numeric.test(name), `${name}: ${typeof field}`);
    if (typeof field === 'number') assert.ok(Number.isFinite(field), name);
    if (typeof field === 'object') assertOfItsKind(field);
  }
}

const streams = [
  agent,
  chat,
  chatflowOld,
  chatflow,
  completion,
  errorInStream,
  workflowFailed,
  workflowPaused,
  workflow,
].map((text) =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as fc.JsonValue] : [])),
);

const toBytes = (chunks: readonly fc.JsonValue[]) =>
  Buffer.from(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\nevent: ping\n\n`).join(''));

/** Recorded answers with events spoilt, dropped, repeated or moved. */
const spoiltStream = fc
  .constantFrom(...streams)
  .chain((chunks) =>
    fc
      .tuple(
        fc.shuffledSubarray(chunks),
        fc.boolean(),
        fc.array(spoilt(fc.constantFrom(...streams.flat())), { maxLength: 3 }),
      )
      .map(([some, isInOrder, others]) => [
        ...(isInOrder ? chunks.slice(0, -1) : some),
        ...others,
        ...chunks.slice(-1),
      ]),
  );

export const target: Target = {
  'says what the app said, however it is cut': {
    runs: 1200,
    property: fc.property(
      hostileText(['Use', '</think>', '🎉', '{"', '\n'], 16),
      places,
      places,
      fc.constantFrom('message', 'text_chunk'),
      (text, textCuts, byteCuts, kind) => {
        fc.pre(text.trim() !== '' && !text.trimStart().startsWith('<'));
        const pieces = cutText(text, textCuts);
        const ids = { task_id: 't', message_id: 'm', conversation_id: 'c' };
        const isChat = kind === 'message';
        const events = isChat
          ? [
              ...pieces.map((answer) => ({ event: kind, ...ids, answer })),
              { event: 'message_end', ...ids, metadata: {} },
            ]
          : [
              { event: 'workflow_started', task_id: 't', workflow_run_id: 'w', data: { id: 'w' } },
              ...pieces.map((piece) => ({
                event: kind,
                task_id: 't',
                data: { text: piece, from_variable_selector: ['a', 'text'] },
              })),
              {
                event: 'workflow_finished',
                task_id: 't',
                workflow_run_id: 'w',
                data: { id: 'w', status: 'succeeded', outputs: {} },
              },
            ];
        const { events: got, failure } = replay(cutAt(toBytes(events), byteCuts));
        assert.equal(failure, undefined);
        assert.equal(got.map((event) => (event.type === 'textAdded' ? event.text : '')).join(''), text);
        assert.equal(got.at(-1)?.type, 'ended');
      },
    ),
  },
  'ends an answer in one of two ways, with fields of their kinds, whatever a server sends': {
    runs: 2500,
    property: fc.property(
      fc.oneof(
        spoiltStream,
        fc.array(spoilt(fc.constantFrom(...streams.flat()), 12), { maxLength: 4 }),
        fc.array(fc.jsonValue()),
      ),
      places,
      (chunks, at) => {
        const bytes = toBytes(chunks);
        const whole = replay([bytes]);
        const cut = replay(cutAt(bytes, at));
        assert.deepEqual(cut.events, whole.events);
        assert.equal(cut.failure?.message, whole.failure?.message);
        const { events, failure } = whole;
        const ends = events.filter(({ type }) => type === 'ended').length;
        assert.equal(ends, failure ? 0 : 1);
        if (!failure) assert.equal(events.at(-1)?.type, 'ended');
        for (const event of events) assertOfItsKind(event);
      },
    ),
  },
  'tells no key in failures, of the answer, of a run or of one of its steps': {
    runs: 1500,
    property: fc.property(
      fc.constantFrom(errorInStream, workflowFailed, workflowPaused, chatflow),
      fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
      (stream, at) => {
        const said = textsOutside(stream);
        const echoed = at.reduce((text, place) => {
          const word = said[place % said.length] ?? '';
          return text.replace(`": "${word}"`, () => `": "${word} ${key} ${word}"`);
        }, stream);
        const { events, failure } = replay([Buffer.from(echoed)]);
        const failures = events.flatMap((event): unknown[] => {
          if (event.type === 'paused') return [event.reasons];
          if (event.type === 'stepChanged') return [event.step.error];
          return event.type === 'runFinished' ? [event.run.error] : [];
        });
        for (const text of textsIn([...failures, failure])) assert.ok(!text.includes(key.slice(4, 16)), text);
      },
    ),
  },
};

/** The field values of a stream that carry meaning, without event names. */
function textsOutside(stream: string): string[] {
  const values = [...stream.matchAll(/"(?!event)\w+": "([^"\\]+)"/g)].map(([, value = '']) => value);
  return [...new Set(values)];
}
