import {
  cancelled,
  causeText,
  type ErrorCode,
  isCancelled,
  splitFirstSentence,
} from '../base/errors/errors.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';

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

export interface Finding {
  verdict: 'ok' | 'warning' | 'skipped';
  text: string;
  advice?: string;
}

export interface StepResult extends Omit<Finding, 'verdict'> {
  name: StepName;
  verdict: Finding['verdict'] | 'failed';
  ms?: number;
  code?: ErrorCode;
  cause?: string;
}

/** A check. Throwing is a failure, and skips the following steps. */
export interface Step {
  name: StepName;
  isOptional?: boolean;
  run(signal: AbortSignal): Promise<Finding>;
}

export interface StepOptions {
  signal: AbortSignal;
  onStep(name: StepName): void;
  skipReason(failed: StepName): string;
  clock?: Clock;
}

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
