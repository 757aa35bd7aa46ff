import type { Readable } from 'node:stream';

/** Milliseconds; 0: no limit. */
export interface Timeouts {
  /** Until connected, DNS and TLS included. */
  connectMs: number;
  firstTokenMs: number;
  idleMs: number;
}

/** A stream is given as a function, so that a second route can restart it. */
export type RequestBody = string | (() => Readable);

/** One request on one route: no redirects, no retries, no limit except for connecting. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: RequestBody;
  connectMs: number;
  signal: AbortSignal;
  /** Called once connected, just before a string body is written. */
  onSent?: () => void;
}

export interface WireResponse {
  status: number;
  headers: Record<string, string>;
  /** Leaving early closes the socket. */
  body: AsyncIterable<Uint8Array>;
}

/** Rejects with the system's own error, or the signal's reason. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

export function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
