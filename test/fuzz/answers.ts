import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelEvent, ToolCall } from '../../src/relay/messages.ts';
import { cutAt, type replay } from '../unit/relay/replay.ts';
import { hostileText, places } from './inputs.ts';
import type { Target } from './property.ts';

type Replayed = ReturnType<typeof replay>;

/** Invariants of an answer, whatever the server sent. */
function assertWellFormed({ events, failure }: Replayed): void {
  const types = events.map(({ type }) => type);
  const calls = events.flatMap((event) => (event.type === 'toolCallsCompleted' ? [event.calls] : []));
  assert.ok(calls.length <= 1);
  // Calls are complete only when the answer has ended.
  if (failure) assert.ok(!types.includes('toolCallsCompleted') && !types.includes('modelFinished'));
  else {
    assert.equal(types.indexOf('modelFinished'), types.length - 1);
    if (calls.length > 0) assert.equal(types.indexOf('toolCallsCompleted'), types.length - 2);
  }
  const list: readonly ToolCall[] = calls[0] ?? [];
  assert.equal(new Set(list.map(({ id }) => id)).size, list.length);
  for (const { extra = {}, ...call } of list) {
    assert.ok(call.id !== '');
    assert.ok(typeof extra === 'object');
    assert.deepEqual(
      Object.entries(call)
        .map(([name, value]) => `${name} ${typeof value}`)
        .toSorted(),
      ['arguments string', 'id string', 'name string'],
    );
  }
  for (const event of events) assertPlain(event);
}

/** @param words of the protocol, which hostile answers are made of */
export function endsInOneOfTwoWays(
  ask: (pieces: Iterable<Uint8Array>) => Replayed,
  spoilt: fc.Arbitrary<readonly fc.JsonValue[]>,
  toBytes: (events: readonly fc.JsonValue[]) => Buffer,
  words: readonly string[],
): Target {
  const bytes = fc.oneof(
    spoilt.map((events) => toBytes(events)),
    fc.array(fc.jsonValue(), { maxLength: 5 }).map((events) => toBytes(events)),
    hostileText(words, 40).map((text) => Buffer.from(text)),
  );
  return {
    'ends an answer in one of two ways, whatever a server sends': {
      runs: 2500,
      property: fc.property(bytes, places, (each, at) => assertReadAlike(ask, each, at)),
    },
  };
}

/** Asserts the only calls of an answer, whose ids the scripts of properties count. */
export function assertCalls(
  events: readonly ModelEvent[],
  calls: readonly { name: string; input: unknown }[],
): void {
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'toolCallsCompleted' ? event.calls : [])),
    calls.map(({ name, input }, index) => ({ id: `id${index}`, name, arguments: JSON.stringify(input) })),
  );
}

/** An answer is read alike wherever the network cuts it. */
function assertReadAlike(
  ask: (pieces: Iterable<Uint8Array>) => Replayed,
  bytes: Uint8Array,
  at: readonly number[],
): void {
  const whole = ask([bytes]);
  assertWellFormed(whole);
  const cut = ask(cutAt(bytes, at));
  assertWellFormed(cut);
  assert.equal(cut.failure?.message, whole.failure?.message);
  assert.deepEqual(cut.events, whole.events);
}

function assertPlain(event: ModelEvent): void {
  if (event.type === 'textAdded' || event.type === 'reasoningAdded') {
    assert.ok(typeof event.text === 'string' && event.text !== '');
  }
  if (event.type !== 'modelFinished') return;
  assert.equal(typeof event.reason, 'string');
  for (const count of Object.values(event.usage ?? {})) assert.ok(Number(count) >= 0);
}
