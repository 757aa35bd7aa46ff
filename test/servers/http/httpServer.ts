import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readBody } from './readBody.ts';
import type { RecordedPart, RecordedRequest } from './recordedRequest.ts';

export interface Exchange {
  readonly request: RecordedRequest;
  readonly response: ServerResponse;
  readonly params: readonly string[];
  /** Aborted when the connection is gone or the server stops; every wait must observe it. */
  readonly signal: AbortSignal;
  /** True if the body was too large; its bytes are then dropped. */
  readonly bodyTooLarge: boolean;
  /** Breaks the connection at once, by FIN or by RST; `closedEarly` stays false. */
  destroy(how: 'fin' | 'rst'): void;
}

/** The first route whose method and path match answers. `*` is any method. */
export interface Route {
  readonly method: string;
  readonly path: string | RegExp;
  handle(exchange: Exchange): void | Promise<void>;
  /** Called as soon as a request's head has arrived. */
  arrives?(request: RecordedRequest): void;
  /** True to break the connection after this many bytes of the body. */
  cutsBody?(request: RecordedRequest, bytes: number): boolean;
}

export interface HttpServer {
  /** Origin, without a path or a final slash. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  clearRequests(): void;
  /** The next matching request with its body; earlier ones don't count. */
  waitForRequest(matches?: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  /** Ends every answer and socket at once; resolves when the port is free. May be called twice. */
  stop(): Promise<void>;
}

export interface HttpServerOptions {
  routes: readonly Route[];
  /** Larger bodies are read but not kept. */
  maxBodyBytes?: number;
  /** False: multipart bodies of any size are reduced to facts about their parts. */
  keepBodies?: boolean;
}

interface Waiter {
  matches(request: RecordedRequest): boolean;
  resolve(request: RecordedRequest): void;
}

export async function startHttpServer({
  routes,
  maxBodyBytes = 128 * 1024 * 1024,
  keepBodies = true,
}: HttpServerOptions): Promise<HttpServer> {
  let stopping = false;
  const requests: RecordedRequest[] = [];
  const waiters = new Set<Waiter>();

  const server = createServer({ noDelay: true }, (message, response) => {
    void answer(message, response);
  });

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(message.url ?? '/', 'http://sandbox');
    const gone = new AbortController();
    const ended = new Promise<void>((resolve) => response.once('close', () => resolve()));
    const record = {
      method: message.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: message.headers,
      rawHeaders: message.rawHeaders,
      time: Date.now(),
      bytes: Buffer.alloc(0) as Buffer,
      body: '',
      json: undefined as unknown,
      parts: [] as RecordedPart[],
      closedEarly: false,
      ended,
    };
    requests.push(record);

    let brokenByUs = false;
    response.once('close', () => {
      record.closedEarly = !response.writableFinished && !brokenByUs && !stopping;
      gone.abort();
    });

    const destroy = (how: 'fin' | 'rst'): void => {
      brokenByUs = true;
      if (how === 'rst') message.socket.resetAndDestroy();
      else message.socket.destroy();
    };

    try {
      const { route, params } = findRoute(routes, record.method, record.path);
      route.arrives?.(record);
      const { bytes, isTooLarge } = await readBody(message, {
        maxBytes: maxBodyBytes,
        keepMultipart: keepBodies,
        parts: record.parts,
        onBytes(size) {
          if (route.cutsBody?.(record, size)) destroy('rst');
        },
      });
      if (brokenByUs) return;
      record.bytes = bytes;
      record.body = record.bytes.toString('utf8');
      record.json = parseJson(record.body);
      for (const waiter of waiters) {
        if (!waiter.matches(record)) continue;
        waiters.delete(waiter);
        waiter.resolve(record);
      }

      await route.handle({
        request: record,
        response,
        params,
        signal: gone.signal,
        bodyTooLarge: isTooLarge,
        destroy,
      });
    } catch (error) {
      // A client that left, or a server that stops, ends the answer anywhere; other errors are our mistakes.
      if (gone.signal.aborted || (message.destroyed && !message.complete)) return;
      const what = error instanceof Error ? error.stack : String(error);
      if (response.headersSent) {
        console.error('The sandbox failed in the middle of an answer:', what);
        message.socket.destroy();
      } else {
        response.writeHead(500, { 'Content-Type': 'text/plain' }).end(`The sandbox itself failed: ${what}`);
      }
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The server has no port.');

  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    clearRequests: () => void requests.splice(0),
    waitForRequest: (matches = () => true) => new Promise((resolve) => waiters.add({ matches, resolve })),
    stop: () =>
      (stopped ??= new Promise((resolve) => {
        stopping = true;
        server.close(() => resolve());
        server.closeAllConnections();
      })),
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findRoute(routes: readonly Route[], method: string, path: string) {
  for (const route of routes) {
    if (route.method !== '*' && route.method !== method) continue;
    if (typeof route.path === 'string') {
      if (route.path === path) return { route, params: [] };
      continue;
    }
    const match = route.path.exec(path);
    if (match) return { route, params: match.slice(1).map(decodeURIComponent) };
  }
  throw new Error(`No route for ${method} ${path}: a route table must end in one that takes everything.`);
}
