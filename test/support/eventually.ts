// For what a page, an editor or a server does in its own time after it was asked to.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** Reached only by a test that fails, so it is long enough for a slow and busy machine. */
const limitMs = 30_000;
const pauseMs = 20;

/**
 * Repeats what asserts until it holds, and resolves with what it returned; rejects as it did the last time when
 * it does not hold in 30 s. It must change nothing: how often it runs is not known.
 */
export async function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await delay(pauseMs);
  }
}

/** Reads until the value is deeply equal to the expected one. */
export function eventuallyEqual<T>(
  read: () => T | Promise<T>,
  expected: NoInfer<T>,
  message?: string,
): Promise<void> {
  return eventually(async () => assert.deepEqual(await read(), expected, message));
}
