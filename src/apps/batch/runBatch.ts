import { type ErrorCode, SwitchboardError } from '../../base/errors.ts';
import { toSwitchboardError } from '../../base/toSwitchboardError.ts';
import type { AppRun } from '../app.ts';
import { type RunOrder, type RunOutcome, performRun } from '../run/performRun.ts';
import { shownValue } from '../run/runOutput.ts';
import type { RunProgress } from '../run/runProgress.ts';
import type { BatchResults, RowResult } from './batchResults.ts';
import type { TableRow } from './csv.ts';
import type { BatchRow } from './planBatch.ts';

/** Runs at a time: platforms and plans bound how many of an app there may be. */
const concurrency = 3;

/** What is to be run, and where its results go. */
export interface BatchOrder extends Omit<RunOrder, 'answers' | 'onStarted'> {
  rows: readonly BatchRow[];
  results: BatchResults;
  /** The platform's, for addresses of files that are relative to it. */
  baseUrl: string;
}

/** A batch in numbers, as the command returns it. */
export interface BatchCounts {
  succeeded: number;
  failed: number;
  /** Begun by an earlier batch or waiting for human input: they go on, on the platform. */
  running: number;
  /** Not begun: the batch was stopped, or ended early. */
  notRun: number;
}

export interface BatchOutcome extends BatchCounts {
  /** What every further run would have failed with, too. */
  error?: SwitchboardError;
}

/** After these the other rows would fail alike. */
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

/**
 * Runs rows, some at a time, each with its line in the results as soon as something is known of it. `report` hears the counts
 * after each row. Aborting stops the runs that are on their way and begins no more. Never throws.
 */
export async function runBatch(
  order: BatchOrder,
  signal: AbortSignal,
  report: (counts: BatchCounts) => void,
): Promise<BatchOutcome> {
  const counts = { succeeded: 0, failed: 0, running: 0, notRun: order.rows.length };
  const ending = new AbortController();
  const stop = AbortSignal.any([signal, ending.signal]);
  const waiting = order.rows.values();
  let error: SwitchboardError | undefined;
  const work = async (): Promise<void> => {
    for (const row of waiting) {
      if (stop.aborted) return;
      counts.notRun--;
      try {
        const { result, failure } = await runRow(order, row, stop);
        await order.results.add(result);
        count(counts, result.status);
        if (failure && endsBatch.includes(failure.code)) throw failure;
      } catch (thrown) {
        // The first cause is the one to be told; that others were stopped for it is no news.
        error ??= toSwitchboardError(thrown);
        ending.abort();
      }
      report({ ...counts });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { ...counts, ...(error && { error }) };
}

/**
 * Asks the platform how the runs went that an earlier batch left running, and adds that to the results. Gives the rows that are
 * to be run: all but those that are done or go on.
 */
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

async function runRow(
  { rows: _rows, results, baseUrl, ...order }: BatchOrder,
  row: BatchRow,
  signal: AbortSignal,
): Promise<{ result: RowResult; failure?: SwitchboardError | undefined }> {
  let started: Promise<void> | undefined;
  const onStarted = (runId: string) => {
    started = results.add({ row, status: 'running', runId });
    // It is waited for below; until then nobody hears of it.
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

/** The only output as it is; several as JSON. */
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
