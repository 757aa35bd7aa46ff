import { assertNever } from '../../base/errors/errors.ts';
import type { Waiting } from './sortPlan.ts';
import type { SyncTerms } from './syncTerms.ts';

/** Reason why a folder isn't in step. `platform` is tried again by itself; the user or a change of HEAD ends the others. */
export type Pause =
  | { reason: 'user' | 'settings' | 'merge' | 'git' }
  | { reason: 'limit'; files: number; bytes: number }
  | { reason: 'branch'; branch?: string | undefined }
  | { reason: 'platform' | 'refused'; message: string };

/** Paths that may have changed; `all` if it isn't known which. */
export type Changed = ReadonlySet<string> | 'all';

export interface SyncState {
  /** `settling`: files may still be changing. `due`: to be looked at now. `retrying`: again after a while. */
  activity: 'still' | 'settling' | 'due' | 'working' | 'retrying';
  changed: Changed;
  taken: Changed;
  waiting: readonly Waiting[];
  pause?: Pause | undefined;
  /** When `settling` or `retrying` ends, on the clock of the events. */
  untilMs: number;
  /** First change since the last look. */
  firstMs?: number | undefined;
  failures: number;
  hasMoved: boolean;
  inStep?: { commit?: string | undefined; atMs: number } | undefined;
}

export type LookResult =
  | { type: 'done'; waiting: readonly Waiting[]; commit?: string | undefined }
  | { type: 'paused'; pause: Pause; waiting?: readonly Waiting[] }
  /** Another run or window is at it, or files or HEAD changed meanwhile. */
  | { type: 'again' };

export type SyncEvent =
  | { type: 'changed'; paths: Iterable<string> }
  | { type: 'moved' }
  /** Something else may have changed the folder's documents, or the user asks. */
  | { type: 'recheck' }
  | { type: 'timeIsUp' }
  | { type: 'began' }
  | { type: 'ended'; result: LookResult }
  | { type: 'pause' }
  | { type: 'resume' };

export const quietMs = 60_000;
/** A file that is written all the time doesn't hold up the others for longer. */
const longestSettlingMs = 10 * 60_000;
const firstRetryMs = 60_000;
const longestRetryMs = 15 * 60_000;
const againMs = 5000;
/** Beyond that, checking the whole folder is simpler. */
export const mostPaths = 1000;

const nothing: Changed = new Set<string>();

export function firstState(isPaused: boolean): SyncState {
  const state: SyncState = {
    ...{ activity: 'due', changed: 'all', taken: nothing, waiting: [] },
    ...{ untilMs: 0, failures: 0, hasMoved: false },
  };
  return isPaused ? { ...state, activity: 'still', pause: { reason: 'user' } } : state;
}

/** The next state. Only one check runs at a time; changes during it are checked afterwards. */
export function nextState(
  state: SyncState,
  event: SyncEvent,
  when: SyncTerms['when'],
  nowMs: number,
): SyncState {
  const { activity } = state;
  const isFree = activity !== 'working' && state.pause?.reason !== 'user';
  switch (event.type) {
    case 'changed':
      return afterChange({ ...state, changed: union(state.changed, event.paths) }, isFree, nowMs);
    case 'moved':
      if (!isFree) return { ...state, hasMoved: true };
      // A checkout writes files, which are to be quiet first.
      return when === 'commit' ? { ...state, activity: 'due' } : settle(state, nowMs);
    case 'recheck':
      return { ...state, changed: 'all', ...(isFree && { activity: 'due' }) };
    case 'timeIsUp':
      return activity === 'settling' || activity === 'retrying' ? { ...state, activity: 'due' } : state;
    case 'began':
      return {
        ...state,
        ...{ activity: 'working', taken: state.changed, changed: nothing },
        ...{ hasMoved: false, firstMs: undefined },
      };
    case 'ended':
      return afterLook(state, event.result, when, nowMs);
    case 'pause':
      return { ...state, pause: { reason: 'user' }, ...(isFree && { activity: 'still' }) };
    case 'resume':
      return {
        ...state,
        ...{ pause: undefined, changed: 'all', failures: 0 },
        ...(activity !== 'working' && { activity: 'due' }),
      };
    default:
      return assertNever(event);
  }
}

export function timerOf({ activity, untilMs }: SyncState, nowMs: number): number | undefined {
  return activity === 'settling' || activity === 'retrying' ? Math.max(0, untilMs - nowMs) : undefined;
}

function afterChange(state: SyncState, isFree: boolean, nowMs: number): SyncState {
  const isAtIt = state.activity === 'due' || state.activity === 'retrying';
  return isFree && !isAtIt ? settle(state, nowMs) : state;
}

function settle(state: SyncState, nowMs: number): SyncState {
  const firstMs = state.firstMs ?? nowMs;
  const untilMs = Math.min(nowMs + quietMs, firstMs + longestSettlingMs);
  return { ...state, activity: 'settling', firstMs, untilMs };
}

function afterLook(before: SyncState, result: LookResult, when: SyncTerms['when'], nowMs: number): SyncState {
  const isDone = result.type === 'done';
  const changed = isDone ? before.changed : union(before.changed, before.taken);
  const looked: SyncState = { ...before, activity: 'still', changed, taken: nothing };
  if (before.pause?.reason === 'user') return isDone ? inStep(looked, result, nowMs) : looked;
  switch (result.type) {
    case 'done': {
      const state = inStep({ ...looked, pause: undefined, failures: 0 }, result, nowMs);
      if (state.hasMoved) return nextState(state, { type: 'moved' }, when, nowMs);
      if (state.changed !== 'all' && state.changed.size === 0) return state;
      return when === 'commit' ? { ...state, activity: 'due' } : settle(state, nowMs);
    }
    case 'again':
      return { ...looked, activity: 'retrying', untilMs: nowMs + againMs };
    case 'paused': {
      const { pause, waiting = looked.waiting } = result;
      const state: SyncState = { ...looked, pause, waiting, inStep: undefined };
      if (pause.reason === 'platform') {
        const ms = Math.min(firstRetryMs * 2 ** looked.failures, longestRetryMs);
        return { ...state, activity: 'retrying', untilMs: nowMs + ms, failures: looked.failures + 1 };
      }
      return state.hasMoved ? nextState(state, { type: 'moved' }, when, nowMs) : state;
    }
    default:
      return assertNever(result);
  }
}

function inStep(
  state: SyncState,
  { waiting, commit }: Extract<LookResult, { type: 'done' }>,
  atMs: number,
): SyncState {
  return { ...state, waiting, inStep: waiting.length === 0 ? { commit, atMs } : undefined };
}

function union(some: Changed, others: Iterable<string> | 'all'): Changed {
  if (some === 'all' || others === 'all') return 'all';
  const all = new Set([...some, ...others]);
  return all.size > mostPaths ? 'all' : all;
}
