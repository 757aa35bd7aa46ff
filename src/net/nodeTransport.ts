// Default imports: the editor patches the module objects, not names imported from them.
import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';
import type { LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import { flatHeaders, type Transport } from './transport.ts';

/** Fallback for proxies that only the editor knows, by PAC files or the system. Slower, and without keep-alive. */
export function createNodeTransport(
  strictTls: boolean,
  trust?: () => Promise<SecureContext>,
  lookup?: LookupFunction,
): Transport {
  return async (request) => {
    const secureContext = request.url.protocol === 'https:' ? await trust?.() : undefined;
    return new Promise((resolve, reject) => {
      const { url, body, signal } = request;
      const secure = url.protocol === 'https:';
      const outgoing = (secure ? https : http).request(url, {
        method: request.method,
        headers:
          typeof body === 'string'
            ? { ...request.headers, 'content-length': Buffer.byteLength(body) }
            : request.headers,
        signal,
        ...(lookup && { lookup }),
        ...(secure && { rejectUnauthorized: strictTls, ...(secureContext && { secureContext }) }),
      });
      const timer = connectTimer(outgoing, request.connectMs);
      function onConnected(): void {
        clearTimeout(timer);
        request.onSent?.();
      }
      outgoing.on('socket', (socket) => {
        if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', onConnected);
        else onConnected();
      });
      outgoing.on('error', (error) => {
        clearTimeout(timer);
        reject(signal.aborted ? (signal.reason as Error) : error);
      });
      outgoing.on('response', (response) => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, headers: flatHeaders(response.headers), body: response });
      });
      if (typeof body === 'function') pipeline(body(), outgoing, () => undefined);
      else outgoing.end(body);
    });
  };
}

function connectTimer(outgoing: ClientRequest, connectMs: number): NodeJS.Timeout | undefined {
  if (connectMs <= 0) return undefined;
  return setTimeout(() => {
    outgoing.destroy(Object.assign(new Error(`No connection within ${connectMs} ms`), { code: 'ETIMEDOUT' }));
  }, connectMs);
}
