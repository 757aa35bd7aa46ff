import { createHttpClient, type HttpClient } from '../../src/net/httpClient.ts';
import type { RetryPolicy } from '../../src/net/retries.ts';
import type { Timeouts } from '../../src/net/transport.ts';
import type { Dialect } from '../../src/platform/platformDialect.ts';
import { createPlatformClient, type PlatformClient } from '../../src/platform/platformClient.ts';

export interface PlatformUnderTest {
  client: PlatformClient;
  http: HttpClient;
  log: string[];
  dialect(): Dialect;
}

export interface PlatformTestOptions {
  baseUrl: string;
  key: string;
  timeouts?: Partial<Timeouts>;
  retry?: Partial<RetryPolicy>;
}

/** Our client with hasty retries, against a platform. `http` is to be disposed. */
export function platformUnderTest({ baseUrl, key, ...options }: PlatformTestOptions): PlatformUnderTest {
  const entries: string[] = [];
  const write = (message: string) => void entries.push(message);
  const log = { debug: write, info: write, warn: write, error: write };
  let known: Dialect = {};
  const http = createHttpClient({ settings: () => ({ noProxy: [], strictTls: true }), log, environment: {} });
  const client = createPlatformClient({
    http,
    connection: { baseUrl, key },
    dialects: { get: () => known, learn: (_, found) => (known = { ...known, ...found }) },
    timeouts: { connectMs: 5_000, firstTokenMs: 10_000, idleMs: 10_000, ...options.timeouts },
    log,
    retry: { retries: 2, firstMs: 1, maxMs: 2, maxAskedMs: 100, ...options.retry },
  });
  return { client, http, log: entries, dialect: () => known };
}
