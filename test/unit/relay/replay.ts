import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { EventStreamDecoder } from '../../../src/net/eventStream.ts';
import { Answer } from '../../../src/relay/answer.ts';
import type { ModelEvent, Protocol } from '../../../src/relay/messages.ts';
import { protocols } from '../../../src/relay/protocols/allProtocols.ts';
import { toRelayError } from '../../../src/relay/errors/relayErrors.ts';

/** Decodes a stream's bytes; returns the events, neighbours joined, and the end. */
export function replay(
  pieces: Iterable<Uint8Array>,
  protocol: Protocol = 'chat-completions',
): { events: ModelEvent[]; failure?: SwitchboardError } {
  const { path, createReader } = protocols[protocol];
  const address = `https://relay.example.com${path}`;
  let ids = 0;
  const answer = new Answer({
    address,
    reader: createReader(),
    newCallId: () => `new_${++ids}`,
    toError: (body) =>
      toRelayError({
        status: 200,
        headers: {},
        body: JSON.stringify(body),
        contentType: 'text/event-stream',
        stage: 'stream',
        address,
        key: 'sk-test',
        nowMs: 0,
      }),
  });
  const decoder = new EventStreamDecoder();
  const events: ModelEvent[] = [];
  try {
    for (const piece of pieces) {
      for (const { data } of decoder.decode(piece)) answer.addEvent(data);
      events.push(...answer.take());
    }
    for (const { data } of decoder.end()) answer.addEvent(data);
    events.push(...answer.finish('streamed'));
    return { events: joined(events) };
  } catch (failure) {
    events.push(...answer.take());
    if (!(failure instanceof SwitchboardError)) throw failure;
    return { events: joined(events), failure };
  }
}

/** Joins texts, since their pieces depend on the network. */
export function joined(events: readonly ModelEvent[]): ModelEvent[] {
  const result: ModelEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (last && (last.type === 'textAdded' || last.type === 'reasoningAdded') && last.type === event.type) {
      result[result.length - 1] = { type: last.type, text: last.text + event.text };
    } else {
      result.push(event);
    }
  }
  return result;
}

/** Cuts bytes at the given places, in any order and with repetitions. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}
