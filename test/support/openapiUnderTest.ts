import { createHttpClient, type HttpClient } from '../../src/net/httpClient.ts';
import type { AppClient } from '../../src/apps/client/appClient.ts';
import { createSignedInApp } from '../../src/apps/client/signedInApp.ts';
import type { SignedInContext } from '../../src/platform/openapi/accountCaller.ts';
import { createOpenapiClient, type OpenapiClient } from '../../src/platform/openapi/openapiClient.ts';
import type { PlatformTestOptions } from './platformUnderTest.ts';
import { silentLog } from './silentLog.ts';

export interface OpenapiUnderTest {
  client: OpenapiClient;
  context: SignedInContext;
  app(appId: string): AppClient;
  http: HttpClient;
}

/** Our client with a sign-in and hasty retries. `http` is to be disposed. */
export function openapiUnderTest({
  baseUrl,
  key,
  ...options
}: PlatformTestOptions & Pick<SignedInContext, 'expiresAtMs' | 'now'>): OpenapiUnderTest {
  const http = createHttpClient({
    settings: () => ({ noProxy: [], strictTls: true }),
    log: silentLog,
    environment: {},
  });
  const context: SignedInContext = {
    http,
    connection: { baseUrl, key },
    dialects: { get: () => ({}), learn: () => undefined },
    timeouts: { connectMs: 5_000, firstTokenMs: 10_000, idleMs: 10_000, ...options.timeouts },
    log: silentLog,
    retry: { retries: 2, firstMs: 1, maxMs: 2, maxAskedMs: 100, ...options.retry },
    ...(options.expiresAtMs !== undefined && { expiresAtMs: options.expiresAtMs }),
    ...(options.now && { now: options.now }),
  };
  return {
    ...{ client: createOpenapiClient(context), context, http },
    app: (appId) => createSignedInApp(context, appId),
  };
}
