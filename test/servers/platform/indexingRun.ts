/** The pace of indexing: at once, a step with each request of a client, or by the clock. */
export type IndexingPace = 'instant' | { polls: number } | { stepMs: number };

export type IndexingOutcome = 'completed' | 'error' | 'paused' | 'stuck';

/** The indexing of one content of a document; its progress is computed when it is read. */
export interface IndexingRun {
  readonly pace: IndexingPace;
  readonly outcome: IndexingOutcome;
  /** Set for the outcome `error`. */
  readonly error: string | null;
  readonly startedAt: number;
  looks: number;
}

export type IndexingStatus =
  | 'waiting'
  | 'parsing'
  | 'cleaning'
  | 'splitting'
  | 'indexing'
  | 'completed'
  | 'error'
  | 'paused';

const steps: readonly IndexingStatus[] = ['waiting', 'parsing', 'cleaning', 'splitting', 'indexing'];

/** Number of steps done, with the part of the current one. */
export function stepsDone(run: IndexingRun, now: number): number {
  if (run.outcome === 'stuck') return 0;
  const { pace } = run;
  if (pace === 'instant') return steps.length;
  const done =
    'polls' in pace
      ? (run.looks / Math.max(1, pace.polls)) * steps.length
      : (now - run.startedAt) / Math.max(1, pace.stepMs);
  return Math.min(done, steps.length);
}

export function indexingStatus(run: IndexingRun, now: number): IndexingStatus {
  const done = stepsDone(run, now);
  // Errors occur while the segments are being indexed.
  if ((run.outcome === 'error' || run.outcome === 'paused') && done >= steps.length - 1) return run.outcome;
  return steps[Math.floor(done)] ?? 'completed';
}

export function indexedSegments(run: IndexingRun, total: number, now: number): number {
  const done = stepsDone(run, now) - (steps.length - 1);
  return Math.floor(total * Math.min(1, Math.max(0, done + (done > 0 && done < 1 ? 0.25 : 0))));
}
