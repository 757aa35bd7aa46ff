import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { toPieces } from '../../relay/tokens.ts';
import { waitForEnd } from '../../relay/waitForEnd.ts';
import type { AppContext } from './appContext.ts';
import type { StoredAnnotation, StoredMessage, StoredRun } from './appRecords.ts';
import { type AppStep, text } from './appStep.ts';
import { RunEvents } from './runEvents.ts';
import { expiryOf, type PendingForm } from './humanInput.ts';
import { LiveRun } from './liveRun.ts';
import type { HeldRun } from './runHolds.ts';
import type { AppTurn, ScriptedApp } from './scriptedApp.ts';
import { assertNever } from '../../../../src/base/errors/errors.ts';

export interface AppJob {
  readonly context: AppContext;
  readonly app: ScriptedApp;
  readonly turn: AppTurn;
  /** Replaced after each submitted form. */
  live: LiveRun;
  readonly message: StoredMessage | undefined;
  /** Replaces the script's answer. */
  readonly annotation: StoredAnnotation | undefined;
  /** Undefined for chats and completions. */
  readonly run: StoredRun | undefined;
}

export type AppOutcome =
  | { type: 'done'; metadata: object }
  | { type: 'paused'; data: object }
  | { type: 'failed'; code: string; status: number; message: string }
  | { type: 'broken' };

/** Turns the script's steps into events in the platform's order. Rejects when the server stops. */
export async function runScript(job: AppJob): Promise<AppOutcome> {
  const { context, app, live, turn, annotation } = job;
  const events = new RunEvents(job);
  if (events.pingsAtOnce) live.ping();
  // An iterator, since a loop would close the script at a pause.
  const script = annotation ? [text(annotation.answer)] : app.answer(turn);
  const steps = cut(script)[Symbol.iterator]();
  return play({ ...job }, events, steps, context.holds.take(app.key), events.started());
}

/** @param first the event before the rest of the script */
async function play(
  job: AppJob,
  events: RunEvents,
  steps: Iterator<AppStep>,
  hold: HeldRun | undefined,
  first: object | undefined,
): Promise<AppOutcome> {
  const { context, live } = job;
  let sent = 0;

  /** Lets written data leave, and waiting callers run, before the next event. */
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

  await send(first);
  for (let next = steps.next(); !next.done; next = steps.next()) {
    const step = next.value;
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
        const form = addForm(job, events, steps, step);
        // Older versions accept forms only on the platform's own pages.
        const token = context.version.isAtLeast('1.15') ? form.token : null;
        const { required, paused } = events.paused(form, token);
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

function addForm(
  job: AppJob,
  events: RunEvents,
  steps: Iterator<AppStep>,
  { formTitle, formContent, fields = [] }: Extract<AppStep, { type: 'pause' }>,
): PendingForm {
  const { context, app, run, turn } = job;
  if (!run) throw new Error('Only a flow can pause.');
  const form: PendingForm = {
    ...{ app: app.key, token: randomUUID(), title: formTitle, content: formContent, inputs: fields },
    ...{ state: 'open', expiresAt: expiryOf(run) },
    resume(action, inputs) {
      turn.submitted = { action, inputs };
      run.status = 'running';
      run.waiting = [];
      run.live = new LiveRun();
      events.goOnIn(run.live);
      const rest = play(
        { ...job, live: run.live },
        events,
        steps,
        context.holds.take(app.key),
        events.filled(formTitle, action),
      );
      rest.catch(() => run.live.close('cut'));
    },
  };
  context.forms.push(form);
  return form;
}

function* cut(steps: Iterable<AppStep>): Iterable<AppStep> {
  for (const step of steps) {
    if (step.type !== 'text' || step.whole) yield step;
    else for (const piece of toPieces(step.text)) yield { ...step, text: piece, whole: true };
  }
}
