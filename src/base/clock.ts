import type { Disposable } from './disposable.ts';

/** Time, as a parameter: tests hand in one that stands still. */
export interface Clock {
  /** Milliseconds on a scale that never goes back; only differences mean something. */
  now(): number;
  /** Calls once after `ms` milliseconds, unless disposed before. */
  after(ms: number, call: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};
