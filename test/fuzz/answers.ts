import assert from 'node:assert/strict';
import type { ModelEvent, ToolCall } from '../../src/relay/messages.ts';
import { cutAt, type replay } from '../unit/relay/replay.ts';

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

/** An answer is read alike wherever the network cuts it. */
export function assertReadAlike(
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
