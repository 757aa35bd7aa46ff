import type { RecordedRequest } from '../http/recordedRequest.ts';
import { type RequestKind, uploadKinds } from './platformRoute.ts';

export class RequestTally {
  readonly #counts = new Map<RequestKind, number>();
  #uploads = 0;
  #mostUploads = 0;

  arrived(kind: RequestKind, { ended }: RecordedRequest): void {
    this.#counts.set(kind, this.count(kind) + 1);
    if (!uploadKinds.includes(kind)) return;
    this.#uploads += 1;
    this.#mostUploads = Math.max(this.#mostUploads, this.#uploads);
    void ended.then(() => {
      this.#uploads -= 1;
    });
  }

  count(kind: RequestKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  get mostUploads(): number {
    return this.#mostUploads;
  }

  /** Resets the counts; uploads in progress stay counted. */
  clear(): void {
    this.#counts.clear();
    this.#mostUploads = this.#uploads;
  }
}
