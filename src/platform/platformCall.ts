import type { Log } from '../base/log.ts';
import type { HttpClient } from '../net/httpClient.ts';
import type { Timeouts } from '../net/transport.ts';
import type { DialectMemory } from './dialect.ts';

/** A platform that can be called. */
export interface PlatformConnection {
  /** Without `/v1` and without a trailing slash. */
  baseUrl: string;
  key: string;
}

/** What every call of the platform needs. */
export interface PlatformContext {
  http: HttpClient;
  connection: PlatformConnection;
  dialects: DialectMemory;
  /** Read for each request. */
  timeouts: Timeouts;
  log: Log;
}
