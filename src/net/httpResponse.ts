import { decodeBody } from './contentCoding.ts';
import type { ResponseTimeouts } from './responseTimeouts.ts';
import type { WireResponse } from './transport.ts';

/** An answer whose headers are here and whose body is still coming. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** In lower case, without parameters; empty when not sent. */
  readonly contentType: string;
  /** The address that answered, without query. */
  readonly address: string;
  /** To be iterated once. Leaving early closes the socket. Throws a `SwitchboardError`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The body as text, up to a number of bytes; what is beyond is not read and the socket is closed. */
  text(maxBytes: number): Promise<string>;
  /** Closes the socket without reading further. */
  close(): void;
  /** The first real event came: ends the first-token limit of a request sent with `beginsWithEvent`. */
  onFirstByte(): void;
  /** Something of the answer itself came; once this is told, pings alone do not keep the answer alive for ever. */
  onProgress(): void;
  /** Another limit of silence from here on, in milliseconds. */
  setIdleLimit(idleMs: number): void;
}

export interface ResponseParts {
  wire: WireResponse;
  address: string;
  timeouts: ResponseTimeouts;
  /** Turns the system's errors into ours. */
  toError: (error: unknown) => Error;
  close: () => void;
}

/** Joins what a transport gave with the limits of its request. */
export function createResponse({ wire, address, timeouts, toError, close }: ResponseParts): HttpResponse {
  const read = readBody(wire.body, timeouts, toError);
  const body = decodedBody(read, wire.headers['content-encoding'], toError);
  return {
    status: wire.status,
    headers: wire.headers,
    contentType: (wire.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase(),
    address,
    body,
    text: (maxBytes) => readText(body, maxBytes),
    close() {
      timeouts.dispose();
      close();
    },
    onFirstByte: () => timeouts.onFirstByte(),
    onProgress: () => timeouts.onProgress(),
    setIdleLimit: (idleMs) => timeouts.setIdleLimit(idleMs),
  };
}

async function* readBody(
  raw: AsyncIterable<Uint8Array>,
  timeouts: ResponseTimeouts,
  toError: (error: unknown) => Error,
): AsyncGenerator<Uint8Array, void> {
  const iterator = raw[Symbol.asyncIterator]();
  try {
    for (;;) {
      timeouts.onWait();
      const { done, value } = await iterator.next();
      timeouts.onData();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw toError(error);
  } finally {
    timeouts.dispose();
    await iterator.return?.();
  }
}

/** What is compressed wrongly, or ends too early, is a failure of the network like any other. */
function decodedBody(
  body: AsyncIterable<Uint8Array>,
  coding: string | undefined,
  toError: (error: unknown) => Error,
): AsyncIterable<Uint8Array> {
  const decoded = decodeBody(body, coding);
  return decoded === body ? body : withErrors(decoded, toError);
}

async function* withErrors(
  body: AsyncIterable<Uint8Array>,
  toError: (error: unknown) => Error,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (error) {
    throw toError(error);
  }
}

async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size >= maxBytes) break;
  }
  return new TextDecoder().decode(Buffer.concat(pieces).subarray(0, maxBytes));
}
