import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type AppParameters, shownFields } from '../../../apps/app.ts';
import { type FormAnswers, initialAnswers } from '../../../apps/appForm.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { BatchResults } from '../../../apps/batch/batchResults.ts';
import {
  type BatchRow,
  checkRow,
  mappingText,
  problemsText,
  type RowProblem,
} from '../../../apps/batch/planBatch.ts';
import { type BatchCounts, type BatchOutcome, rowsToRun, runBatch } from '../../../apps/batch/runBatch.ts';
import type { AppClient } from '../../../apps/client/appClient.ts';
import { causeText } from '../../../base/errors/errors.ts';
import { formatNumber, plural } from '../../../base/text/format.ts';
import { formatDuration } from '../../../base/text/formatTime.ts';
import { oneLine } from '../../../base/text/oneLine.ts';
import { createLocalFiles } from '../../../knowledge/files/workspaceLocalFiles.ts';
import { tellError } from '../../ui/tellError.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { type BatchSource, chooseSource, readSource } from './batchSource.ts';
import { readForm } from './runApp.ts';
import { askModal } from '../../ui/modals.ts';

export type BatchResult =
  | ({ type: 'ran'; results: string } & BatchCounts)
  | { type: 'invalid'; problems: readonly RowProblem[] };

/** Runs a workflow for each row of a table or each file. Undefined when dismissed before the first run. */
export async function runOverRows(
  context: AppCommandContext,
  app: AppRecord,
  chosen: readonly vscode.Uri[],
): Promise<BatchResult | undefined> {
  const uris = chosen.length > 0 ? chosen : await chooseSource();
  if (!uris) return undefined;
  const [first] = uris;
  if (!first || uris.some(({ scheme }) => scheme !== 'file')) {
    void context.notifications.warning(
      l10n.t('Batch runs need local files: results are saved next to them.'),
    );
    return undefined;
  }
  const client = await context.apps.client(app.id);
  const parameters = await readForm(context.notifications, client, app);
  const { dependencies } = await context.tools();
  const source = await readSource(context.notifications, dependencies, app, parameters.form, uris);
  if (!source) return undefined;
  const common = await askCommon(context, app, parameters, source);
  if (!common) return undefined;
  const { rows, problems } = await planned(source, parameters, common);
  if (problems.length > 0) {
    await context.documents.show(source.name, problemsText(source.name, problems));
    return { type: 'invalid', problems };
  }
  if (rows.length === 0) {
    void context.notifications.warning(l10n.t('"{0}" has no rows to run.', source.name));
    return undefined;
  }
  return askAndRun({ context, app, client, parameters, source, rows });
}

async function planned(
  source: BatchSource,
  { form, files: { maxBytes } }: AppParameters,
  common: FormAnswers,
): Promise<{ rows: BatchRow[]; problems: RowProblem[] }> {
  const { rows, problems } = await source.plan(common, maxBytes);
  const ofRows = problems ?? rows.flatMap((row) => checkRow(row, form, maxBytes));
  return { rows, problems: ofRows };
}

async function askCommon(
  { view, apps }: AppCommandContext,
  app: AppRecord,
  { form, files: { maxBytes } }: AppParameters,
  { filled }: BatchSource,
): Promise<FormAnswers | undefined> {
  const rest = shownFields(form).filter(({ variable }) => !filled.has(variable));
  if (rest.length === 0) return {};
  const asked = await view.askForm({
    title: app.name,
    note: l10n.t('These values are the same for every row.'),
    form: rest,
    answers: initialAnswers(rest, apps.lastAnswers(app.id)),
    maxBytes,
    actions: [{ id: 'continue', label: l10n.t('Continue') }],
  });
  return asked?.answers;
}

interface Batch {
  context: AppCommandContext;
  app: AppRecord;
  client: AppClient;
  parameters: AppParameters;
  source: BatchSource;
  rows: readonly BatchRow[];
}

