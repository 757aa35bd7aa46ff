import type { SwitchboardError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { HttpClient } from '../net/httpClient.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import type { Timeouts } from '../net/transport.ts';
import { type RelayConnection, requestHeaders, secretsOf } from './headers.ts';
import type { ProtocolChoice } from './protocol.ts';
import type { ParameterMemory } from './refusedParameters.ts';
import { toRelayError } from './relayErrors.ts';

/** What every call to a relay needs. */
export interface RelayContext {
  http: HttpClient;
  connection: RelayConnection;
  timeouts: Timeouts;
  log: Log;
  /** Chat completions for all models by default. */
  protocols?: ProtocolChoice;
  /** Of this client alone by default. */
  parameters?: ParameterMemory;
}

/** GETs what is below the relay's address; the key goes to it alone, since no redirect to another origin is followed. */
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

/** More than any error body; an HTML page may be longer, but its title comes early. */
const maxErrorBytes = 64 * 1024;

/** Reads a response that is a refusal into the error it stands for. The socket is free or closed afterwards. */
export async function readRefusal(
  response: HttpResponse,
  connection: RelayConnection,
): Promise<SwitchboardError> {
  // The status tells more than a body that breaks off.
  const body = await response.text(maxErrorBytes).catch(() => '');
  return refusalOf(response, body, connection);
}

/** The error that a response and a body already read stand for. */
export function refusalOf(
  { status, headers, contentType, address }: HttpResponse,
  body: string,
  { key, headerSecrets = [] }: RelayConnection,
  stage: 'answer' | 'stream' = 'answer',
): SwitchboardError {
  const refusal = { status, headers, body, contentType, stage, address, key, headerSecrets };
  return toRelayError({ ...refusal, nowMs: Date.now() });
}
