import type { Clock } from '../../src/base/clock.ts';
import type { Disposable } from '../../src/base/disposable.ts';

/** Time that only passes when told to. */
export class ManualClock implements Clock {
  private time = 0;
  private timers: { at: number; call: () => void }[] = [];

  get pending(): number {
    return this.timers.length;
  }

  now(): number {
    return this.time;
  }

  after(ms: number, call: () => void): Disposable {
    const timer = { at: this.time + ms, call };
    this.timers.push(timer);
    return { dispose: () => this.remove(timer) };
  }

  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (!next) break;
      this.time = next.at;
      this.remove(next);
      next.call();
    }
    this.time = end;
  }

  private remove(timer: { at: number }): void {
    this.timers = this.timers.filter((other) => other !== timer);
  }
}
