import type { LiveRun } from './liveRun.ts';

/** Pauses an answer without a clock. */
export interface RunHold {
  /** Resolves with the task's id when the answer has reached this event. */
  readonly reached: Promise<string>;
  release(): void;
}

export interface HeldRun {
  readonly afterEvents: number;
  wait(live: LiveRun): Promise<void>;
}

export class RunHolds {
  readonly #holds = new Map<string, HeldRun[]>();

  /** Holds the app's next answer after this many events; 0 is before the first. */
  add(appKey: string, afterEvents: number): RunHold {
    let reach: (taskId: string) => void = () => {};
    let release: () => void = () => {};
    const reached = new Promise<string>((resolve) => (reach = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    const held: HeldRun = {
      afterEvents,
      wait(live) {
        reach(live.taskId);
        const stopped = new Promise<void>((resolve) => {
          live.stopped.addEventListener('abort', () => resolve(), { once: true });
        });
        return live.stopped.aborted ? Promise.resolve() : Promise.race([released, stopped]);
      },
    };
    this.#holds.set(appKey, [...(this.#holds.get(appKey) ?? []), held]);
    return { reached, release: () => release() };
  }

  take(appKey: string): HeldRun | undefined {
    return this.#holds.get(appKey)?.shift();
  }
}
