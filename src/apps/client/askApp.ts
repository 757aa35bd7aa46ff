import { cancelled } from '../../base/cancelled.ts';
import { systemClock } from '../../base/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { isCancelled, SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { maskAnswer } from '../../base/maskAnswer.ts';
import { sanitizeServerMessage } from '../../base/sanitizeServerMessage.ts';
import { toSwitchboardError } from '../../base/toSwitchboardError.ts';
import type { HttpResponse } from '../../net/httpResponse.ts';
import { defaultRetryPolicy } from '../../net/retry.ts';
import { type NextTry, withRetries } from '../../net/withRetries.ts';
import {
  type Caller,
  createCaller,
  passingStatuses,
  type PlatformContext,
  type PlatformRequest,
} from '../../platform/platformCall.ts';
import { toPlatformError } from '../../platform/platformErrors.ts';
import { route } from '../../platform/route.ts';
import type { AppEvent } from '../app.ts';
import { AppAnswer } from './appAnswer.ts';
import { answerTruncated } from './appFailures.ts';
import { detectStalls, stalled } from './detectStalls.ts';
import { readAppReply } from './readAppReply.ts';
import { type StallLimits, StallMonitor } from './stallMonitor.ts';

/** What every call of an app needs. */
export interface AppContext extends PlatformContext {
  /** Whose conversations and files these are: any stable text. */
  user: string;
  stall?: StallLimits;
}

/** What runs on the server and is stopped there. */
export type AppTask = 'chat' | 'completion' | 'workflow';

/** A request whose answer is events. */
export interface AppRequest {
  task: AppTask;
  path: string;
  /** Sent with `response_mode`. */
  json: JsonObject;
  /** Older servers lack it. */
  isNewerRoute?: boolean;
  /** Listens to a run that was begun before, rather than to begin one. */
  isResumed?: boolean;
  stream: boolean;
  /** The first event comes as soon as the run is taken up, long before an answer. */
  announcesStart?: boolean;
}

/** Asks an app: a request becomes events. Throws only `SwitchboardError`s; aborting stops the run on the server, too. */
export type AskApp = (request: AppRequest, signal: AbortSignal) => AsyncIterable<AppEvent>;

/** How long the request to stop may take, in milliseconds. */
const stopLimitMs = 5_000;

/** Kinds of events that are logged at most. */
const maxUnknownKinds = 20;

export function createAskApp(context: AppContext): AskApp {
  const { log, retry = defaultRetryPolicy, clock = systemClock, random } = context;
  // Retries are made here, where they can be announced.
  const caller = createCaller(
    {
      ...context,
      // A copy would hold on to the limits of now.
      get timeouts() {
        return context.timeouts;
      },
      retry: { ...retry, retries: 0 },
    },
    'app',
  );
  const unknownKinds = new Set<string>();
  /** Agents answer only by streams. */
  let refusesWhole = false;

  const onUnknown = (kind: string): void => {
    if (unknownKinds.has(kind) || unknownKinds.size >= maxUnknownKinds) return;
    unknownKinds.add(kind);
    log.info(
      `An app sent events of an unknown kind, which are ignored: ${sanitizeServerMessage(kind) || 'no name'}`,
    );
  };

  return async function* askApp(request, signal) {
    let answer: AppAnswer;
    let streams = request.stream;
    async function* attempt(): AsyncGenerator<AppEvent, void> {
      answer = createAnswer(context, request, onUnknown);
      streams = request.stream || refusesWhole;
      const reply = ask(context, caller, { ...request, stream: streams }, answer, signal);
      for await (const events of maskAnswer<AppEvent>(reply, [context.connection.key])) {
        yield* events;
      }
    }
    function judge(thrown: unknown): NextTry {
      const failure = ownError(thrown, answer, signal);
      log.info(`POST ${request.path}: ${failure.code}, status ${failure.status ?? 'none'}`);
      if (answer.hasBegun) throw failure;
      if (!streams && refusesToAnswerWhole(failure)) {
        log.info(`POST ${request.path}: asking again, since this app only streams`);
        refusesWhole = true;
        return 'now';
      }
      return { failure, policy: isPassing(failure) ? retry : undefined };
    }
    yield* withRetries(attempt, { judge, signal, clock, random });
  };
}

