import type { Clock } from '../../base/clock.ts';
import { isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { asObject, isCutJson, parseJson } from '../../base/json.ts';
import { maskExactly } from '../../base/secrets/maskAnswer.ts';
import { EventStreamDecoder } from '../../net/eventStream.ts';
import type { HttpResponse } from '../../net/httpResponse.ts';
import { cutOffMessage } from '../../platform/platformMessages.ts';
import type { AppEvent } from '../app.ts';
import type { AppAnswer } from './appAnswer.ts';

const maxWholeBytes = 64 * 1024 * 1024;

/** Time limit for the rest of the body once an answer is ending, in ms; audio and pings do not extend it. */
const timeouts = { ending: 10_000, none: 1_000 };

export interface ReplyOptions {
  idleMs: number;
  key: string;
  clock: Clock;
}

/** Yields a batch per network read, all before a failure. The content type decides how the body is read. */
export async function* readAppReply(
  response: HttpResponse,
  answer: AppAnswer,
  options: ReplyOptions,
): AsyncGenerator<readonly AppEvent[], void> {
  if (response.contentType.includes('json')) {
    const text = await response.text(maxWholeBytes);
    response.onFirstByte();
    addWhole(answer, text, options);
  } else {
    yield* readStream(response, answer, options);
  }
  answer.endText();
  yield answer.take();
  yield answer.finish();
}

async function* readStream(
  response: HttpResponse,
  answer: AppAnswer,
  options: ReplyOptions,
): AsyncGenerator<readonly AppEvent[], void> {
  const { idleMs, clock } = options;
  const decoder = new EventStreamDecoder();
  let { hasBegun, remaining } = answer;
  let eventCount = 0;
  let untilMs = Infinity;
  try {
    // Pings are no events, and a server may send them forever after its last event.
    for await (const bytes of response.body) {
      for (const event of decoder.decode(bytes)) answer.addEvent(event);
      if (answer.eventCount > eventCount) response.onProgress();
      ({ eventCount } = answer);
      const batch = answer.take();
      if (answer.hasBegun && !hasBegun) response.onFirstByte();
      ({ hasBegun } = answer);
      if (batch.length > 0) yield batch;
      if (answer.failure) return;
      if (answer.remaining !== remaining) {
        ({ remaining } = answer);
        // A run that waited for human input may continue.
        response.setIdleLimit(remaining === 'more' ? idleMs : timeouts[remaining]);
        untilMs = remaining === 'more' ? Infinity : clock.now() + timeouts[remaining];
      }
      if (clock.now() >= untilMs) return;
    }
    for (const event of decoder.end()) answer.addEvent(event);
  } catch (error) {
    answer.endText();
    yield answer.take();
    // Once the answer is complete, a broken transmission does not matter.
    if (answer.remaining === 'more' || isCancelled(error)) throw error;
  }
  if (!answer.hasBegun) addWhole(answer, decoder.unread, options);
}

/** A body that is no stream: a whole answer, or events under the wrong type. */
function addWhole(answer: AppAnswer, text: string, { key }: ReplyOptions): void {
  const body = asObject(parseJson(maskExactly(text, [key])));
  if (body) {
    answer.addWhole(body);
    return;
  }
  if (isCutJson(text)) throw new SwitchboardError('truncated', cutOffMessage());
  const decoder = new EventStreamDecoder();
  for (const event of [...decoder.decode(Buffer.from(text)), ...decoder.end()]) answer.addEvent(event);
}
