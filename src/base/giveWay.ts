import { setImmediate } from 'node:timers/promises';

/** So long nothing else is done; then whatever waits comes first. */
const longestTurnMs = 8;

/** For long work, to be called often: lets everything else have its turn when it is due, and tells whether it was. */
export function createGiveWay(): () => Promise<boolean> {
  let until = performance.now() + longestTurnMs;
  return async () => {
    if (performance.now() < until) return false;
    await setImmediate();
    until = performance.now() + longestTurnMs;
    return true;
  };
}
