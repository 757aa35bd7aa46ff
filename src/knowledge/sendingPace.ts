import type { Clock } from '../base/clock.ts';
import { delay } from '../base/delay.ts';

const longestPauseMs = 30_000;
/** Who is asked to wait longer had better ask the person. */
const longestAskedMs = 60_000;

/** Lets all that is being sent to one server wait together, longer and longer. */
export class SendingPace {
  private until = 0;
  private setbacks = 0;

  constructor(private readonly clock: Clock) {}

  /** Resolves when sending may go on. */
  async pass(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (;;) {
      const left = this.until - this.clock.now();
      if (left <= 0) return;
      await delay(left, signal, this.clock);
    }
  }

  wentWell(): void {
    this.setbacks = 0;
  }

  /** Makes all wait; false when they have waited `most` times in a row for nothing. */
  holdBack(most: number, askedMs?: number): boolean {
    // Several fail together; they wait once.
    if (this.until > this.clock.now()) return true;
    if (++this.setbacks > most || (askedMs ?? 0) > longestAskedMs) return false;
    const pauseMs = askedMs ?? Math.min(1000 * 2 ** (this.setbacks - 1), longestPauseMs);
    this.until = this.clock.now() + pauseMs;
    return true;
  }
}
