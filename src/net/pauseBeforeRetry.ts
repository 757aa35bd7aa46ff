import { type Clock, systemClock } from '../base/clock.ts';
import { delay } from '../base/delay.ts';
import type { SwitchboardError } from '../base/errors.ts';
import { cancelled } from '../base/cancelled.ts';

/**
 * Waits before another try, in milliseconds.
 * @param failure why there is another try; a user who stops meanwhile is told it with the cancellation
 */
export async function pauseBeforeRetry(
  ms: number,
  failure: SwitchboardError,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  await delay(ms, signal, clock).catch(() => {
    throw cancelled({ cause: failure });
  });
}
