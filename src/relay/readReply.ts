import { isCancelled, SwitchboardError } from '../base/errors.ts';
import { asObject, isCutJson, type JsonObject, parseJson } from '../base/json.ts';
import { EventStreamDecoder, readEvents } from '../net/eventStream.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import { Answer } from './answer.ts';
import { chargedFor } from './charged.ts';
import type { RelayConnection } from './headers.ts';
import type { ModelEvent } from './messages.ts';
import { readRefusal, refusalOf } from './relayCall.ts';
import { messageFor } from './relayMessages.ts';
import type { WireProtocol, WireReader } from './wireProtocol.ts';

/** The largest answer that is read when it comes in one piece. */
const maxWholeBytes = 64 * 1024 * 1024;

/** How long the end of a stream may take once nothing essential can follow, in milliseconds. */
const patienceAfter = { done: 250, usage: 1_000, finishReason: 5_000 };

/**
 * A response to a chat request as model events, one batch per network read. What the body is follows from its
 * type, not from what was asked for: some servers ignore `stream`, some always stream. Throws the failures of
 * `SwitchboardError`; everything received before one was yielded before.
 */
export async function* readReply(
  response: HttpResponse,
  connection: RelayConnection,
  protocol: Pick<WireProtocol, 'createReader'>,
): AsyncGenerator<readonly ModelEvent[], void> {
  const { status, contentType } = response;
  if (status < 200 || status >= 300 || contentType.includes('html')) {
    throw await readRefusal(response, connection);
  }
  const reader = protocol.createReader();
  if (contentType.includes('json')) yield await readWhole(response, connection, reader);
  else yield* readStreamed(response, connection, reader);
}

async function readWhole(
  response: HttpResponse,
  connection: RelayConnection,
  reader: WireReader,
): Promise<ModelEvent[]> {
  const text = await response.text(maxWholeBytes);
  response.onFirstByte();
  return wholeAnswer(text, response, connection, reader);
}

function wholeAnswer(
  text: string,
  response: HttpResponse,
  connection: RelayConnection,
  reader: WireReader,
): ModelEvent[] {
  const answer = createAnswer(response, connection, reader, 'answer');
  const body = asObject(parseJson(text));
  if (body) {
    if (!reader.isWhole(body)) throw refusalOf(response, text, connection);
    answer.add(body);
    return answer.finish('whole');
  }
  if (text.trim() === '') throw failure('empty-reply', response.address);
  // Events under the wrong type: a proxy that labels everything JSON.
  if (/^\s*(data|event|:)/.test(text)) return streamedText(text, answer);
  if (isCutJson(text)) throw failure('truncated', response.address);
  throw refusalOf(response, text, connection);
}

function streamedText(text: string, answer: Answer): ModelEvent[] {
  const decoder = new EventStreamDecoder();
  for (const event of [...decoder.decode(Buffer.from(text)), ...decoder.end()]) answer.addEvent(event.data);
  return answer.finish('streamed');
}

async function* readStreamed(
  response: HttpResponse,
  connection: RelayConnection,
  reader: WireReader,
): AsyncGenerator<readonly ModelEvent[], void> {
  const answer = createAnswer(response, connection, reader, 'stream');
  const decoder = new EventStreamDecoder();
  let heard = false;
  let size = 0;
  try {
    for await (const read of readEvents(response.body, decoder)) {
      // The messages protocol has pings for events.
      const events = read.filter(({ event }) => event !== 'ping');
      if (events.length === 0) continue;
      if (!heard) response.onFirstByte();
      for (const event of events) answer.addEvent(event.data);
      // Pings and empty pieces keep a connection, not an answer, alive; only its beginning may be empty.
      if (!heard || answer.size > size) response.onProgress();
      heard = true;
      ({ size } = answer);
      const batch = answer.take();
      if (batch.length > 0) yield batch;
      if (answer.isComplete || answer.isDone) response.setIdleLimit(patienceFor(answer));
    }
  } catch (error) {
    answer.endText();
    const rest = answer.take();
    if (rest.length > 0) yield rest;
    // When all was said, it does not matter how the transmission ended.
    const allSaid = answer.isComplete || answer.isDone;
    if (!allSaid || isCancelled(error) || isReported(error)) throw error;
  }
  // No event at all: the body is something else than its type says, or nothing.
  if (!heard && decoder.unread.trim() !== '') {
    yield wholeAnswer(decoder.unread, response, connection, reader);
  } else yield answer.finish('streamed');
}

function patienceFor(answer: Answer): number {
  if (answer.isDone) return patienceAfter.done;
  return answer.hasUsage ? patienceAfter.usage : patienceAfter.finishReason;
}

/** A failure that the server itself reported, as opposed to a connection that broke or went silent. */
function isReported(error: unknown): boolean {
  return !(error instanceof SwitchboardError) || error.status !== undefined;
}

function createAnswer(
  response: HttpResponse,
  connection: RelayConnection,
  reader: WireReader,
  stage: 'answer' | 'stream',
): Answer {
  return new Answer({
    address: response.address,
    reader,
    charged: (usage) => chargedFor(response, usage),
    toError: (body: JsonObject) => refusalOf(response, JSON.stringify(body), connection, stage),
  });
}

function failure(code: 'truncated' | 'empty-reply', address: string): SwitchboardError {
  return new SwitchboardError(code, messageFor(code, { address, isEmpty: true }), { address });
}
