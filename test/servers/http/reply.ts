import { STATUS_CODES } from 'node:http';
import type { Exchange } from './httpServer.ts';

/** A whole answer: an object is sent as JSON, a text or bytes unchanged. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | string | Uint8Array;
}

/** The reply's own headers win over `headers`. */
export function sendReply(exchange: Exchange, reply: Reply, headers: Record<string, string> = {}): void {
  const isRaw = typeof reply.body === 'string' || reply.body instanceof Uint8Array;
  const body = isRaw ? reply.body : JSON.stringify(reply.body);
  const length: Record<string, string> =
    reply.status === 204 ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const type: Record<string, string> = isRaw ? {} : { 'Content-Type': 'application/json; charset=utf-8' };
  exchange.response.writeHead(reply.status, { ...headers, ...type, ...length, ...reply.headers });
  exchange.response.end(body);
}

export function htmlPage(status: number, title = `${status} ${STATUS_CODES[status]}`, text = ''): Reply {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body:
      `<!doctype html>\n<html lang="en">\n<head><title>${title}</title></head>\n` +
      `<body>\n<center><h1>${title}</h1></center>\n${text}\n</body>\n</html>\n`,
  };
}
