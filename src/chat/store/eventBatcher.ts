import type { Disposable } from '../../base/disposable.ts';

interface Delta {
  type: string;
  id: string;
  text: string;
}

/** Joins text deltas of up to `delayMs`. Other events pass at once, after the deltas before them. */
export class EventBatcher<E extends { type: string }> implements Disposable {
  private held: (E & Delta) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly delayMs: number,
    private readonly forward: (event: E) => void,
  ) {}

  push(event: E): void {
    if (!isDelta(event)) {
      this.flush();
      this.forward(event);
      return;
    }
    if (this.held && (this.held.type !== event.type || this.held.id !== event.id)) this.flush();
    this.held = this.held ? { ...this.held, text: this.held.text + event.text } : event;
    this.timer ??= setTimeout(() => this.flush(), this.delayMs);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const held = this.held;
    this.held = undefined;
    if (held) this.forward(held);
  }

  dispose(): void {
    this.flush();
  }
}

function isDelta<E extends { type: string }>(event: E): event is E & Delta {
  return event.type === 'textAdded' || event.type === 'reasoningAdded';
}
