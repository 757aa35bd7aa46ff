import { type Clock, systemClock } from './clock.ts';

/** Resolves after `ms` milliseconds; aborting clears the timer and rejects with the signal's reason. */
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
