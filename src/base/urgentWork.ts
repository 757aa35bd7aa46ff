import { type Clock, systemClock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** What takes longer than the user takes for an instant holds up nothing else, in milliseconds. */
const longestMs = 100;

/**
 * Something that the user waits for, such as a file being written. What can be told a moment later, and would have the
 * editor draw instead, is told afterwards, in its order.
 */
export class UrgentWork {
  private limit: Disposable | undefined;
  private waiting: (() => void)[] = [];

  constructor(private readonly clock: Clock = systemClock) {}

  begin(): void {
    this.limit?.dispose();
    this.limit = this.clock.after(longestMs, () => this.end());
  }

  end(): void {
    this.limit?.dispose();
    this.limit = undefined;
    for (const task of this.waiting.splice(0)) task();
  }

  /** Does it at once where nothing is urgent. */
  afterwards(task: () => void): void {
    if (this.limit) this.waiting.push(task);
    else task();
  }
}
