import { isCancelled, SwitchboardError } from '../base/errors/errors.ts';
import { asObject, isCutJson, type JsonObject, parseJson } from '../base/json.ts';
import { EventStreamDecoder, type ServerEvent } from '../net/eventStream.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import { Answer } from './answer.ts';
import { chargedFor } from './prices/price.ts';
import type { RelayConnection } from './headers.ts';
import type { ModelEvent } from './messages.ts';
import { readRefusal, refusalOf } from './relayCall.ts';
import { messageFor } from './errors/relayMessages.ts';
import type { WireProtocol, WireReader } from './protocols/wireProtocol.ts';

const maxWholeBytes = 64 * 1024 * 1024;

/** Time for the stream to end once nothing essential can follow, in ms. */
const endLimitMs = { done: 250, usage: 1_000, finishReason: 5_000 };

/** Yields a batch per network read until a failure. The content type decides, as some servers ignore `stream`. */
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
  if (contentType.includes('json')) {
    yield await readWhole(response, connection, reader);
    return;
  }
  const answer = createAnswer(response, connection, reader, 'stream');
  const stream = new ReplyStream(response, answer);
  try {
    for await (const bytes of response.body) {
      const batch = stream.add(bytes);
      if (batch.length > 0) yield batch;
    }
    const batch = stream.end();
    if (batch.length > 0) yield batch;
  } catch (error) {
    answer.endText();
    const rest = answer.take();
    if (rest.length > 0) yield rest;
    // After the last word, the end of the transmission doesn't matter.
    const allSaid = answer.isComplete || answer.isDone;
    if (!allSaid || isCancelled(error) || isReported(error)) throw error;
  }
  // No event at all: mislabeled content, or nothing.
  if (stream.unread.trim() !== '') yield wholeAnswer(stream.unread, response, connection, reader);
  else yield answer.finish('streamed');
}

class ReplyStream {
  private readonly decoder = new EventStreamDecoder();
  private hasBegun = false;
  private size = 0;

  constructor(
    private readonly response: HttpResponse,
    private readonly answer: Answer,
  ) {}

  add(bytes: Uint8Array): ModelEvent[] {
    return this.take(this.decoder.decode(bytes));
  }

  end(): ModelEvent[] {
    return this.take(this.decoder.end());
  }

  get unread(): string {
    return this.decoder.unread;
  }

  private take(read: readonly ServerEvent[]): ModelEvent[] {
    const { answer, response } = this;
    // The messages protocol has pings for events.
    const events = read.filter(({ event }) => event !== 'ping');
    if (events.length === 0) return [];
    for (const event of events) answer.addEvent(event.data);
    const begins = !this.hasBegun && answer.hasBegun;
    if (begins) response.onFirstByte();
    // Only content is progress, not pings or empty pieces; the beginning may be empty.
    if (begins || answer.size > this.size) response.onProgress();
    this.hasBegun ||= begins;
    this.size = answer.size;
    if (answer.isComplete || answer.isDone) response.setIdleLimit(endLimitFor(answer));
    return answer.take();
  }
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
  // Events labeled JSON by a proxy.
  if (/^\s*(data|event|:)/.test(text)) return streamedText(text, answer);
  if (isCutJson(text)) throw failure('truncated', response.address);
  throw refusalOf(response, text, connection);
}

function streamedText(text: string, answer: Answer): ModelEvent[] {
  const decoder = new EventStreamDecoder();
  for (const event of [...decoder.decode(Buffer.from(text)), ...decoder.end()]) answer.addEvent(event.data);
  return answer.finish('streamed');
}

function endLimitFor(answer: Answer): number {
  if (answer.isDone) return endLimitMs.done;
  return answer.hasUsage ? endLimitMs.usage : endLimitMs.finishReason;
}

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
