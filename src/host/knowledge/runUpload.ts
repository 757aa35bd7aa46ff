import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatDuration, formatNumber } from '../../base/format.ts';
import { indexingSettings } from '../../knowledge/indexingSettings.ts';
import type { InterruptedRun } from '../../knowledge/interruptedRuns.ts';
import type { RunProgress, UploadPlan } from '../../knowledge/uploadPipeline.ts';
import type { UploadReport } from '../../knowledge/uploadResults.ts';
import type { Confirmed } from '../../knowledge/uploads.ts';
import { reportText, summariseReport } from '../../knowledge/view/reportText.ts';
import { contextKeys, knowledgeCommandId } from '../ids.ts';
import { notify } from '../notifications.ts';
import { withProgress } from '../withProgress.ts';
import type { CommandDependencies } from './commandDependencies.ts';

/** Withdraws the last report of a run that went well: it is no news when the next one comes. */
let goodReport: AbortController | undefined;

/** Does what was confirmed, with progress that can be cancelled, and tells how it went. */
export async function runUpload(
  context: CommandDependencies,
  plan: UploadPlan,
  confirmed: Confirmed,
): Promise<UploadReport> {
  const report = await withRunProgress(plan.dataset.name, (signal, onProgress) =>
    context.knowledge.uploads.run(plan, confirmed, signal, onProgress),
  );
  tellReport(context, report);
  return report;
}

/** A rule that was chosen when the knowledge base was created wins over the setting, if its form allows it. */
export function withChosenRule({ memory, access }: CommandDependencies, plan: UploadPlan): UploadPlan {
  const { dataset, settings } = plan;
  const processRule = memory.processRule(access.origin, dataset.id);
  return processRule ? { ...plan, settings: indexingSettings(dataset, { ...settings, processRule }) } : plan;
}

/** Finishes a run that was interrupted, and tells how it went. Throws when what had arrived cannot be found out. */
export async function resumeUpload(context: CommandDependencies, run: InterruptedRun): Promise<UploadReport> {
  const report = await withRunProgress(run.datasetName, (signal, onProgress) =>
    context.knowledge.uploads.resume(run, signal, onProgress),
  );
  tellReport(context, report);
  return report;
}

function withRunProgress(
  name: string,
  task: (signal: AbortSignal, onProgress: (progress: RunProgress) => void) => Promise<UploadReport>,
): Promise<UploadReport> {
  return withProgress(l10n.t('Uploading to {0}', name), (signal, report) => {
    let shown = 0;
    return task(signal, (progress) => {
      const { done, total } = progress;
      const message = describeProgress(progress);
      const increment = total > 0 ? ((done - shown) / total) * 100 : 0;
      shown = done;
      report({ message, increment });
    });
  });
}

function describeProgress({ current, pause, ...counts }: RunProgress): string {
  const done = formatNumber(counts.done);
  const total = formatNumber(counts.total);
  if (!pause) {
    return current ? l10n.t('{0} of {1}: {2}', done, total, current) : l10n.t('{0} of {1}', done, total);
  }
  const wait = formatDuration(pause.ms, 'about');
  switch (pause.reason) {
    case 'limit':
      return l10n.t('{0} of {1}, rate limit reached, continuing in {2}', done, total, wait);
    case 'offline':
      return l10n.t('{0} of {1}, platform not reachable, trying again in {2}', done, total, wait);
    case 'failing':
      return l10n.t('{0} of {1}, platform reports internal errors, trying again in {2}', done, total, wait);
  }
}

function tellReport(context: CommandDependencies, report: UploadReport): void {
  void vscode.commands.executeCommand(
    'setContext',
    contextKeys.failedUploads,
    context.knowledge.uploads.hasFailed,
  );
  const showDetails = l10n.t('Show Details');
  const retry = l10n.t('Retry Failed');
  const actions = report.failed.length > 0 ? [retry, showDetails] : [showDetails];
  const text = summariseReport(report);
  const severity = report.failed.length > 0 ? 'warning' : 'information';
  goodReport?.abort();
  goodReport = report.failed.length > 0 ? undefined : new AbortController();
  void notify({ severity, text, actions, signal: goodReport?.signal }).then((action) => {
    if (action === retry) void vscode.commands.executeCommand(knowledgeCommandId('retryFailedUploads'));
    if (action === showDetails) {
      void context.sources.showKept(
        { base: report.dataset.name, document: `${l10n.t('Upload')}.md` },
        reportText(report),
      );
    }
  });
}
