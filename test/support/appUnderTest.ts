import { SwitchboardError } from '../../src/base/errors/errors.ts';
import { createHttpClient, type HttpClient } from '../../src/net/httpClient.ts';
import { type AppClient, createAppClient } from '../../src/apps/client/appClient.ts';
import type { AppEvent } from '../../src/apps/app.ts';
import type { StallLimits } from '../../src/apps/client/appRequest.ts';
import type { Dialect } from '../../src/platform/platformDialect.ts';
import type { PlatformTestOptions } from './platformUnderTest.ts';

export interface AppUnderTest {
  client: AppClient;
  http: HttpClient;
  log: string[];
  dialect(): Dialect;
}

/** Our client with hasty retries, against an app of a platform. `http` is to be disposed. */
export function appUnderTest({
  baseUrl,
  key,
  user = 'tester',
  stall,
  ...options
}: PlatformTestOptions & { user?: string; stall?: StallLimits }): AppUnderTest {
  const entries: string[] = [];
  const write = (message: string) => void entries.push(message);
  const log = { debug: write, info: write, warn: write, error: write };
  let known: Dialect = {};
  const http = createHttpClient({ settings: () => ({ noProxy: [], strictTls: true }), log, environment: {} });
  const client = createAppClient({
    http,
    connection: { baseUrl, key },
    user,
    dialects: { get: () => known, learn: (_, found) => (known = { ...known, ...found }) },
    timeouts: { connectMs: 5_000, firstTokenMs: 10_000, idleMs: 10_000, ...options.timeouts },
    log,
    retry: { retries: 2, firstMs: 1, maxMs: 2, maxAskedMs: 100, ...options.retry },
    ...(stall && { stall }),
  });
  return { client, http, log: entries, dialect: () => known };
}

export interface HeardAnswer {
  events: readonly AppEvent[];
  /** The types of the events, each run of equal ones once; the code of the failure last. */
  course: string[];
  text: string;
  reasoning: string;
  failure?: SwitchboardError;
}

export async function hearAnswer(
  answer: AsyncIterable<AppEvent>,
  onEvent?: (event: AppEvent) => unknown,
): Promise<HeardAnswer> {
  const events: AppEvent[] = [];
  let failure: SwitchboardError | undefined;
  let text = '';
  let reasoning = '';
  try {
    for await (const event of answer) {
      events.push(event);
      if (event.type === 'textAdded') text += event.text;
      if (event.type === 'textReplaced') text = event.text;
      if (event.type === 'reasoningAdded') reasoning += event.text;
      onEvent?.(event);
    }
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error;
    failure = error;
  }
  const types: string[] = events.map(({ type }) => type);
  const course = types.filter((type, index) => type !== types[index - 1]);
  if (failure) course.push(failure.code);
  return { events, course, text, reasoning, ...(failure && { failure }) };
}
