import { type Clock, systemClock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** After so many milliseconds it would look as if nothing came of a click: then all else is told, too. */
const longestMs = 200;

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
