import type { AppEvent } from '../../../../src/apps/app.ts';
import { type AppClient, createAppClient } from '../../../../src/apps/client/appClient.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import type { HttpClient, HttpRequest } from '../../../../src/net/httpClient.ts';
import type { Dialect } from '../../../../src/platform/platformDialect.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { replayedResponse } from '../../../support/replayNetwork.ts';

/** Sends nothing more until the socket is closed. */
export const hang = Symbol('hang');

export interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  /** A function is called when its turn comes. */
  pieces?: readonly (string | Error | typeof hang | (() => void))[];
}

export const origin = 'https://platform.example';

export function json(body: unknown, status = 200): Reply {
  return { status, type: 'application/json', pieces: [JSON.stringify(body)] };
}

export function events(...bodies: object[]): string {
  return bodies.map((body) => `data: ${JSON.stringify(body)}\n\n`).join('');
}

export interface AppNetwork {
  client: AppClient;
  /** In the order sent: method, path and query, and the JSON of the body. */
  sent: { call: string; body: unknown; headers: Record<string, string> }[];
  dialect: Dialect;
  log: string[];
  clock: ManualClock;
}

/** Plays the replies in turn; requests to stop get their own answer. */
export function appNetwork(...replies: (Reply | Error)[]): AppNetwork {
  const network: Omit<AppNetwork, 'client'> = { sent: [], dialect: {}, log: [], clock: new ManualClock() };
  const write = (line: string) => void network.log.push(line);
  const http: HttpClient = {
    dispose() {},
    async send(request) {
      const { pathname, search } = new URL(request.url);
      const isStop = pathname.endsWith('/stop');
      const reply = isStop ? json({ result: 'success' }) : (replies.shift() ?? json({}, 500));
      network.sent.push({
        call: `${request.method} ${pathname}${search}`,
        body: typeof request.body === 'string' ? JSON.parse(request.body) : undefined,
        headers: request.headers,
      });
      if (reply instanceof Error) throw reply;
      request.onSent?.();
      return respond(reply, request);
    },
  };
  const client = createAppClient({
    http,
    connection: { baseUrl: origin, key: 'app-key1' },
    user: 'me',
    dialects: { get: () => network.dialect, learn: (_, found) => Object.assign(network.dialect, found) },
    timeouts: { connectMs: 1, firstTokenMs: 60_000, idleMs: 1 },
    log: { debug() {}, info: write, warn: write, error: write },
    clock: network.clock,
    random: () => 1,
  });
  return Object.assign(network, { client });
}

function respond(reply: Reply, request: HttpRequest) {
  async function* body() {
    for (const piece of reply.pieces ?? []) {
      if (piece instanceof Error) throw piece;
      if (piece === hang) {
        await new Promise((_, reject) => {
          if (request.signal.aborted) reject(request.signal.reason as Error);
          request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
        });
      }
      if (typeof piece === 'string') yield Buffer.from(piece);
      else if (typeof piece === 'function') piece();
    }
  }
  return replayedResponse(reply, request, body());
}

export interface Heard {
  events: AppEvent[];
  types: string[];
  failure: SwitchboardError | undefined;
}

/** All events of an answer; pauses end at once. */
export async function hear(
  { clock }: AppNetwork,
  answer: AsyncIterable<AppEvent>,
  onEvent?: (event: AppEvent) => void,
): Promise<Heard> {
  const heard: AppEvent[] = [];
  let failure: SwitchboardError | undefined;
  try {
    for await (const event of answer) {
      heard.push(event);
      onEvent?.(event);
      if (event.type === 'retryScheduled') queueMicrotask(() => clock.advance(event.delayMs));
    }
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error;
    failure = error;
  }
  return { events: heard, types: heard.map(({ type }) => type), failure };
}
