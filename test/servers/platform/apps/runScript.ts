import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { assertNever } from '../../../../src/base/assertNever.ts';
import { toPieces } from '../../relay/tokens.ts';
import { waitForEnd } from '../../relay/waitForEnd.ts';
import type { AppContext } from './appContext.ts';
import type { StoredMessage, StoredRun } from './appRecords.ts';
import type { AppStep } from './appStep.ts';
import { RunEvents } from './runEvents.ts';
import type { LiveRun } from './liveRun.ts';
import type { AppTurn, ScriptedApp } from './scriptedApp.ts';

/** An answer to be made. */
export interface AppJob {
  readonly context: AppContext;
  readonly app: ScriptedApp;
  readonly turn: AppTurn;
  readonly live: LiveRun;
  /** Undefined in workflows. */
  readonly message: StoredMessage | undefined;
  /** Of workflows and chatflows. */
  readonly run: StoredRun | undefined;
}

/** What became of it, for an answer without a stream. */
export type AppOutcome =
  | { type: 'done'; metadata: object }
  | { type: 'paused'; data: object }
  | { type: 'failed'; code: string; status: number; message: string }
  | { type: 'broken' };

/**
 * Makes the answer of an app: its script's steps become events in the platform's order.
 * Rejects when the server stops.
 */
export async function runScript(job: AppJob): Promise<AppOutcome> {
  const { context, app, live, turn } = job;
  const events = new RunEvents(job);
  const hold = context.holds.take(app.key);
  let sent = 0;

  /** Lets what was written leave, and waiting callers run, before the next event. */
  const settle = async (): Promise<void> => {
    if (context.chunkDelayMs > 0) await pause(context.chunkDelayMs, undefined, { signal: context.closing });
    else await nextTurn();
    context.closing.throwIfAborted();
  };
  const send = async (event: object | undefined): Promise<void> => {
    if (!event) return;
    if (hold?.afterEvents === sent) await hold.wait(live);
    sent += 1;
    events.emit(event, sent);
    await settle();
    if (hold?.afterEvents === sent) await hold.wait(live);
  };

  if (events.pingsAtOnce) live.ping();
  await send(events.started());
  for (const step of cut(app.answer(turn))) {
    if (live.stopped.aborted) break;
    switch (step.type) {
      case 'ping':
        live.ping();
        break;
      case 'stall':
        await waitForEnd(AbortSignal.any([context.closing, live.stopped]));
        context.closing.throwIfAborted();
        break;
      case 'hangUp':
      case 'destroy':
        await settle();
        live.close(step.type === 'hangUp' ? 'ended' : 'cut');
        return { type: 'broken' };
      case 'fail':
        await send(events.error(step));
        live.close('ended');
        return { ...step, type: 'failed' };
      case 'failRun':
        for (const event of events.failed(step.error)) await send(event);
        live.close('ended');
        return { type: 'done', metadata: events.metadata() };
      case 'pause': {
        const { required, paused } = events.paused(step);
        await send(required);
        await send(paused);
        live.close('ended');
        return { type: 'paused', data: paused };
      }
      case 'outputs':
      case 'sources':
      case 'files':
        events.keep(step);
        break;
      case 'text':
      case 'replace':
      case 'messageEvent':
      case 'thought':
      case 'flowEvent':
      case 'nodeStarted':
      case 'nodeRetried':
      case 'nodeFinished':
        await send(events.of(step));
        break;
      default:
        assertNever(step);
    }
  }
  for (const event of events.ends(live.stopped.aborted ? 'stopped' : 'succeeded')) await send(event);
  live.close('ended');
  return { type: 'done', metadata: events.metadata() };
}

/** Cuts texts into pieces. */
function* cut(steps: Iterable<AppStep>): Iterable<AppStep> {
  for (const step of steps) {
    if (step.type !== 'text' || step.whole) yield step;
    else for (const piece of toPieces(step.text)) yield { ...step, text: piece, whole: true };
  }
}
