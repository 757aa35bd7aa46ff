// A test that takes a user's way through one window, step by step.
import { onTestFailure } from '../host/failures.ts';

/** Ends a walk that never gives way; each step has the limits of what it waits for. */
const limitMs = 10 * 60_000;

/**
 * Declares a test of several steps, which go on from each other: when one fails or hangs, the walk ends, and the
 * failure names the step.
 * @returns what adds a step
 */
export function walk(title: string): (name: string, act: () => Promise<void>) => void {
  const steps: { name: string; act: () => Promise<void> }[] = [];
  it(title, async () => {
    let current = '';
    const forget = onTestFailure((failed) =>
      Promise.resolve(failed.endsWith(title) ? `In the step "${current}".` : ''),
    );
    for (const { name, act } of steps) {
      current = name;
      await act();
    }
    forget();
  }).timeout(limitMs);
  return (name, act) => steps.push({ name, act });
}
