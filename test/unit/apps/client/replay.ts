import type { AppEvent } from '../../../../src/apps/app.ts';
import { AppAnswer } from '../../../../src/apps/client/appAnswer.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { EventStreamDecoder } from '../../../../src/net/eventStream.ts';

export interface Replayed {
  events: AppEvent[];
  failure?: SwitchboardError;
  unknown: string[];
}

/**
 * Decodes a stream's bytes; returns the events, neighbours joined, and the end.
 * @param toError makes the stream's errors
 */
export function replay(pieces: Iterable<Uint8Array>, toError?: ToError, key?: string): Replayed {
  const unknown: string[] = [];
  const answer = createAnswer(unknown, toError, key);
  const decoder = new EventStreamDecoder();
  const events: AppEvent[] = [];
  try {
    for (const piece of pieces) {
      for (const event of decoder.decode(piece)) answer.addEvent(event);
      events.push(...answer.take());
    }
    for (const event of decoder.end()) answer.addEvent(event);
    answer.endText();
    events.push(...answer.take(), ...answer.finish());
    return { events: joined(events), unknown };
  } catch (failure) {
    if (!(failure instanceof SwitchboardError)) throw failure;
    return { events: joined(events), failure, unknown };
  }
}

type ToError = ConstructorParameters<typeof AppAnswer>[0]['toError'];

const failed: ToError = (body) =>
  new SwitchboardError('transient', 'It failed.', { why: String(body['message']), status: 400 });

/** @param key is masked in the stream */
export function createAnswer(unknown: string[] = [], toError = failed, key = 'app-1'): AppAnswer {
  return new AppAnswer({
    baseUrl: 'https://platform.example',
    address: 'https://platform.example/v1/chat-messages',
    ...{ key, toError },
    onUnknown: (kind) => unknown.push(kind),
  });
}

/** Joins texts, since their pieces depend on the network. Undefined fields are removed. */
export function joined(events: readonly AppEvent[]): AppEvent[] {
  const result: AppEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (last && (last.type === 'textAdded' || last.type === 'reasoningAdded') && last.type === event.type) {
      result[result.length - 1] = { type: last.type, text: last.text + event.text };
    } else {
      result.push(JSON.parse(JSON.stringify(event)) as AppEvent);
    }
  }
  return result;
}
