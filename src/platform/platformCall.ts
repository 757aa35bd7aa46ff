import * as l10n from '@vscode/l10n';
import { shownAddress } from '../base/urls.ts';
import type { Clock } from '../base/clock.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { formatDuration } from '../base/text/formatTime.ts';
import { parseJson } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { maskExactly } from '../base/secrets/maskAnswer.ts';
import type { HttpClient, HttpRequest } from '../net/httpClient.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import { ResponseTimeouts } from '../net/responseTimeouts.ts';
import { defaultRetryPolicy, type NextTry, Retries, type RetryPolicy } from '../net/retries.ts';
import type { Timeouts } from '../net/transport.ts';
import {
  changed,
  type Dialect,
  type DialectForm,
  type DialectMemory,
  refusedForm,
} from './platformDialect.ts';
import type { Multipart } from './documents/multipart.ts';
import { toPlatformError } from './platformErrors.ts';
import { isHtml, type PlatformService, type Refusal } from './platformRefusal.ts';

export interface PlatformConnection {
  baseUrl: string;
  key: string;
}

export interface PlatformContext {
  http: HttpClient;
  connection: PlatformConnection;
  dialects: DialectMemory;
  timeouts: Timeouts;
  log: Log;
  retry?: RetryPolicy;
  clock?: Clock;
  /** In [0, 1): spreads the retries of many clients. */
  random?: () => number;
  /** The version reported by the latest reply; versions before 1.16 report none. */
  serverVersion?: string | undefined;
}

export interface PlatformRequest {
  method: HttpRequest['method'];
  /** Below the root of its service, made by `route`. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  json?: object;
  form?: Multipart;
  headers?: Readonly<Record<string, string>>;
  /** Changes nothing on the server, so it may be retried. */
  isRead?: boolean;
  /** The caller paces many requests together after a rate limit, and tells the user. */
  isPacedByCaller?: boolean;
  /** Older servers lack it: see `isMissingOnServer`. */
  isNewerRoute?: boolean;
  /** The answer is an event stream; its first event ends the first-token limit. */
  isStreamed?: boolean;
  onSent?: () => void;
}

/** A request with alternative forms: sent in the form last known, once more if that is refused. */
export interface DialectRequest {
  forms: readonly DialectForm[];
  in(dialect: Dialect): PlatformRequest;
}

export type Read<T> = (json: unknown) => T | undefined;

export interface Caller {
  ask<T>(call: PlatformRequest | DialectRequest, read: Read<T>, signal: AbortSignal): Promise<T>;
  /** For calls without a result: 204, `{"result":"success"}` or a bare number. */
  send(call: PlatformRequest | DialectRequest, signal: AbortSignal): Promise<void>;
  /** Resolves once the call is accepted; the caller reads or closes the body. */
  open(call: PlatformRequest | DialectRequest, signal: AbortSignal): Promise<HttpResponse>;
}

/** A page of a hundred long segments is some megabytes. */
const maxAnswerBytes = 32 * 1024 * 1024;
/** More than any error body; the title of a longer HTML page comes early. */
const maxErrorBytes = 64 * 1024;

export function createCaller(context: PlatformContext, service: PlatformService): Caller {
  return {
    ask: (call, read, signal) =>
      run(context, service, call, signal, async (response, request) => {
        const body = maskExactly(await response.text(maxAnswerBytes), [context.connection.key]);
        const value = read(parseJson(body));
        if (value === undefined) throw toPlatformError(refusalOf(response, body, request, context, service));
        return value;
      }),
    send: (call, signal) =>
      run(context, service, call, signal, async (response) => {
        // Reading to the end keeps the socket usable.
        await response.text(maxErrorBytes);
      }),
    open: (call, signal) => run(context, service, call, signal, (response) => Promise.resolve(response)),
  };
}

async function run<T>(
  context: PlatformContext,
  service: PlatformService,
  call: PlatformRequest | DialectRequest,
  signal: AbortSignal,
  receive: (response: HttpResponse, request: PlatformRequest) => Promise<T>,
): Promise<T> {
  const { connection, dialects, log, retry = defaultRetryPolicy, clock, random } = context;
  const { origin } = new URL(connection.baseUrl);
  let dialect = dialects.get(origin);
  const forms = 'forms' in call ? call.forms : [];
  let untried = forms;
  /** Changed forms that the server hasn't confirmed yet. */
  let found: Dialect = {};
  const learn = (): void => {
    if (Object.keys(found).length > 0) dialects.learn(origin, found);
  };
  const inForm = (): PlatformRequest => ('forms' in call ? call.in(dialect) : call);
  let request = inForm();
  let refusal: Refusal | undefined;
  async function attempt(): Promise<T> {
    refusal = undefined;
    const response = await transmit(context, service, request, signal);
    const isTaken = response.status < 300 && !isHtml({ contentType: response.contentType, body: '' });
    if (isTaken) {
      learn();
      return receive(response, request);
    }
    refusal = await readRefusal(response, request, context, service);
    throw toPlatformError(refusal);
  }
  function judge(thrown: unknown): NextTry {
    const form = refusal && refusedForm(refusal, untried);
    if (form) {
      log.info(`${request.method} ${request.path}: asking again, since the server refuses its form`);
      untried = untried.filter((other) => other !== form);
      dialect = changed(dialect, form);
      found = { ...found, [form]: dialect[form] };
      request = inForm();
      return 'now';
    }
    // An objection to something else confirms the form.
    if (refusal?.status === 400 && !refusedForm(refusal, forms)) learn();
    if (!(thrown instanceof SwitchboardError)) throw thrown;
    log.info(`${request.method} ${request.path}: ${thrown.code}, status ${thrown.status ?? 'none'}`);
    return { failure: thrown, policy: mayRepeat(request, thrown) ? retry : undefined };
  }
  const retries = new Retries({ judge, signal, clock, random });
  for (;;) {
    try {
      return await attempt();
    } catch (thrown) {
      await (await retries.after(thrown))?.wait();
    }
  }
}

