import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withSlashes } from '../../base/files/safeFileName.ts';
import { formatNumber } from '../../base/text/format.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { indexingSettings } from '../../knowledge/indexing/indexingSettings.ts';
import type { InterruptedRun } from '../../knowledge/upload/interruptedRuns.ts';
import type { RunProgress } from '../../knowledge/upload/uploadPipeline.ts';
import type { UploadPlan } from '../../knowledge/upload/uploadPlan.ts';
import type { UploadReport } from '../../knowledge/upload/uploadResults.ts';
import type { Confirmed } from '../../knowledge/upload/uploads.ts';
import { reportText, summariseReport } from '../../knowledge/view/reportText.ts';
import { contextKey, commandId } from '../ids.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import type { Notifications } from '../ui/notifications.ts';

export async function runUpload(
  context: KnowledgeCommandContext,
  plan: UploadPlan,
  confirmed: Confirmed,
): Promise<UploadReport> {
  const report = await withRunProgress(context.notifications, plan.dataset.name, (signal, onProgress) =>
    context.knowledge.uploads.run(plan, confirmed, signal, onProgress),
  );
  tellReport(context, report);
  return report;
}

/** The rule selected at creation wins over the setting if its form allows it. */
export function withChosenRule({ memory, access }: KnowledgeCommandContext, plan: UploadPlan): UploadPlan {
  const { dataset, settings } = plan;
  const processRule = memory.processRule(access.origin, dataset.id);
  return processRule ? { ...plan, settings: indexingSettings(dataset, { ...settings, processRule }) } : plan;
}

/** Finishes an interrupted run and reports the result. Throws if its state on the platform can't be determined. */
export async function resumeUpload(
  context: KnowledgeCommandContext,
  run: InterruptedRun,
): Promise<UploadReport> {
  const report = await withRunProgress(context.notifications, run.datasetName, (signal, onProgress) =>
    context.knowledge.uploads.resume(run, signal, onProgress),
  );
  tellReport(context, report);
  return report;
}

function withRunProgress(
  notifications: Notifications,
  name: string,
  task: (signal: AbortSignal, onProgress: (progress: RunProgress) => void) => Promise<UploadReport>,
): Promise<UploadReport> {
  return withProgress(notifications, l10n.t('Uploading to {0}', name), (signal, report) => {
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
    return current
      ? l10n.t('{0} of {1}: {2}', done, total, withSlashes(current))
      : l10n.t('{0} of {1}', done, total);
  }
  const wait = formatDuration(pause.ms, 'about');
  switch (pause.reason) {
    case 'limit':
      return l10n.t('{0} of {1}, rate limit reached, continuing in {2}', done, total, wait);
    case 'offline':
      return l10n.t('{0} of {1}, platform not reachable, retrying in {2}', done, total, wait);
    case 'failing':
      return l10n.t('{0} of {1}, platform reports internal errors, retrying in {2}', done, total, wait);
  }
}

function tellReport(context: KnowledgeCommandContext, report: UploadReport): void {
  void vscode.commands.executeCommand(
    'setContext',
    contextKey('failedUploads'),
    context.knowledge.uploads.hasFailed,
  );
  const showDetails = l10n.t('Show Details');
  const retry = l10n.t('Retry Failed');
  const actions = report.failed.length > 0 ? [retry, showDetails] : [showDetails];
  const text = summariseReport(report);
  const severity = report.failed.length > 0 ? 'warning' : 'information';
  const { goodReport } = context;
  goodReport.shown?.abort();
  goodReport.shown = report.failed.length > 0 ? undefined : new AbortController();
  void context.notifications
    .notify({ severity, text, actions, signal: goodReport.shown?.signal })
    .then((action) => {
      if (action === retry) void vscode.commands.executeCommand(commandId('retryFailedUploads'));
      if (action === showDetails) {
        void context.sources.showKept(
          { base: report.dataset.name, document: `${l10n.t('Upload')}.md` },
          reportText(report),
        );
      }
    });
}
