import { type Clock, systemClock } from '../clock.ts';
import type { Disposable } from '../disposable.ts';

/** Longest delay of other tasks, in ms; a longer one would feel like an ignored click. */
const longestMs = 200;

/** Work that the user waits for, such as writing a file. Tasks that can wait run after it, in order. */
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

  afterwards(task: () => void): void {
    if (this.limit) this.waiting.push(task);
    else task();
  }
}
