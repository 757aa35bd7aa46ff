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

export const noNetworkSecrets: NetworkSecrets = {
  get: async () => undefined,
  ask: async () => undefined,
  askAgain: () => undefined,
};

export function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

export type NetworkSecretKind = 'proxy' | 'passphrase';

export interface NetworkSecrets {
  /** `of`: a proxy's origin (its secret: the value of `Proxy-Authorization`), or a file's path. */
  get(kind: NetworkSecretKind, of: string): Promise<string | undefined>;
  /** Asks once and saves the answer; undefined if dismissed. `refused`: the secret that was rejected. */
  ask(kind: NetworkSecretKind, of: string, refused: string | undefined): Promise<string | undefined>;
  askAgain(): void;
}
