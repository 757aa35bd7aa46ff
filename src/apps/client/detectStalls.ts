import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** Nothing came for a while. */
export const stalled = Symbol('stalled');

/**
 * What the source gives, and `stalled` whenever nothing of it came for `waitMs()` milliseconds, again and again. Leaving
 * does not wait for a source that waits itself: a reader that leaves closes what it reads from.
 */
export async function* detectStalls<T>(
  source: AsyncIterable<T>,
  waitMs: () => number,
  clock: Clock,
): AsyncGenerator<T | typeof stalled, void> {
  const iterator = source[Symbol.asyncIterator]();
  const read = () => {
    const next = iterator.next();
    // Its failure is handled where it is awaited, unless the reader has left by then.
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
