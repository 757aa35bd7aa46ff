import type { Disposable } from './disposable.ts';

/** The time, as a parameter that tests replace. */
export interface Clock {
  /** Milliseconds of a monotonic clock; only differences are meaningful. */
  now(): number;
  /** Calls once after `ms` milliseconds unless disposed. */
  after(ms: number, call: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};
