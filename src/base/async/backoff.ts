import type { Clock } from '../clock.ts';
import type { SwitchboardError } from '../errors/errors.ts';
import { delay } from './promises.ts';

/** A row of pauses after failures of one kind; times in milliseconds. */
export interface BackoffPause<R extends string> {
  reason: R;
  /** The first pause; it doubles each time. */
  firstMs: number;
  most: number;
  askedMs?: number | undefined;
}

const longestPauseMs = 60_000;
/** Longer waits are the user's decision. */
const longestAskedMs = 60_000;

/** Makes all requests to one server wait together, increasingly longer. */
export class Backoff<R extends string> {
  private until = 0;
  private pauses = 0;

  constructor(
    private readonly deps: {
      clock: Clock;
      pauseAfter(error: SwitchboardError): BackoffPause<R> | undefined;
      onPause(pause: { reason: R; ms: number } | undefined): void;
    },
  ) {}

  async wait(signal: AbortSignal): Promise<void> {
    const { clock, onPause } = this.deps;
    signal.throwIfAborted();
    for (let hasWaited = false; ; hasWaited = true) {
      const left = this.until - clock.now();
      if (left <= 0) {
        if (hasWaited) onPause(undefined);
        return;
      }
      await delay(left, signal, clock);
    }
  }

  onSuccess(): void {
    // Requests that were already running prove nothing.
    if (this.until <= this.deps.clock.now()) this.pauses = 0;
  }

  /** Starts a pause; false if waiting is useless or too long. */
  backOff(error: SwitchboardError): boolean {
    const { clock, pauseAfter, onPause } = this.deps;
    const pause = pauseAfter(error);
    if (!pause) return false;
    // Concurrent failures share a pause.
    if (this.until > clock.now()) return true;
    const { reason, firstMs, most, askedMs } = pause;
    if (++this.pauses > most || (askedMs ?? 0) > longestAskedMs) return false;
    const ms = askedMs ?? Math.min(firstMs * 2 ** (this.pauses - 1), longestPauseMs);
    this.until = clock.now() + ms;
    onPause({ reason, ms });
    return true;
  }
}
