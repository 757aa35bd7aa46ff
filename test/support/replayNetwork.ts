import { SwitchboardError } from '../../src/base/errors/errors.ts';
import type { HttpClient, HttpRequest } from '../../src/net/httpClient.ts';
import { createResponse, type HttpResponse } from '../../src/net/httpResponse.ts';
import { ResponseTimeouts } from '../../src/net/responseTimeouts.ts';

/** `pieces` are read one by one; an error among them breaks the connection. */
export interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  pieces?: readonly (string | Error)[];
  hangs?: boolean;
}

type Replying = (request: HttpRequest) => Reply;

/** Plays the replies in turn, repeating the last, and keeps the requests. */
export function replayNetwork(
  ...replies: (Reply | Error | Replying)[]
): HttpClient & { sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  return {
    sent,
    dispose() {},
    async send(request) {
      const next = replies[Math.min(sent.length, replies.length - 1)] ?? {};
      const reply = typeof next === 'function' ? next(request) : next;
      sent.push(request);
      if (reply instanceof Error) throw reply;
      const { pieces = [] } = reply;
      request.onSent?.();
      if (reply.hangs) {
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
        throw new SwitchboardError('cancelled', 'Stopped.');
      }
      async function* body() {
        for (const piece of pieces) {
          if (piece instanceof Error) throw piece;
          yield Buffer.from(piece);
        }
      }
      return replayedResponse(reply, request, body());
    },
  };
}

export function replayedResponse(
  { status = 200, type = 'text/event-stream', headers }: Pick<Reply, 'status' | 'type' | 'headers'>,
  { url: address }: HttpRequest,
  body: AsyncIterable<Uint8Array>,
): HttpResponse {
  return createResponse({
    wire: { status, headers: { 'content-type': type, ...headers }, body },
    address,
    timeouts: new ResponseTimeouts({ firstTokenMs: 0, idleMs: 0, address, onExpired: () => undefined }),
    toError: (error) => error as Error,
    close: () => undefined,
  });
}