async function askAndRun(batch: Batch): Promise<BatchResult | undefined> {
  const { context, app, client, source, rows } = batch;
  const { notifications } = context;
  const { table } = source;
  const { latest, free } = await resultPaths(source.resultsPath);
  const earlier = latest === undefined ? undefined : await BatchResults.read(latest, table);
  const left = earlier
    ? await withProgress(notifications, l10n.t('Checking earlier runs of {0}…', app.name), (signal) =>
        rowsToRun({ results: earlier, client, baseUrl: app.baseUrl }, rows, signal),
      )
    : undefined;
  const isWhole = left?.rows.length === rows.length;
  const paths = { free, latest: earlier && latest !== undefined ? latest : free };
  const toRun = await askHowMany(batch, paths, left);
  if (!toRun) return undefined;
  const isNew = !earlier || (toRun === rows && !isWhole);
  const path = isNew ? paths.free : paths.latest;
  const results = isNew ? await BatchResults.create(path, table) : earlier;
  const { dependencies } = await context.tools();
  const outcome = await withProgress(notifications, app.name, (signal, report) => {
    const total = toRun.length;
    let done = 0;
    report({ message: progressText({ succeeded: 0, failed: 0, running: 0, notRun: total }, total) });
    return runBatch(
      {
        client,
        kind: 'workflow',
        parameters: batch.parameters,
        rows: toRun,
        results,
        baseUrl: app.baseUrl,
        files: () => Promise.resolve(createLocalFiles(dependencies)),
        // Blocking requests are cut off by proxies after a time.
        stream: true,
      },
      signal,
      (counts) => {
        done++;
        report({ message: progressText(counts, total), increment: 100 / total });
      },
      {
        onPause(ms) {
          if (ms === undefined) return;
          report({
            message: l10n.t(
              '{0} of {1}, rate limit reached, continuing in {2}',
              ...[formatNumber(done), formatNumber(total), formatDuration(ms, 'about')],
            ),
          });
        },
      },
    );
  });
  await results.tidy();
  context.ran(app);
  const uri = vscode.Uri.file(path);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  tellOutcome(batch, outcome);
  const { error: _error, ...counts } = outcome;
  return { type: 'ran', results: path, ...counts };
}

async function askHowMany(
  { app, parameters, source, rows }: Batch,
  paths: { free: string; latest: string },
  left: { rows: readonly BatchRow[]; done: number; running: number } | undefined,
): Promise<readonly BatchRow[] | undefined> {
  const all = runsLabel(rows.length);
  const rest =
    left && left.rows.length > 0 && left.rows.length < rows.length
      ? l10n.t('Run the Remaining {0}', formatNumber(left.rows.length))
      : undefined;
  const detail = [
    l10n.t('Source: {0}', source.name),
    mappingText(parameters.form, source.table.columns, source.mapping),
    l10n.t('Results: {0}', rest || left?.rows.length === rows.length ? paths.latest : paths.free),
    left &&
      l10n.t(
        'Earlier batch: {0} done, {1} running, {2} to run.',
        formatNumber(left.done),
        formatNumber(left.running),
        formatNumber(left.rows.length),
      ),
  ];
  const text = plural(
    rows.length,
    l10n.t('Run "{0}" once?', oneLine(app.name, 60)),
    l10n.t('Run "{0}" up to {1} times?', oneLine(app.name, 60), formatNumber(rows.length)),
  );
  const answer = await askModal(
    { severity: 'warning', text, detail: detail.filter(Boolean).join('\n') },
    ...(rest ? [rest, all] : [all]),
  );
  if (answer === undefined) return undefined;
  return rest !== undefined && answer === rest ? left?.rows : rows;
}

function runsLabel(count: number): string {
  return plural(count, l10n.t('Run Once'), l10n.t('Run {0} Times', formatNumber(count)));
}

function progressText({ succeeded, failed, notRun }: BatchCounts, total: number): string {
  const done = l10n.t('{0} of {1} done', formatNumber(total - notRun), formatNumber(total));
  return failed > 0 && succeeded + failed > 0
    ? `${done}, ${l10n.t('{0} failed', formatNumber(failed))}`
    : done;
}

function tellOutcome(batch: Batch, { error, succeeded, failed, running, notRun }: BatchOutcome): void {
  const { app, context } = batch;
  const { notifications } = context;
  const parts = [
    l10n.t('{0} done', formatNumber(succeeded)),
    failed > 0 && l10n.t('{0} failed', formatNumber(failed)),
    running > 0 && l10n.t('{0} still running or waiting', formatNumber(running)),
    notRun > 0 && l10n.t('{0} not run', formatNumber(notRun)),
  ];
  const counts = `${app.name}: ${parts.filter(Boolean).join(', ')}.`;
  const why = error && [error.message, causeText(error)].filter(Boolean).join(' ');
  const isWhole = failed + notRun === 0;
  const again = l10n.t('Run the Rest…');
  void notifications
    .notify({
      severity: error ? 'error' : isWhole ? 'information' : 'warning',
      text: [counts, why].filter(Boolean).join(' '),
      actions: isWhole ? [] : [again],
    })
    .then((label) => (label === again ? askAndRun(batch) : undefined))
    .then(undefined, (thrown: unknown) => tellError(notifications, thrown));
}

/** Results are numbered and never overwritten. */
async function resultPaths(path: string): Promise<{ latest: string | undefined; free: string }> {
  let latest: string | undefined;
  for (let count = 1; ; count++) {
    const free = count === 1 ? path : path.replace(/\.csv$/, ` ${count}.csv`);
    const isThere = await vscode.workspace.fs.stat(vscode.Uri.file(free)).then(
      () => true,
      () => false,
    );
    if (!isThere) return { latest, free };
    latest = free;
  }
}
