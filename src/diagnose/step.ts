import { cancelled } from '../base/cancelled.ts';
import { causeText } from '../base/causeText.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { type ErrorCode, isCancelled } from '../base/errors.ts';
import { splitFirstSentence } from '../base/sentences.ts';
import { toSwitchboardError } from '../base/toSwitchboardError.ts';

/** What is looked at, in the order of a request's way. */
export type StepName =
  | 'address'
  | 'name'
  | 'tcp'
  | 'proxy'
  | 'tls'
  | 'key'
  | 'models'
  | 'token'
  | 'toolCall'
  | 'embeddings'
  | 'queue';

/** What was found where nothing failed. */
export interface Finding {
  verdict: 'ok' | 'warning' | 'skipped';
  text: string;
  /** What to do about it. */
  advice?: string;
}

/** One line of a diagnosis. */
export interface StepResult extends Omit<Finding, 'verdict'> {
  name: StepName;
  verdict: Finding['verdict'] | 'failed';
  /** Milliseconds; undefined for what was skipped. */
  ms?: number;
  /** Of a failure. */
  code?: ErrorCode;
  /** What the server or the system said of a failure. */
  cause?: string;
}

/** One thing to look at. What it throws is a failure, and then what is after it is skipped. */
export interface Step {
  name: StepName;
  /** Failing, it keeps nothing after it from being looked at. */
  isOptional?: boolean;
  run(signal: AbortSignal): Promise<Finding>;
}

export interface StepOptions {
  signal: AbortSignal;
  onStep(name: StepName): void;
  /** Why what is after a failed step is skipped. */
  skipReason(failed: StepName): string;
  clock?: Clock;
}

/** Looks at one thing after the other. Throws only a cancellation. */
export async function runSteps(
  steps: readonly Step[],
  { signal, onStep, skipReason, clock = systemClock }: StepOptions,
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  let failed: StepName | undefined;
  for (const { name, isOptional, run } of steps) {
    if (failed) {
      results.push({ name, verdict: 'skipped', text: skipReason(failed) });
      continue;
    }
    onStep(name);
    const began = clock.now();
    try {
      if (signal.aborted) throw cancelled();
      const finding = await run(signal);
      results.push({
        name,
        ...finding,
        ...(finding.verdict !== 'skipped' && { ms: clock.now() - began }),
      });
    } catch (thrown) {
      if (signal.aborted || isCancelled(thrown)) throw cancelled();
      results.push({ ...failureOf(name, thrown), ms: clock.now() - began });
      if (!isOptional) failed = name;
    }
  }
  return results;
}

function failureOf(name: StepName, thrown: unknown): StepResult {
  const error = toSwitchboardError(thrown);
  const { first, rest } = splitFirstSentence(error.message);
  const cause = causeText(error);
  return {
    ...{ name, verdict: 'failed', text: first, code: error.code },
    ...(rest && { advice: rest }),
    ...(cause && { cause }),
  };
}
