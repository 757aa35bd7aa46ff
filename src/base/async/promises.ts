import { type Clock, systemClock } from '../clock.ts';
import { setImmediate } from 'node:timers/promises';

export class Deferred {
  resolve: () => void = () => undefined;
  readonly promise = new Promise<void>((resolve) => {
    this.resolve = resolve;
  });
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason on abort. */
export function delay(ms: number, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    function onAbort(): void {
      timer.dispose();
      reject(signal.reason);
    }
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Resolves like the promise, or rejects on abort. The work itself continues, because others may wait for it. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}

/** Creates the function that runs each work after the one before has ended, however it did. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}

/** Longest time that work runs before other tasks get a turn, in ms. */
const longestTurnMs = 8;

/** Yields to other tasks when a turn is over; resolves with true if it did. */
export type GiveWay = () => Promise<boolean>;

/** Creates the function that long work calls often. It rejects once `signal` is aborted. */
export function createGiveWay(signal?: AbortSignal): GiveWay {
  let until = performance.now() + longestTurnMs;
  return async () => {
    if (performance.now() < until) return false;
    await setImmediate();
    signal?.throwIfAborted();
    until = performance.now() + longestTurnMs;
    return true;
  };
}
