import type { LiveRun } from './liveRun.ts';

/** Keeps an answer from going on, without any clock. */
export interface RunHold {
  /** Resolves with the task's id when the answer has come so far. */
  readonly reached: Promise<string>;
  /** Lets it go on. */
  release(): void;
}

/** The hold that an answer comes to. */
export interface HeldRun {
  readonly afterEvents: number;
  /** Resolves when it may go on, or was stopped. */
  wait(live: LiveRun): Promise<void>;
}

/** The holds that wait for the next answers of apps. */
export class RunHolds {
  readonly #holds = new Map<string, HeldRun[]>();

  /** Holds the next answer of the app after so many events; 0 is before the first. */
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

  /** The oldest hold for the app, which is then used up. */
  take(appKey: string): HeldRun | undefined {
    return this.#holds.get(appKey)?.shift();
  }
}
