import { Deferred } from '../base/async/promises.ts';
import { cancelled, isCancelled, rejudge, type SwitchboardError } from '../base/errors/errors.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { AnswerMask, maskExactly } from '../base/secrets/maskAnswer.ts';
import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import {
  defaultRetryPolicy,
  type NextTry,
  rateLimitRetryPolicy,
  Retries,
  type RetryPolicy,
} from '../net/retries.ts';
import { CacheMarks } from './protocols/cacheMarks.ts';
import { requestHeaders, secretsOf } from './headers.ts';
import { type Lesson, lessonFrom, lessonKey } from './profile/lessons.ts';
import type { ModelEvent, ModelRequest, StreamModel, ToolCall } from './messages.ts';
import { createProfiles, type ModelFacts } from './profile/modelFacts.ts';
import { type PreparedRequest, type PrepareOptions, prepareRequest } from './prepareRequest.ts';
import { readReply } from './readReply.ts';
import { explainRefusedKey } from './errors/refusedKey.ts';
import type { RelayContext } from './relayCall.ts';
import { explainNeed } from './protocols/responsesNeeded.ts';
import { messageFor } from './errors/relayMessages.ts';

export interface StreamModelOptions extends RelayContext {
  retry?: RetryPolicy;
  rateLimitRetry?: RetryPolicy;
  clock?: Clock;
  random?: () => number;
}

/**
 * A refusal that teaches a model's form is followed by another attempt at once (`lessons.ts`); transient failures are
 * retried, each after `retryScheduled`, until something was shown. Throws only `SwitchboardError`s.
 */
export function createStreamModel(options: StreamModelOptions): StreamModel {
  const prepareOptions: PrepareOptions = {
    profiles: options.profiles ?? createProfiles(),
    marks: new CacheMarks(() => (options.clock ?? systemClock).now()),
    marksResults: /(?:^|\.)openrouter\.ai$/.test(hostOf(options.connection.baseUrl)),
  };
  return (asked, signal) => new StreamedRequest(options, prepareOptions, asked, signal).events();
}

class StreamedRequest {
  /** Learnt facts, and the subset that is kept only if it helps. */
  private learnt: ModelFacts = {};
  private trial: ModelFacts = {};
  private readonly tried = new Set<string>();
  private readonly news: ModelEvent[] = [];
  private sent: PreparedRequest;
  private shown = false;
  private isSent = false;

  constructor(
    private readonly options: StreamModelOptions,
    private readonly prepareOptions: PrepareOptions,
    private readonly asked: ModelRequest,
    private readonly signal: AbortSignal,
  ) {
    this.sent = this.prepare();
  }

  /** The only generator above `readReply`. Returning early closes the socket. */
  async *events(): AsyncGenerator<ModelEvent, void> {
    const { options, signal } = this;
    const { connection, clock, random } = options;
    const secrets = secretsOf(connection);
    const retries = new Retries({ judge: (thrown) => this.judge(thrown), signal, clock, random });
    for (;;) {
      const mask = new AnswerMask<ModelEvent>(secrets, (event) => maskWhole(event, secrets));
      this.isSent = false;
      try {
        const sending = send(options, this.sent, signal);
        try {
          await sending.sent;
          yield* this.shownOf([{ type: 'requestSent' }]);
          const reply = readReply(await sending.response, connection, this.sent.protocol);
          for await (const events of reply) yield* this.shownOf(mask.add(events));
        } finally {
          sending.close();
        }
        return;
      } catch (thrown) {
        yield* this.shownOf(mask.end());
        const retry = await retries.after(thrown);
        if (!retry) continue;
        yield retry.event;
        await retry.wait();
      }
    }
  }

  private shownOf(events: readonly ModelEvent[]): readonly ModelEvent[] {
    const { asked, sent, trial } = this;
    const { profiles, marks } = this.prepareOptions;
    this.isSent ||= events.length > 0;
    const begins = !this.shown && events.some(({ type }) => type !== 'requestSent');
    this.shown ||= begins;
    if (begins && Object.keys(trial).length > 0) profiles.learn(asked.model, trial, 'refusal');
    const last = events.at(-1);
    if (last?.type === 'modelFinished' && sent.isMarked && !marks.isWorthwhile(asked, last.usage)) {
      profiles.learn(asked.model, { cacheMarks: false }, 'answer');
    }
    return begins ? [...this.news, ...events] : events;
  }

  private prepare(): PreparedRequest {
    const facts = { ...this.prepareOptions.profiles.facts(this.asked.model), ...this.learnt };
    return prepareRequest(this.asked, facts, this.prepareOptions);
  }

