import type { Clock } from '../base/clock.ts';
import { delay } from '../base/delay.ts';

/** `limit`: the platform takes no more requests for now. `offline`: it cannot be reached. `failing`: it has internal errors. */
export interface SendingPause {
  reason: 'limit' | 'offline' | 'failing';
  ms: number;
}

const longestPauseMs = 60_000;
/** Who is asked to wait longer had better ask the user. */
const longestAskedMs = 60_000;

export interface SetBack {
  reason: SendingPause['reason'];
  /** Of the first pause; each next one doubles. */
  firstMs: number;
  /** How often in a row it is worth to wait. */
  most: number;
  /** What the server asks for goes before our own arithmetic. */
  askedMs?: number | undefined;
}

/** Lets all that is being sent to one server wait together, longer and longer. */
export class SendingPace {
  private until = 0;
  private setbacks = 0;

  constructor(
    private readonly clock: Clock,
    /** Undefined when a pause is over. */
    private readonly onPause: (pause: SendingPause | undefined) => void,
  ) {}

  /** Resolves when sending may go on. */
  async pass(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (let hasWaited = false; ; hasWaited = true) {
      const left = this.until - this.clock.now();
      if (left <= 0) {
        if (hasWaited) this.onPause(undefined);
        return;
      }
      await delay(left, signal, this.clock);
    }
  }

  wentWell(): void {
    // What was on its way already when the others failed proves nothing.
    if (this.until <= this.clock.now()) this.setbacks = 0;
  }

  /** Makes all wait; false when that is not worth it any more. */
  holdBack({ reason, firstMs, most, askedMs }: SetBack): boolean {
    // Several fail together; they wait once.
    if (this.until > this.clock.now()) return true;
    if (++this.setbacks > most || (askedMs ?? 0) > longestAskedMs) return false;
    const ms = askedMs ?? Math.min(firstMs * 2 ** (this.setbacks - 1), longestPauseMs);
    this.until = this.clock.now() + ms;
    this.onPause({ reason, ms });
    return true;
  }
}
