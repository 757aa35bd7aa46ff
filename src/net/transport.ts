import type { Readable } from 'node:stream';

/** Milliseconds; 0 stands for no limit. */
export interface Timeouts {
  /** From the call until a connection stands, name lookup and TLS included. */
  connectMs: number;
  /** From the request sent until the answer really begins. */
  firstTokenMs: number;
  /** Between two pieces of an answer that has begun. */
  idleMs: number;
}

/** What is sent. A stream is given as a function, so that a second route can start it again. */
export type RequestBody = string | (() => Readable);

/** One request on one route: no redirects, no retries, no limits but the one for connecting. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: RequestBody;
  connectMs: number;
  signal: AbortSignal;
  /** Called when a connection stands and the body is about to be written; only for a string body. */
  onSent?: () => void;
}

export interface WireResponse {
  status: number;
  /** Names in lower case; repeated ones joined by `, `. */
  headers: Record<string, string>;
  /** Leaving the iteration early closes the socket. */
  body: AsyncIterable<Uint8Array>;
}

/** Sends one request. Rejects with the system's own error, or with the signal's reason. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** Node and undici give repeated headers as arrays. */
export function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