  private async judge(thrown: unknown): Promise<NextTry> {
    const { options, sent, signal, shown } = this;
    const { retry = defaultRetryPolicy, rateLimitRetry = rateLimitRetryPolicy } = options;
    const { model } = this.asked;
    if (signal.aborted || isCancelled(thrown)) {
      // Relays stop a vendor's stream on disconnect, but finish a whole answer.
      throw cancelled({ mayBeBilled: this.isSent && !shown && sent.body['stream'] !== true });
    }
    const failure = toStreamError(thrown, shown);
    options.log.info(`${model}: ${describe(failure)}`);
    if (shown) throw failure;
    const lesson = lessonFrom(failure, sent, this.tried);
    if (lesson) {
      this.learn(lesson);
      return 'now';
    }
    if (failure.code === 'rate-limit') return { failure, policy: rateLimitRetry };
    if (failure.code === 'transient') return { failure, policy: retry };
    const { isProtocolChosen } = sent;
    throw await explainRefusedKey(options, explainNeed(failure, { model, isProtocolChosen }), signal);
  }

  private learn(lesson: Lesson): void {
    const { model } = this.asked;
    this.options.log.info(`${model}: asking again with ${Object.keys(lesson.facts).join(', ')} as learnt`);
    this.tried.add(lessonKey(lesson));
    this.learnt = { ...this.learnt, ...lesson.facts };
    if (lesson.isTrial) this.trial = { ...this.trial, ...lesson.facts };
    else this.prepareOptions.profiles.learn(model, lesson.facts, 'refusal');
    if (lesson.event) this.news.push(lesson.event);
    this.sent = this.prepare();
  }
}

/** A masked text no longer matches its signature, so signed blocks are dropped. */
function maskWhole(event: ModelEvent, secrets: readonly string[]): ModelEvent {
  switch (event.type) {
    case 'reasoningSigned':
      return holdsSecret(event.blocks, secrets) ? { ...event, blocks: [] } : event;
    case 'toolCallsCompleted':
      return { ...event, calls: event.calls.map((call) => maskCall(call, secrets)) };
    default:
      return event;
  }
}

function maskCall({ extra, ...call }: ToolCall, secrets: readonly string[]): ToolCall {
  return {
    ...call,
    name: maskExactly(call.name, secrets),
    arguments: maskExactly(call.arguments, secrets),
    ...(extra && !holdsSecret(extra, secrets) && { extra }),
  };
}

function holdsSecret(value: unknown, secrets: readonly string[]): boolean {
  const text = JSON.stringify(value);
  return maskExactly(text, secrets) !== text;
}

function send(
  { http, connection, timeouts, log }: RelayContext,
  { protocol, body, headers }: PreparedRequest,
  signal: AbortSignal,
): { sent: Promise<unknown>; response: Promise<HttpResponse>; close(): void } {
  const leaving = new AbortController();
  const sent = new Deferred();
  const url = `${connection.baseUrl}${protocol.path}`;
  log.debug(`POST ${url}, model ${String(body['model'])}`);
  let response: HttpResponse | undefined;
  const responding = http
    .send({
      method: 'POST',
      url,
      headers: {
        ...protocol.headers,
        ...requestHeaders(
          { ...connection, headers: { ...connection.headers, ...headers } },
          { accept: body['stream'] === true ? 'text/event-stream' : 'application/json', hasBody: true },
        ),
      },
      secrets: secretsOf(connection),
      body: JSON.stringify(body),
      timeouts,
      signal: AbortSignal.any([signal, leaving.signal]),
      onSent: sent.resolve,
      beginsWithEvent: true,
    })
    .then((it) => {
      log.debug(`Status ${it.status}, ${it.contentType || 'no type'}`);
      return (response = it);
    });
  // Unhandled if the caller leaves at `requestSent`.
  responding.catch(() => undefined);
  return {
    sent: Promise.race([sent.promise, responding]),
    response: responding,
    close() {
      response?.close();
      leaving.abort();
    },
  };
}

/** A transient failure after the beginning truncates the answer. */
function toStreamError(thrown: unknown, shown: boolean): SwitchboardError {
  const error = toSwitchboardError(thrown);
  if (!shown || error.code !== 'transient') return error;
  return rejudge(error, 'truncated', messageFor('truncated', { address: error.address ?? '' }));
}

/** For the log. Leaves out server messages, which may quote the refused message. */
function describe({ code, status, requestId, systemError }: SwitchboardError): string {
  const parts = status === undefined ? [code, systemError] : [code, `status ${status}`, requestId];
  return parts.filter((part) => part !== undefined).join(', ');
}

function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}

/** Awaits each event before reading the next; `enough` ends the request. Aborting rejects with `cancelled`. */
export type AskModel = (request: ModelRequest, signal: AbortSignal, onEvent: OnModelEvent) => Promise<void>;

type OnModelEvent = (event: ModelEvent) => Promise<'enough' | void> | 'enough' | void;

/** Stops at `modelFinished`, which closes sockets that servers keep open. */
export function askModel(streamModel: StreamModel): AskModel {
  return async (request, signal, onEvent) => {
    for await (const event of streamModel(request, signal)) {
      if ((await onEvent(event)) === 'enough' || event.type === 'modelFinished') return;
    }
  };
}
