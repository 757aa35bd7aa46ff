import { decodeBody } from './contentCoding.ts';
import type { ResponseTimeouts } from './responseTimeouts.ts';
import type { WireResponse } from './transport.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In lower case, without parameters; empty if missing. */
  readonly contentType: string;
  /** Without query. */
  readonly address: string;
  /** To be iterated once. Leaving early closes the socket. Throws a `SwitchboardError`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** At most `maxBytes` of the body; reaching them closes the socket. */
  text(maxBytes: number): Promise<string>;
  close(): void;
  onFirstByte(): void;
  /** Content arrived; from then on, pings alone don't keep the answer alive forever. */
  onProgress(): void;
  setIdleLimit(idleMs: number): void;
}

export interface ResponseParts {
  wire: WireResponse;
  address: string;
  timeouts: ResponseTimeouts;
  toError: (error: unknown) => Error;
  close: () => void;
}

export function createResponse({ wire, address, timeouts, toError, close }: ResponseParts): HttpResponse {
  const read = readBody(wire.body, timeouts, toError);
  const body = decodeBody(read, wire.headers['content-encoding'], toError);
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