async function transmit(
  context: PlatformContext,
  service: PlatformService,
  request: PlatformRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { http, connection, timeouts, log, clock } = context;
  const url = new URL(`${connection.baseUrl}${rootOf(service)}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const { form, json } = request;
  const stalled = new AbortController();
  const stallTimeouts = new ResponseTimeouts({
    ...timeouts,
    address: url.href,
    ...(clock && { clock }),
    onExpired: () => stalled.abort(sendingStalled(url, timeouts.idleMs)),
  });
  stallTimeouts.onFirstByte();
  const body = form ? () => form.open(stallTimeouts) : json && JSON.stringify(json);
  try {
    const response = await http.send({
      method: request.method,
      url: url.href,
      headers: {
        'user-agent': 'Switchboard',
        accept: request.isStreamed ? 'text/event-stream' : 'application/json',
        ...(connection.key && { authorization: `Bearer ${connection.key}` }),
        ...(json && { 'content-type': 'application/json' }),
        ...form?.headers,
        ...request.headers,
      },
      ...(body !== undefined && { body }),
      timeouts,
      signal: form ? AbortSignal.any([signal, stalled.signal]) : signal,
      ...(request.isStreamed && { beginsWithEvent: true }),
      ...(request.onSent && { onSent: request.onSent }),
    });
    log.debug(`${request.method} ${request.path}: status ${response.status}`);
    const version = response.headers['x-version'];
    if (version !== undefined && /^[\w.+-]{1,40}$/.test(version)) context.serverVersion = version;
    return response;
  } finally {
    stallTimeouts.dispose();
  }
}

export function rootOf(service: PlatformService): string {
  return service === 'account' ? '/openapi/v1' : '/v1';
}

/** The idle limit holds for uploading, too. */
function sendingStalled(url: URL, limitMs: number): SwitchboardError {
  return new SwitchboardError(
    'timeout-idle',
    l10n.t(
      'The upload to {0} stalled for {1}. Try again, or increase the setting "switchboard.network.idleTimeoutSeconds".',
      url.host,
      formatDuration(limitMs),
    ),
    { address: shownAddress(url) },
  );
}

/** A rate limit refuses before anything is done. Otherwise only reads are sent twice. */
function mayRepeat(
  { isRead, isPacedByCaller }: PlatformRequest,
  { code, status }: SwitchboardError,
): boolean {
  if (code === 'rate-limit') return !isPacedByCaller;
  return isRead === true && code === 'transient' && (status === undefined || passingStatuses.has(status));
}

export const passingStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

async function readRefusal(
  response: HttpResponse,
  request: PlatformRequest,
  context: PlatformContext,
  service: PlatformService,
): Promise<Refusal> {
  // The status matters more than a truncated body.
  const body = await response.text(maxErrorBytes).catch(() => '');
  return refusalOf(response, body, request, context, service);
}

function refusalOf(
  { status, headers, contentType, address }: HttpResponse,
  body: string,
  { form, isNewerRoute }: PlatformRequest,
  { connection: { key } }: PlatformContext,
  service: PlatformService,
): Refusal {
  return {
    status,
    headers,
    contentType,
    address,
    body,
    key,
    service,
    isUpload: form !== undefined,
    isNewerRoute: isNewerRoute === true,
    nowMs: Date.now(),
  };
}

/** A path below `/v1` with encoded ids: ``route`/datasets/${id}` ``. Throws for ids that would lead elsewhere. */
export function route(pieces: TemplateStringsArray, ...ids: readonly string[]): string {
  return pieces.reduce((path, piece, index) => path + encoded(ids[index - 1] ?? '') + piece);
}

function encoded(id: string): string {
  if (id === '' || id === '.' || id === '..') {
    throw new SwitchboardError(
      'request',
      l10n.t('The platform returned an ID that can\'t be part of an address: "{0}".', id),
    );
  }
  return encodeURIComponent(id.toWellFormed());
}
