import type { Disposable } from './disposable.ts';

export interface Clock {
  /** Milliseconds of a monotonic clock; only differences are meaningful. */
  now(): number;
  after(ms: number, call: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};
