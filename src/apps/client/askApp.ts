import type { Disposable } from '../../base/disposable.ts';
import { cancelled, isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Deferred } from '../../base/async/promises.ts';
import type { JsonObject } from '../../base/json.ts';
import { maskAnswer } from '../../base/secrets/maskAnswer.ts';
import { sanitizeServerMessage } from '../../base/text/sanitizeServerMessage.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import type { HttpResponse } from '../../net/httpResponse.ts';
import { defaultRetryPolicy, type NextTry, Retries } from '../../net/retries.ts';
import {
  type Caller,
  createCaller,
  passingStatuses,
  type PlatformContext,
  type PlatformRequest,
  rootOf,
  route,
} from '../../platform/platformCall.ts';
import { toPlatformError } from '../../platform/platformErrors.ts';
import type { PlatformService } from '../../platform/platformRefusal.ts';
import type { AppEvent } from '../app.ts';
import { AppAnswer } from './appAnswer.ts';
import type { AppContext, AppRequest, AppTask } from './appRequest.ts';
import { answerTruncated } from './appFailures.ts';
import { readAppReply } from './readAppReply.ts';
import { StallMonitor } from './stallMonitor.ts';

/** Sends a request and yields events. Throws only `SwitchboardError`s; aborting also stops the run on the server. */
export type AskApp = (request: AppRequest, signal: AbortSignal) => AsyncIterable<AppEvent>;

const stopLimitMs = 5_000;

const maxUnknownKinds = 20;

export const stalled = Symbol('stalled');

export function createAskApp(
  context: AppContext,
  callerOf: (context: PlatformContext) => Caller = (of) => createCaller(of, 'app'),
): AskApp {
  const { log, retry = defaultRetryPolicy, clock = systemClock, random } = context;
  // Retries are made here, where they can be announced.
  const caller = callerOf({
    ...context,
    // A getter, because a copied value would freeze the limits.
    get timeouts() {
      return context.timeouts;
    },
    retry: { ...retry, retries: 0 },
  });
  const unknownKinds = new Set<string>();
  /** Agents only stream. */
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
    const retries = new Retries({ judge, signal, clock, random });
    for (;;) {
      try {
        yield* attempt();
        return;
      } catch (thrown) {
        const scheduled = await retries.after(thrown);
        if (!scheduled) continue;
        yield scheduled.event;
        await scheduled.wait();
      }
    }
  };
}

/** A single attempt. Returning early stops the run on the server, then closes the connection. */
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
  // Stays true if the consumer stops iterating, which causes neither an end nor an error.
  let isLeftEarly = true;
  try {
    const responding = send(caller, request, context, sent.resolve, leaving.signal);
    // If the consumer leaves at `requestSent`, nobody else awaits this.
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
    // A run with a silent stream continues and must be stopped; one whose connection broke may be resumed.
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
  { user, appId }: AppContext,
  onSent: () => void,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const asking = (mode: string): PlatformRequest => ({
    ...{ method: 'POST', path, isStreamed: stream, isNewerRoute, onSent },
    json: appId === undefined ? { ...json, response_mode: mode, user } : json,
  });
  if (isResumed) {
    // Includes the events so far: a run continues between two requests.
    const snapshot = { include_state_snapshot: 'true' };
    const query = appId === undefined ? { ...snapshot, user } : { ...snapshot, continue_on_pause: 'true' };
    const request = { method: 'GET' as const, path, query, isStreamed: true, isNewerRoute: true, onSent };
    return caller.open(request, signal);
  }
  return stream
    ? caller.open(asking('streaming'), signal)
    : caller.open({ forms: ['sync'], in: ({ sync }) => asking(sync ?? 'sync') }, signal);
}

async function stopRun(
  { user, appId, log }: AppContext,
  caller: Caller,
  task: AppTask,
  { ids: { taskId }, remaining, failure }: AppAnswer,
): Promise<void> {
  if (taskId === undefined || remaining === 'none' || failure) return;
  try {
    const path = appId === undefined ? stopPath(task, taskId) : route`/apps/${appId}/tasks/${taskId}:stop`;
    const request = { method: 'POST' as const, path, json: appId === undefined ? { user } : {} };
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

function serviceOf({ appId }: AppContext): PlatformService {
  return appId === undefined ? 'app' : 'account';
}

function createAnswer(
  context: AppContext,
  { path }: AppRequest,
  onUnknown: (kind: string) => void,
): AppAnswer {
  const { baseUrl, key } = context.connection;
  const service = serviceOf(context);
  const address = `${baseUrl}${rootOf(service)}${path}`;
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
        service,
        nowMs: Date.now(),
      }),
  });
}

/** An error inside a success carries its own status. */
function statusOf({ status }: JsonObject): number {
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}

function isNoAnswer(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.code === 'timeout-first-token';
}

/** A connection that broke after the first event left the answer incomplete, whatever the cause. */
function ownError(thrown: unknown, answer: AppAnswer, signal: AbortSignal): SwitchboardError {
  if (signal.aborted || isCancelled(thrown)) return cancelled();
  const error = toSwitchboardError(thrown);
  const isBroken = error.code === 'transient' && error.status === undefined && error !== answer.failure;
  return answer.hasBegun && isBroken ? answerTruncated(error.address ?? '', true, error) : error;
}

function refusesToAnswerWhole({ status, why }: SwitchboardError): boolean {
  return status === 400 && /not support blocking|only supports streaming/i.test(why ?? '');
}

/** True if the request was refused before anything was done. Source: platform-api.md 2. */
function isPassing({ code, status }: SwitchboardError): boolean {
  if (code === 'rate-limit') return true;
  return code === 'transient' && status !== undefined && passingStatuses.has(status);
}

/** Yields `stalled` after every `waitMs()` without an item. Returning does not wait for the source. */
export async function* detectStalls<T>(
  source: AsyncIterable<T>,
  waitMs: () => number,
  clock: Clock,
): AsyncGenerator<T | typeof stalled, void> {
  const iterator = source[Symbol.asyncIterator]();
  const read = () => {
    const next = iterator.next();
    // Failures are handled where `next` is awaited, unless the reader left first.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = read(); ;) {
      let timer: Disposable | undefined;
      const waited = new Promise<typeof stalled>((resolve) => {
        timer = clock.after(waitMs(), () => resolve(stalled));
      });
      const outcome = await Promise.race([next, waited]).finally(() => timer?.dispose());
      if (outcome === stalled) {
        yield stalled;
        continue;
      }
      if (outcome.done) return;
      yield outcome.value;
      next = read();
    }
  } finally {
    void iterator.return?.().then(undefined, () => undefined);
  }
}
