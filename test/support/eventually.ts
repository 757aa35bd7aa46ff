// For what a page, an editor or a server does in its own time after it was asked to.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFailure } from '../host/failures.ts';

/** Reached only by a test that fails, so it is long enough for a slow and busy machine. */
const limitMs = 30_000;
const pauseMs = 20;

/** For each wait that is under way the place in the test, and what did not hold when it was looked at last. */
const waits = new Set<{ place: Error; last?: string }>();

// Without this, a test that mocha ends after its time says nothing of what it waits for.
onTestFailure(async () => [...waits].map(describeWait).join('\n'));

function describeWait({ place, last }: { place: Error; last?: string }): string {
  const [, ...frames] = (place.stack ?? '').split('\n');
  const [test = ''] = frames.filter((frame) => !frame.includes('eventually'));
  return `Still waiting${test.trimEnd().replace(/^ +at/, ' at')}\n  ${last ?? 'for the first look'}`;
}

/**
 * Repeats what asserts until it holds, and resolves with what it returned; rejects as it did the last time when
 * it does not hold in 30 s. It must change nothing: how often it runs is not known.
 */
export async function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + limitMs;
  const wait: { place: Error; last?: string } = { place: new Error('waiting') };
  Error.captureStackTrace(wait.place, eventually);
  waits.add(wait);
  try {
    for (;;) {
      try {
        return await assertion();
      } catch (error) {
        wait.last = String(error);
        if (Date.now() > deadline) throw waitedInVain(error);
      }
      await delay(pauseMs);
    }
  } finally {
    waits.delete(wait);
  }
}

function waitedInVain(error: unknown): unknown {
  if (error instanceof Error) error.message += `\n(after waiting for ${limitMs / 1000} s)`;
  return error;
}

/** Reads until the value is deeply equal to the expected one. */
export function eventuallyEqual<T>(
  read: () => T | Promise<T>,
  expected: NoInfer<T>,
  message?: string,
): Promise<void> {
  return eventually(async () => assert.deepEqual(await read(), expected, message));
}
