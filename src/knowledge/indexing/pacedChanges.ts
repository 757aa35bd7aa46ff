import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';

const paceMs = 100;

/** Fires the first change at once, and further ones about ten times a second, per knowledge base. */
export class PacedChanges implements Disposable {
  private readonly emitter = new Emitter<{ datasetId?: string }>();
  readonly event = this.emitter.event;
  private readonly waiting = new Map<string | undefined, { timer: Disposable; isDirty: boolean }>();
  private isDisposed = false;

  constructor(private readonly clock: Clock) {}

  tell(datasetId: string | undefined): void {
    if (this.isDisposed) return;
    const waiting = this.waiting.get(datasetId);
    if (waiting) waiting.isDirty = true;
    else this.fire(datasetId);
  }

  dispose(): void {
    this.isDisposed = true;
    for (const { timer } of this.waiting.values()) timer.dispose();
    this.waiting.clear();
  }

  private fire(datasetId: string | undefined): void {
    const timer = this.clock.after(paceMs, () => {
      const isDirty = this.waiting.get(datasetId)?.isDirty;
      this.waiting.delete(datasetId);
      if (isDirty) this.fire(datasetId);
    });
    this.waiting.set(datasetId, { timer, isDirty: false });
    this.emitter.fire(datasetId === undefined ? {} : { datasetId });
  }
}
