import { type Clock, systemClock } from '../base/clock.ts';
import { isCancelled, rejudge, SwitchboardError } from '../base/errors.ts';
import { Deferred } from '../base/deferred.ts';
import { toInternalError } from '../base/toInternalError.ts';
import { splitFirstSentence } from '../base/sentences.ts';
import { cancelled } from '../net/httpErrors.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import { pauseBeforeRetry } from '../net/pauseBeforeRetry.ts';
import { defaultRetryPolicy, rateLimitRetryPolicy, retryDelayMs, type RetryPolicy } from '../net/retry.ts';
import { type Dialect, learnFrom, serviceForm } from './dialect.ts';
import { requestHeaders } from './headers.ts';
import type { ModelEvent, ModelRequest, StreamModel } from './messages.ts';
import { readReply } from './readReply.ts';
import { explainRefusedKey } from './refusedKey.ts';
import type { RelayContext } from './relayCall.ts';
import { messageFor } from './relayMessages.ts';
import { toWire } from './toWire.ts';

export interface StreamModelOptions extends RelayContext {
  retry?: RetryPolicy;
  /** For failures of rate limits. */
  rateLimitRetry?: RetryPolicy;
  clock?: Clock;
  /** In [0, 1): spreads the retries of many clients. */
  random?: () => number;
}

/**
 * Asks a model: a request becomes model events, streamed or not. Tries again by itself while nothing was shown
 * and the failure is of the passing kind, and says so by `retryScheduled`. Throws only `SwitchboardError`s.
 */
export function createStreamModel(options: StreamModelOptions): StreamModel {
  const { log, clock = systemClock, random = Math.random } = options;
  const { retry = defaultRetryPolicy, rateLimitRetry = rateLimitRetryPolicy } = options;
  /** By model: behind one relay every model may have another vendor. */
  const dialects = new Map<string, Dialect>();
  return async function* streamModel(request, signal) {
    let retries = 0;
    for (;;) {
      const dialect = dialects.get(request.model) ?? serviceForm;
      let shown = false;
      let isSent = false;
      try {
        for await (const events of ask(options, request, dialect, signal)) {
          for (const event of events) {
            isSent = true;
            shown ||= event.type !== 'requestSent';
            yield event;
          }
        }
        return;
      } catch (error) {
        if (signal.aborted || isCancelled(error)) {
          // Relays stop a vendor's stream when we leave; a whole answer is made to its end.
          throw cancelled({ mayBeBilled: isSent && !shown && !streams(request, dialect) });
        }
        const failure = toFailure(error, shown);
        log.info(`${request.model}: ${describe(failure)}`);
        if (shown) throw failure;
        const learnt = learnFrom(failure, dialect);
        if (learnt) {
          log.info(`${request.model}: asking again, since its vendor does not take "${failure.parameter}"`);
          dialects.set(request.model, learnt);
          continue;
        }
        const policy = failure.code === 'rate-limit' ? rateLimitRetry : retry;
        retries += 1;
        const pauseMs = isPassing(failure)
          ? retryDelayMs(retries, failure.retryAfterMs, policy, random())
          : undefined;
        if (pauseMs === undefined) throw await explainRefusedKey(options, failure, signal);
        yield { type: 'retryScheduled', delayMs: pauseMs, why: reasonOf(failure) };
        await pauseBeforeRetry(pauseMs, failure, signal, clock);
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
  const sent = new Deferred();
  const url = `${connection.baseUrl}/v1/chat/completions`;
  log.debug(`POST ${url}, model ${request.model}`);
  let response: HttpResponse | undefined;
  try {
    const responding = http.send({
      method: 'POST',
      url,
      headers: requestHeaders(connection, {
        accept: streams(request, dialect) ? 'text/event-stream' : 'application/json',
        hasBody: true,
      }),
      body: JSON.stringify(toWire(request, dialect)),
      timeouts,
      signal: AbortSignal.any([signal, leaving.signal]),
      onSent: sent.resolve,
      beginsWithEvent: true,
    });
    // If the caller leaves at `requestSent`, nobody else waits for this.
    responding.catch(() => undefined);
    await Promise.race([sent.promise, responding]);
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

/** What passes, and broke off an answer of which something was shown, left it incomplete: that is what counts then. */
function toFailure(error: unknown, shown: boolean): SwitchboardError {
  if (!(error instanceof SwitchboardError)) return toInternalError(error);
  if (!shown || error.code !== 'transient') return error;
  return rejudge(error, 'truncated', messageFor('truncated', { address: error.address ?? '' }));
}

/** Why there is another try, in one sentence: the server's, or ours where it sent none. */
function reasonOf({ status, why, message }: SwitchboardError): string {
  return (status !== undefined && why) || splitFirstSentence(message).first;
}

function streams(request: ModelRequest, dialect: Dialect): boolean {
  return request.stream && dialect.stream;
}

/** For the log. A server's own words stay out of it: they may repeat the message they refuse. */
function describe({ code, status, requestId, why }: SwitchboardError): string {
  const parts = status === undefined ? [code, why] : [code, `status ${status}`, requestId];
  return parts.filter((part) => part !== undefined).join(', ');
}
