import type { HttpClient, HttpRequest } from '../../../src/net/httpClient.ts';
import type { HttpResponse } from '../../../src/net/httpResponse.ts';
import type { Dialect } from '../../../src/platform/platformDialect.ts';
import type { PlatformContext } from '../../../src/platform/platformCall.ts';

/** `json` is serialised, `body` is sent unchanged. */
export interface Answer {
  status?: number;
  json?: unknown;
  body?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

export interface Asked {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  json: unknown;
  body: string;
}

export const htmlMissing: Answer = {
  status: 404,
  body: '<!doctype html><title>404</title>',
  contentType: 'text/html',
};

export function refusal(status: number, code: string, message: string): Answer {
  return { status, json: { code, message, status } };
}

/** Plays the answers in turn, repeating the last; an error is thrown instead. */
export interface FakePlatform {
  context: PlatformContext;
  asked: Asked[];
  log: string[];
  dialect: Dialect;
}

export function fakePlatform(
  answers: readonly (Answer | Error)[] = [{}],
  more: Partial<PlatformContext> & { dialect?: Dialect; key?: string } = {},
): FakePlatform {
  const asked: Asked[] = [];
  const log: string[] = [];
  const write = (message: string) => void log.push(message);
  const fake: FakePlatform = { asked, log, dialect: more.dialect ?? {}, context: {} as PlatformContext };
  const http: HttpClient = {
    async send(request) {
      asked.push(await toAsked(request));
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? {};
      if (answer instanceof Error) throw answer;
      return toResponse(answer, request.url);
    },
    dispose() {},
  };
  fake.context = {
    http,
    connection: { baseUrl: 'https://platform.example/base', key: more.key ?? 'dataset-averysecretkey' },
    dialects: {
      get: () => fake.dialect,
      learn: (origin, found) => {
        fake.dialect = { ...fake.dialect, ...found };
        write(`learnt for ${origin}`);
      },
    },
    timeouts: { connectMs: 1000, firstTokenMs: 1000, idleMs: 1000 },
    log: { debug: write, info: write, warn: write, error: write },
    retry: { retries: 2, firstMs: 0, maxMs: 0, maxAskedMs: 1000 },
    random: () => 0,
    ...more,
  };
  return fake;
}

async function toAsked({ method, url, headers, body }: HttpRequest): Promise<Asked> {
  const pieces: Buffer[] = [];
  if (typeof body === 'string') pieces.push(Buffer.from(body));
  else if (body) for await (const piece of body()) pieces.push(Buffer.from(piece as Uint8Array));
  const text = Buffer.concat(pieces).toString('utf8');
  const { pathname, search } = new URL(url);
  return {
    method,
    path: pathname + search,
    headers,
    json: typeof body === 'string' ? (JSON.parse(text) as unknown) : undefined,
    body: text,
  };
}

function toResponse(
  { status = 200, json, body, contentType, headers = {} }: Answer,
  url: string,
): HttpResponse {
  const text = body ?? (json === undefined ? '' : JSON.stringify(json));
  async function* bytes() {
    yield Buffer.from(text);
  }
  return {
    status,
    headers,
    contentType: contentType ?? (body === undefined ? 'application/json' : 'text/plain'),
    address: url.replace(/\?.*/, ''),
    body: bytes(),
    text: (maxBytes) => Promise.resolve(text.slice(0, maxBytes)),
    close() {},
    onFirstByte() {},
    onProgress() {},
    setIdleLimit() {},
  };
}
