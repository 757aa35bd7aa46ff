import { onTestFailure } from '../host/failures.ts';

/** Ends a walk that hangs; each step has its own time limits. */
const limitMs = 10 * 60_000;

/** Declares a test of consecutive steps; a failure names its step. @returns a function that adds a step */
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
