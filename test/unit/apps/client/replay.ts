import type { AppEvent } from '../../../../src/apps/app.ts';
import { AppAnswer } from '../../../../src/apps/client/appAnswer.ts';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { EventStreamDecoder } from '../../../../src/net/eventStream.ts';

export interface Replayed {
  events: AppEvent[];
  failure?: SwitchboardError;
  /** Kinds of events that are not known. */
  unknown: string[];
}

/** A stream's bytes in pieces, through decoder and answer: the events, neighbours joined, and how it ended. */
export function replay(pieces: Iterable<Uint8Array>): Replayed {
  const unknown: string[] = [];
  const answer = createAnswer(unknown);
  const decoder = new EventStreamDecoder();
  const events: AppEvent[] = [];
  try {
    for (const piece of pieces) {
      for (const event of decoder.decode(piece)) answer.addEvent(event);
      events.push(...answer.take());
    }
    for (const event of decoder.end()) answer.addEvent(event);
    answer.endText();
    events.push(...answer.take());
    events.push(...answer.finish());
    return { events: joined(events), unknown };
  } catch (failure) {
    if (!(failure instanceof SwitchboardError)) throw failure;
    return { events: joined(events), failure, unknown };
  }
}

export function createAnswer(unknown: string[] = []): AppAnswer {
  return new AppAnswer({
    baseUrl: 'https://platform.example',
    address: 'https://platform.example/v1/chat-messages',
    key: 'app-1',
    toError: (body) =>
      new SwitchboardError('transient', 'It failed.', { why: String(body['message']), status: 400 }),
    onUnknown: (kind) => unknown.push(kind),
  });
}

/** How text is cut into events follows the network; only what it says matters. Fields that are undefined are gone. */
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
