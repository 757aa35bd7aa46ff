import { cancelled } from '../base/cancelled.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { isCancelled, rejudge, type SwitchboardError } from '../base/errors.ts';
import { maskAnswer, maskExactly } from '../base/maskAnswer.ts';
import { Deferred } from '../base/deferred.ts';
import type { JsonObject } from '../base/json.ts';
import { toSwitchboardError } from '../base/toSwitchboardError.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import { defaultRetryPolicy, rateLimitRetryPolicy, type RetryPolicy } from '../net/retry.ts';
import { type NextTry, withRetries } from '../net/withRetries.ts';
import { CacheMarks } from './cacheMarks.ts';
import { type Dialect, learnFrom, serviceForm } from './dialect.ts';
import { requestHeaders, secretsOf } from './headers.ts';
import type { ModelEvent, ModelRequest, StreamModel } from './messages.ts';
import { readReply } from './readReply.ts';
import { type ParameterMemory, refusedParameter, withoutRefused } from './refusedParameters.ts';
import { explainRefusedKey } from './refusedKey.ts';
import type { RelayContext } from './relayCall.ts';
import { messageFor } from './relayMessages.ts';
import { chatCompletionsOnly } from './protocol.ts';
import { protocols } from './protocols.ts';
import type { WireProtocol } from './wireProtocol.ts';

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
  const { log, clock, random } = options;
  const choice = options.protocols ?? chatCompletionsOnly;
  const { retry = defaultRetryPolicy, rateLimitRetry = rateLimitRetryPolicy } = options;
  /** By protocol and model: behind one relay every model may have another vendor. */
  const dialects = new Map<string, Dialect>();
  const marks = new CacheMarks(() => (clock ?? systemClock).now());
  const onResults = /(?:^|\.)openrouter\.ai$/.test(hostOf(options.connection.baseUrl));
  const parameters = options.parameters ?? rememberHere();
  return async function* streamModel(asked, signal) {
    let request = withoutRefused(asked, parameters.refused(asked.model));
    /** What is to be said before the next try. */
    let news: ModelEvent[] = [];
    const { protocol: chosen, isCertain } = choice.of(request.model);
    let protocol = protocols[chosen];
    const dialectKey = () => `${protocol.name} ${request.model}`;
    let dialect = serviceForm;
    let shown = false;
    let isSent = false;
    let isMarked = false;
    async function* attempt(): AsyncGenerator<ModelEvent, void> {
      yield* news;
      news = [];
      dialect = dialects.get(dialectKey()) ?? serviceForm;
      isMarked = marks.isOn(request, protocol.name);
      isSent = false;
      const secrets = secretsOf(options.connection);
      const maskWhole = (event: ModelEvent): ModelEvent => {
        if (event.type === 'reasoningSigned') return withoutSecrets(event, secrets);
        if (event.type !== 'toolCallsCompleted') return event;
        const calls = event.calls.map((call) => ({
          ...call,
          name: maskExactly(call.name, secrets),
          arguments: maskExactly(call.arguments, secrets),
        }));
        return { ...event, calls };
      };
      const body = protocol.toBody(request, dialect, { isOn: isMarked, onResults });
      const answer = ask(options, protocol, body, signal);
      for await (const events of maskAnswer<ModelEvent>(answer, secrets, maskWhole)) {
        for (const event of events) {
          isSent = true;
          shown ||= event.type !== 'requestSent';
          if (isMarked && event.type === 'modelFinished') marks.answered(request, event.usage);
          if (protocol.name !== chosen && event.type === 'modelFinished') choice.fellBack(request.model);
          yield event;
        }
      }
    }
    async function judge(thrown: unknown): Promise<NextTry> {
      if (signal.aborted || isCancelled(thrown)) {
        // Relays stop a vendor's stream when we leave; a whole answer is made to its end.
        throw cancelled({ mayBeBilled: isSent && !shown && !streams(request, dialect) });
      }
      const failure = toStreamError(thrown, shown);
      log.info(`${request.model}: ${describe(failure)}`);
      if (shown) throw failure;
      if (isMarked && marks.learn(failure)) {
        log.info(`${request.model}: asking again without cache marks, which the relay refuses`);
        return 'now';
      }
      const isByMessages = protocol.name === 'messages';
      const { reasoningEffort = 'none' } = request;
      const learnt = learnFrom(failure, dialect, {
        isLimitOurs: isByMessages && request.maxTokens === undefined,
        hasEffort: isByMessages && reasoningEffort !== 'none',
      });
      if (learnt) {
        log.info(`${request.model}: asking again, since its vendor refuses "${failure.parameter}"`);
        dialects.set(dialectKey(), learnt);
        return 'now';
      }
      const refused = refusedParameter(failure, request, protocol.fields(dialect));
      if (refused !== undefined) {
        log.info(`${request.model}: asking again without ${refused}, which its vendor refuses`);
        parameters.refuse(request.model, refused);
        request = withoutRefused(request, [refused]);
        news = [{ type: 'parameterRefused', refused }];
        return 'now';
      }
      if (isByMessages && !isCertain && isHalfSpoken(failure)) {
        log.info(`${request.model}: asking again by chat completions, since the relay failed by messages`);
        protocol = protocols['chat-completions'];
        return 'now';
      }
      if (failure.code === 'rate-limit') return { failure, policy: rateLimitRetry };
      if (failure.code === 'transient') return { failure, policy: retry };
      throw await explainRefusedKey(options, failure, signal);
    }
    yield* withRetries(attempt, { judge, signal, clock, random });
  };
}

