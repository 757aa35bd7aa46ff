import type { SwitchboardError } from '../base/errors/errors.ts';
import type { Log } from '../base/log.ts';
import type { HttpClient } from '../net/httpClient.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import type { Timeouts } from '../net/transport.ts';
import { type RelayConnection, requestHeaders, secretsOf } from './headers.ts';
import type { ModelProfiles } from './profile/modelFacts.ts';
import { toRelayError } from './errors/relayErrors.ts';

export interface RelayContext {
  http: HttpClient;
  connection: RelayConnection;
  timeouts: Timeouts;
  log: Log;
  profiles?: ModelProfiles;
}

export function getJson(
  { http, connection, timeouts, log }: RelayContext,
  path: string,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const url = `${connection.baseUrl}${path}`;
  log.debug(`GET ${url}`);
  const headers = requestHeaders(connection, { accept: 'application/json', hasBody: false });
  return http.send({ method: 'GET', url, headers, secrets: secretsOf(connection), timeouts, signal });
}

/** More than any error body; the title of a longer HTML page comes early. */
const maxErrorBytes = 64 * 1024;

export async function readRefusal(
  response: HttpResponse,
  connection: RelayConnection,
): Promise<SwitchboardError> {
  // The status matters more than a truncated body.
  const body = await response.text(maxErrorBytes).catch(() => '');
  return refusalOf(response, body, connection);
}

export function refusalOf(
  { status, headers, contentType, address }: HttpResponse,
  body: string,
  { key, headerSecrets = [] }: RelayConnection,
  stage: 'answer' | 'stream' = 'answer',
): SwitchboardError {
  const refusal = { status, headers, body, contentType, stage, address, key, headerSecrets };
  return toRelayError({ ...refusal, nowMs: Date.now() });
}
