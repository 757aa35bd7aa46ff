import { type Clock, systemClock } from '../base/clock.ts';
import { delay } from '../base/delay.ts';
import { cancelled } from './httpErrors.ts';

/** Waits before another try, in milliseconds; a person who stops meanwhile is answered as anywhere in a request. */
export async function pauseBeforeRetry(
  ms: number,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  await delay(ms, signal, clock).catch(() => {
    throw cancelled();
  });
}
