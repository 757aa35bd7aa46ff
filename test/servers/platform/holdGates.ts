import { type RequestKind, uploadKinds } from './platformRoute.ts';
import { fits, type Subject, type SubjectFilter } from './subject.ts';

export interface HoldOptions extends SubjectFilter {
  /** `before` anything is done (default), or `after` all is stored and only the answer is missing. */
  when?: 'before' | 'after';
}

export interface HoldGate {
  readonly held: number;
  /** Resolves when it holds at least this many. */
  waitFor(count: number): Promise<void>;
  release(count?: number): void;
  /** Releases all, and lets later ones pass. */
  open(): void;
}

/** The gates of a server; new ones may be added while it runs. */
export class HoldGates {
  readonly #gates = new Set<Gate>();

  add(options: HoldOptions): HoldGate {
    const gate = new Gate(options);
    this.#gates.add(gate);
    return gate;
  }

  async pass(when: 'before' | 'after', subject: Subject, signal: AbortSignal): Promise<void> {
    for (const gate of this.#gates) {
      if (gate.holds(when, subject)) await gate.enter(signal);
    }
  }
}

const heldByDefault: readonly RequestKind[] = uploadKinds;

class Gate implements HoldGate {
  readonly #options: HoldOptions;
  readonly #waiting: (() => void)[] = [];
  readonly #watchers: { count: number; resolve: () => void }[] = [];
  #isOpen = false;

  constructor(options: HoldOptions) {
    this.#options = options;
  }

  get held(): number {
    return this.#waiting.length;
  }

  holds(when: 'before' | 'after', subject: Subject): boolean {
    return (
      !this.#isOpen &&
      (this.#options.when ?? 'before') === when &&
      fits(this.#options, subject, heldByDefault)
    );
  }

  enter(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const leave = (): void => {
        signal.removeEventListener('abort', leave);
        const place = this.#waiting.indexOf(leave);
        if (place !== -1) this.#waiting.splice(place, 1);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) return leave();
      this.#waiting.push(leave);
      for (const watcher of this.#watchers) {
        if (this.held >= watcher.count) watcher.resolve();
      }
    });
  }

  waitFor(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.held >= count) resolve();
      else this.#watchers.push({ count, resolve });
    });
  }

  release(count = 1): void {
    for (const leave of this.#waiting.slice(0, count)) leave();
  }

  open(): void {
    this.#isOpen = true;
    this.release(this.held);
  }
}
