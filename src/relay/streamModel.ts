import { type Clock, systemClock } from '../base/clock.ts';
import { isCancelled, SwitchboardError } from '../base/errors.ts';
import { Gate } from '../base/gate.ts';
import { cancelled } from '../net/httpErrors.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import { pauseBeforeRetry } from '../net/pauseBeforeRetry.ts';
import { defaultRetryPolicy, retryDelayMs, type RetryPolicy } from '../net/retry.ts';
import { type Dialect, learnFrom, serviceForm } from './dialect.ts';
import { requestHeaders } from './headers.ts';
import type { ModelEvent, ModelRequest, StreamModel } from './messages.ts';
import { readReply } from './readReply.ts';
import type { RelayContext } from './relayCall.ts';
import { sentenceFor } from './relaySentences.ts';
import { toWire } from './toWire.ts';

export interface StreamModelOptions extends RelayContext {
  retry?: RetryPolicy;
  clock?: Clock;
  /** In [0, 1): spreads the retries of many clients. */
  random?: () => number;
}

/**
 * Asks a model: a request becomes model events, streamed or not. Tries again by itself while nothing was shown
 * and the failure is of the passing kind, and says so by `retryScheduled`. Throws only `SwitchboardError`s.
 */
export function createStreamModel(options: StreamModelOptions): StreamModel {
  const { log, retry = defaultRetryPolicy, clock = systemClock, random = Math.random } = options;
  /** By model: behind one relay every model may have another vendor. */
  const dialects = new Map<string, Dialect>();
  return async function* streamModel(request, signal) {
    let retries = 0;
    for (;;) {
      const dialect = dialects.get(request.model) ?? serviceForm;
      let shown = false;
      try {
        for await (const events of ask(options, request, dialect, signal)) {
          for (const event of events) {
            shown ||= event.type !== 'requestSent';
            yield event;
          }
        }
        return;
      } catch (error) {
        const failure = ownError(error, shown, signal);
        log.info(`${request.model}: ${describe(failure)}`);
        if (shown) throw failure;
        const learnt = learnFrom(failure, dialect);
        if (learnt) {
          log.info(`${request.model}: asking again, since its vendor does not take "${failure.parameter}"`);
          dialects.set(request.model, learnt);
          continue;
        }
        retries += 1;
        const pauseMs = isPassing(failure)
          ? retryDelayMs(retries, failure.retryAfterMs, retry, random())
          : undefined;
        if (pauseMs === undefined) throw failure;
        yield { type: 'retryScheduled', delayMs: pauseMs, why: failure.message };
        await pauseBeforeRetry(pauseMs, signal, clock);
      }
    }
  };
}

/** One try. Leaving it early closes the socket. */
async function* ask(
  { http, connection, timeouts, log }: RelayContext,
  request: ModelRequest,
  dialect: Dialect,
  signal: AbortSignal,
): AsyncGenerator<readonly ModelEvent[], void> {
  const leaving = new AbortController();
  const sent = new Gate();
  const url = `${connection.baseUrl}/v1/chat/completions`;
  const streams = request.stream && dialect.stream;
  log.debug(`POST ${url}, model ${request.model}`);
  let response: HttpResponse | undefined;
  try {
    const responding = http.send({
      method: 'POST',
      url,
      headers: requestHeaders(connection, {
        accept: streams ? 'text/event-stream' : 'application/json',
        hasBody: true,
      }),
      body: JSON.stringify(toWire(request, dialect)),
      timeouts,
      signal: AbortSignal.any([signal, leaving.signal]),
      onSent: sent.open,
      beginsWithEvent: true,
    });
    // If the caller leaves at `requestSent`, nobody else waits for this.
    responding.catch(() => undefined);
    await Promise.race([sent.opened, responding]);
    yield [{ type: 'requestSent' }];
    response = await responding;
    log.debug(`Status ${response.status}, ${response.contentType || 'no type'}`);
    yield* readReply(response, connection);
  } finally {
    // After an answer read to its end this does nothing, and the socket stays usable.
    response?.close();
    leaving.abort();
  }
}

function isPassing({ code }: SwitchboardError): boolean {
  return code === 'transient' || code === 'rate-limit';
}

/** A connection that broke after something was shown left the answer incomplete, whatever broke it. */
function ownError(error: unknown, shown: boolean, signal: AbortSignal): SwitchboardError {
  if (signal.aborted || isCancelled(error)) return cancelled();
  if (!(error instanceof SwitchboardError)) {
    // A mistake of ours: told as one, and never retried.
    const why = error instanceof Error ? error.message : String(error);
    return new SwitchboardError('request', sentenceFor('request', { address: '' }), { why, cause: error });
  }
  if (!shown || error.code !== 'transient' || error.status !== undefined) return error;
  const { why, address = '' } = error;
  return new SwitchboardError('truncated', sentenceFor('truncated', { address }), {
    ...(why && { why }),
    address,
    cause: error,
  });
}

/** For the log. A server's own words stay out of it: they may repeat the message they refuse. */
function describe({ code, status, requestId, why }: SwitchboardError): string {
  const parts = status === undefined ? [code, why] : [code, `status ${status}`, requestId];
  return parts.filter((part) => part !== undefined).join(', ');
}
