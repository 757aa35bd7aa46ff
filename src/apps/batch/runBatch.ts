import { Backoff } from '../../base/async/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type ErrorCode, isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import { limitPause } from '../../platform/platformErrors.ts';
import type { AppRun } from '../app.ts';
import { type RunOrder, type RunOutcome, performRun } from '../run/performRun.ts';
import { shownValue } from '../run/runOutput.ts';
import type { RunProgress } from '../run/runProgress.ts';
import type { BatchResults, RowResult } from './batchResults.ts';
import type { TableRow } from './csv.ts';
import type { BatchRow } from './planBatch.ts';

/** Concurrent runs: platforms limit them per app. */
const concurrency = 3;

export interface BatchOrder extends Omit<RunOrder, 'answers' | 'onStarted'> {
  rows: readonly BatchRow[];
  results: BatchResults;
  baseUrl: string;
}

export interface BatchCounts {
  succeeded: number;
  failed: number;
  running: number;
  notRun: number;
}

export interface BatchOutcome extends BatchCounts {
  error?: SwitchboardError;
}

/** Errors that end the batch because other rows would fail alike. */
const endsBatch: readonly ErrorCode[] = [
  'wrong-address',
  'key',
  'balance',
  'not-permitted',
  'network-not-allowed',
  'rate-limit',
  'app-unavailable',
  'timeout-connect',
  'tls',
  'proxy',
  'offline',
  'storage',
];

export interface BatchPacing {
  clock?: Clock;
  /** Told the length of each wait for a rate limit in milliseconds, and undefined when it is over. */
  onPause?(ms: number | undefined): void;
}

/** Records each row as soon as something is known. `report` gets the counts after each row. Never throws. */
export async function runBatch(
  order: BatchOrder,
  signal: AbortSignal,
  report: (counts: BatchCounts) => void,
  { clock = systemClock, onPause = () => {} }: BatchPacing = {},
): Promise<BatchOutcome> {
  const counts = { succeeded: 0, failed: 0, running: 0, notRun: order.rows.length };
  const ending = new AbortController();
  const stop = AbortSignal.any([signal, ending.signal]);
  const waiting = order.rows.values();
  let error: SwitchboardError | undefined;
  const backoff = new Backoff({
    clock,
    pauseAfter: (failure) => (failure.code === 'rate-limit' ? limitPause(failure) : undefined),
    onPause: (pause) => onPause(pause?.ms),
  });
  const work = async (): Promise<void> => {
    for (const row of waiting) {
      if (stop.aborted) return;
      counts.notRun--;
      try {
        const { result, failure } = await runWaitingOut(backoff, order, row, stop);
        await order.results.add(result);
        count(counts, result.status);
        if (failure && endsBatch.includes(failure.code)) throw failure;
      } catch (thrown) {
        if (isCancelled(thrown)) {
          counts.notRun++;
          return;
        }
        // Only the first cause counts; other rows were stopped because of it.
        error ??= toSwitchboardError(thrown);
        ending.abort();
      }
      report({ ...counts });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { ...counts, ...(error && { error }) };
}

/** Looks up runs that an earlier batch left running, and adds their results. Returns the rows still to be run. */
export async function rowsToRun(
  { results, client, baseUrl }: Pick<BatchOrder, 'results' | 'client' | 'baseUrl'>,
  rows: readonly BatchRow[],
  signal: AbortSignal,
): Promise<{ rows: BatchRow[]; done: number; running: number }> {
  const left: BatchRow[] = [];
  let done = 0;
  let running = 0;
  for (const row of rows) {
    const known = results.of(row);
    const runId = known?.runId;
    let status = known?.status;
    if ((status === 'running' || status === 'paused') && runId !== undefined) {
      const run = await client.workflowRun(runId, signal).catch((error: unknown) => {
        if (error instanceof SwitchboardError && error.status === 404) return undefined;
        throw error;
      });
      ({ status } = run ?? { status: 'unknown' });
      if (run && status !== known?.status) await results.add(toResult(row, { run, runId }, baseUrl));
    }
    if (isDone(status)) done++;
    else if (status === 'running' || status === 'paused') running++;
    else left.push(row);
  }
  return { rows: left, done, running };
}

async function runWaitingOut(
  backoff: Backoff<'limit'>,
  order: BatchOrder,
  row: BatchRow,
  signal: AbortSignal,
): Promise<RowOutcome> {
  for (;;) {
    await backoff.wait(signal);
    const outcome = await runRow(order, row, signal);
    const { failure, result } = outcome;
    if (!failure) backoff.onSuccess();
    if (!failure || result.runId !== undefined || !backoff.backOff(failure)) return outcome;
  }
}

interface RowOutcome {
  result: RowResult;
  failure?: SwitchboardError | undefined;
}

async function runRow(
  { rows: _rows, results, baseUrl, ...order }: BatchOrder,
  row: BatchRow,
  signal: AbortSignal,
): Promise<RowOutcome> {
  let started: Promise<void> | undefined;
  const onStarted = (runId: string) => {
    started = results.add({ row, status: 'running', runId });
    // Awaited below; a failure until then must not be unhandled.
    started.catch(() => undefined);
  };
  const outcome = await performRun({ ...order, answers: row.answers, onStarted }, signal, () => {});
  await started;
  return { result: outcomeOf(row, outcome, baseUrl), failure: outcome.error };
}

function outcomeOf(row: TableRow, { progress, error }: RunOutcome, baseUrl: string): RowResult {
  const result = toResult(row, progress, baseUrl);
  if (!error) return result;
  const isStopped = error.code === 'cancelled';
  const why = [error.message, error.why].filter(Boolean).join(' ');
  return { ...result, status: isStopped ? 'stopped' : 'failed', ...(!isStopped && { error: why }) };
}

function toResult(
  row: TableRow,
  { run, runId, text, waitsFor, usage }: Partial<RunProgress>,
  baseUrl: string,
): RowResult {
  return {
    row,
    status: run?.status ?? (waitsFor ? 'paused' : 'succeeded'),
    output: outputText(run?.outputs ?? {}, baseUrl) || (text ?? ''),
    ...(run?.error && { error: run.error }),
    ...(runId !== undefined && { runId }),
    ...(run?.elapsedMs !== undefined && { elapsedMs: run.elapsedMs }),
    tokens: run?.tokens ?? usage?.totalTokens,
  };
}

function outputText(outputs: AppRun['outputs'], baseUrl: string): string {
  const values = Object.values(outputs);
  if (values.length === 0) return '';
  const [only] = values;
  return values.length === 1 && typeof only === 'string'
    ? only
    : JSON.stringify(values.length === 1 ? only : outputs, (_key, part: unknown) =>
        shownValue(part, baseUrl),
      );
}

function isDone(status: string | undefined): boolean {
  return status === 'succeeded' || status === 'partly-succeeded';
}

function count(counts: BatchCounts, status: RowResult['status']): void {
  if (isDone(status)) counts.succeeded++;
  else if (status === 'running' || status === 'paused') counts.running++;
  else counts.failed++;
}
