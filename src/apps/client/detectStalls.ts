import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

export const stalled = Symbol('stalled');

/** Yields `stalled` after every `waitMs()` without an item. Returning does not wait for the source. */
export async function* detectStalls<T>(
  source: AsyncIterable<T>,
  waitMs: () => number,
  clock: Clock,
): AsyncGenerator<T | typeof stalled, void> {
  const iterator = source[Symbol.asyncIterator]();
  const read = () => {
    const next = iterator.next();
    // Failures are handled where `next` is awaited, unless the reader left first.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = read(); ;) {
      let timer: Disposable | undefined;
      const waited = new Promise<typeof stalled>((resolve) => {
        timer = clock.after(waitMs(), () => resolve(stalled));
      });
      const outcome = await Promise.race([next, waited]).finally(() => timer?.dispose());
      if (outcome === stalled) {
        yield stalled;
        continue;
      }
      if (outcome.done) return;
      yield outcome.value;
      next = read();
    }
  } finally {
    void iterator.return?.().then(undefined, () => undefined);
  }
}