function rememberHere(): ParameterMemory {
  const known = new Map<string, string[]>();
  const refused = (modelId: string) => known.get(modelId) ?? [];
  return { refused, refuse: (modelId, name) => void known.set(modelId, [...refused(modelId), name]) };
}

/** One try. Leaving it early closes the socket. */
async function* ask(
  { http, connection, timeouts, log }: RelayContext,
  protocol: WireProtocol,
  body: JsonObject,
  signal: AbortSignal,
): AsyncGenerator<readonly ModelEvent[], void> {
  const leaving = new AbortController();
  const sent = new Deferred();
  const url = `${connection.baseUrl}${protocol.path}`;
  log.debug(`POST ${url}, model ${String(body['model'])}`);
  let response: HttpResponse | undefined;
  try {
    const responding = http.send({
      method: 'POST',
      url,
      headers: {
        ...protocol.headers,
        ...requestHeaders(connection, {
          accept: body['stream'] === true ? 'text/event-stream' : 'application/json',
          hasBody: true,
        }),
      },
      secrets: secretsOf(connection),
      body: JSON.stringify(body),
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
    yield* readReply(response, connection, protocol);
  } finally {
    // After an answer read to its end this does nothing, and the socket stays usable.
    response?.close();
    leaving.abort();
  }
}

/**
 * Whether a relay may have failed because it does not really speak the messages protocol: it knows no such address,
 * answers in another form, or cannot translate the request. What the user chose is refused by the vendor itself.
 */
function isHalfSpoken({ code, why = '' }: SwitchboardError): boolean {
  return code === 'wrong-address' || (code === 'request' && !/^(temperature|max_tokens)\b/.test(why));
}

/** A signature is of a text as it was, so that what is masked cannot go back. */
function withoutSecrets(event: ReasoningSigned, secrets: readonly string[]): ModelEvent {
  const text = JSON.stringify(event.blocks);
  return maskExactly(text, secrets) === text ? event : { ...event, blocks: [] };
}

type ReasoningSigned = Extract<ModelEvent, { type: 'reasoningSigned' }>;

/** What passes, and broke off an answer of which something was shown, left it incomplete: that is what counts then. */
function toStreamError(thrown: unknown, shown: boolean): SwitchboardError {
  const error = toSwitchboardError(thrown);
  if (!shown || error.code !== 'transient') return error;
  return rejudge(error, 'truncated', messageFor('truncated', { address: error.address ?? '' }));
}

function streams(request: ModelRequest, dialect: Dialect): boolean {
  return request.stream && dialect.stream;
}

/** For the log. A server's own words stay out of it: they may repeat the message they refuse. */
function describe({ code, status, requestId, systemError }: SwitchboardError): string {
  const parts = status === undefined ? [code, systemError] : [code, `status ${status}`, requestId];
  return parts.filter((part) => part !== undefined).join(', ');
}

function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}
