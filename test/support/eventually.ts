import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFailure } from '../host/failures.ts';

/** Only failing tests reach it, so it suits a slow and busy machine. */
const limitMs = 30_000;
const pauseMs = 20;

/** Open waits, each with its place in the test and its last failed assertion. */
const waits = new Set<{ place: Error; last?: string }>();

// Names the open wait of a test that mocha ends for its time.
onTestFailure(async () => [...waits].map(describeWait).join('\n'));

function describeWait({ place, last }: { place: Error; last?: string }): string {
  const [, ...frames] = (place.stack ?? '').split('\n');
  const [test = ''] = frames.filter((frame) => !frame.includes('eventually'));
  return `Still waiting${test.trimEnd().replace(/^ +at/, ' at')}\n  ${last ?? 'for the first look'}`;
}

/** Repeats an assertion until it holds, up to 30 s; it must change nothing, as it runs often. */
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

export function eventuallyEqual<T>(
  read: () => T | Promise<T>,
  expected: NoInfer<T>,
  message?: string,
): Promise<void> {
  return eventually(async () => assert.deepEqual(await read(), expected, message));
}