/** One try. Leaving it early ends the run on the server, and then the connection. */
async function* ask(
  context: AppContext,
  caller: Caller,
  request: AppRequest,
  answer: AppAnswer,
  signal: AbortSignal,
): AsyncGenerator<readonly AppEvent[], void> {
  if (signal.aborted) throw cancelled();
  const { timeouts, clock = systemClock } = context;
  const leaving = new AbortController();
  let left: Promise<void> | undefined;
  const leave = (): Promise<void> => {
    left ??= stopRun(context, caller, request.task, answer).finally(() => leaving.abort(cancelled()));
    return left;
  };
  const onAbort = (): void => void leave();
  signal.addEventListener('abort', onAbort, { once: true });
  const sent = new Deferred();
  let response: HttpResponse | undefined;
  let stall: StallMonitor | undefined;
  // A caller that leaves the iteration in the middle gets neither the end nor an error.
  let isLeftEarly = true;
  try {
    const responding = send(caller, request, context.user, sent.resolve, leaving.signal);
    // If the caller leaves at `requestSent`, nobody else waits for this.
    responding.catch(() => undefined);
    await Promise.race([sent.promise, responding]);
    yield [{ type: 'requestSent' }];
    response = await responding;
    const reply = readAppReply(response, answer, {
      idleMs: timeouts.idleMs,
      clock,
      key: context.connection.key,
    });
    const monitor = new StallMonitor(context, request, answer, response.address);
    stall = monitor;
    for await (const events of detectStalls(reply, () => monitor.waitMs, clock)) {
      if (events !== stalled) monitor.onEvents();
      if (signal.aborted) continue;
      if (events !== stalled) yield events;
      else {
        const event = monitor.onWaited();
        if (event) yield [event];
        await monitor.check(caller, signal);
      }
    }
    isLeftEarly = false;
  } catch (error) {
    // A run whose stream sends no more data goes on; one whose connection broke may be taken up again.
    isLeftEarly = error instanceof SwitchboardError && error.code === 'timeout-idle';
    if (!stall || !isNoAnswer(error) || error === stall.found) throw error;
    throw (await stall.diagnose(caller, signal)) ?? stall.timedOut(timeouts.firstTokenMs, error);
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (left || isLeftEarly) await leave();
    response?.close();
  }
  if (signal.aborted) throw cancelled();
}

function send(
  caller: Caller,
  { path, json, stream, isResumed, isNewerRoute = false }: AppRequest,
  user: string,
  onSent: () => void,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const asking = (mode: string): PlatformRequest => ({
    ...{ method: 'POST', path, isStreamed: stream, isNewerRoute, onSent },
    json: { ...json, response_mode: mode, user },
  });
  if (isResumed) {
    // With what happened before one listened: between two requests a run goes on.
    const query = { user, include_state_snapshot: 'true' };
    const request = { method: 'GET' as const, path, query, isStreamed: true, isNewerRoute: true, onSent };
    return caller.open(request, signal);
  }
  return stream
    ? caller.open(asking('streaming'), signal)
    : caller.open({ forms: ['sync'], in: ({ sync }) => asking(sync ?? 'sync') }, signal);
}

/** Asks the server to end the run, if it is known by now which. */
async function stopRun(
  { user, log }: AppContext,
  caller: Caller,
  task: AppTask,
  { ids: { taskId }, remaining, failure }: AppAnswer,
): Promise<void> {
  if (taskId === undefined || remaining === 'none' || failure) return;
  try {
    const request = { method: 'POST' as const, path: stopPath(task, taskId), json: { user } };
    await caller.send(request, AbortSignal.timeout(stopLimitMs));
  } catch (error) {
    log.info(
      `The run could not be stopped: ${error instanceof SwitchboardError ? error.code : String(error)}`,
    );
  }
}

function stopPath(task: AppTask, taskId: string): string {
  switch (task) {
    case 'chat':
      return route`/chat-messages/${taskId}/stop`;
    case 'completion':
      return route`/completion-messages/${taskId}/stop`;
    case 'workflow':
      return route`/workflows/tasks/${taskId}/stop`;
  }
}

function createAnswer(
  { connection: { baseUrl, key } }: AppContext,
  { path }: AppRequest,
  onUnknown: (kind: string) => void,
): AppAnswer {
  const address = `${baseUrl}/v1${path}`;
  return new AppAnswer({
    baseUrl,
    address,
    key,
    onUnknown,
    toError: (body) =>
      toPlatformError({
        status: statusOf(body),
        headers: {},
        body: JSON.stringify(body),
        contentType: 'application/json',
        address,
        key,
        service: 'app',
        nowMs: Date.now(),
      }),
  });
}

/** Inside a success the error's own status stands in for the one that had been sent before anything failed. */
function statusOf({ status }: JsonObject): number {
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}

function isNoAnswer(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.code === 'timeout-first-token';
}

/** A connection that broke after something came left the answer incomplete, whatever broke it. */
function ownError(thrown: unknown, answer: AppAnswer, signal: AbortSignal): SwitchboardError {
  if (signal.aborted || isCancelled(thrown)) return cancelled();
  const error = toSwitchboardError(thrown);
  const isBroken = error.code === 'transient' && error.status === undefined && error !== answer.failure;
  return answer.hasBegun && isBroken ? answerTruncated(error.address ?? '', true, error) : error;
}

function refusesToAnswerWhole({ status, why }: SwitchboardError): boolean {
  return status === 400 && /not support blocking/i.test(why ?? '');
}

/** Refused before anything was done. Source: platform-api.md 2. */
function isPassing({ code, status }: SwitchboardError): boolean {
  if (code === 'rate-limit') return true;
  return code === 'transient' && status !== undefined && passingStatuses.has(status);
}
