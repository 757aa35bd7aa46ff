import { setImmediate } from 'node:timers/promises';

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
