import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors/errors.ts';
import type { UploadPlan } from '../../knowledge/upload/uploadPlan.ts';
import type { UploadReport } from '../../knowledge/upload/uploadResults.ts';
import type { Confirmed } from '../../knowledge/upload/uploads.ts';
import { isNotFound } from '../../platform/platformErrors.ts';
import { contextKey } from '../ids.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import { confirmPlan } from './confirmUpload.ts';
import { offerInterrupted } from './resumeRuns.ts';
import { runUpload, withChosenRule } from './runUpload.ts';

/** Failed items were confirmed before; asks only if the platform has changed since. */
async function confirmAgain(plan: UploadPlan): Promise<Confirmed | undefined> {
  if (!plan.documents.every(({ isSelected }) => isSelected)) return confirmPlan(plan);
  return {
    send: plan.documents.map(({ id }) => id),
    remove: plan.removals.map(({ documentId }) => documentId),
  };
}

export async function retryFailed(context: KnowledgeCommandContext): Promise<UploadReport[]> {
  const { plans, problems } = await withProgress(
    context.notifications,
    l10n.t('Checking failed uploads…'),
    (signal) => context.knowledge.uploads.planRetry(signal),
  );
  for (const { datasetName, error } of problems) tellProblem(context, datasetName, error);
  void vscode.commands.executeCommand(
    'setContext',
    contextKey('failedUploads'),
    context.knowledge.uploads.hasFailed,
  );
  if (plans.length === 0 && problems.length === 0 && (await offerInterrupted(context, true)) === 0) {
    void context.notifications.information(l10n.t('No failed uploads in this window.'));
  }
  const runs: Promise<UploadReport>[] = [];
  for (const plan of plans) {
    const confirmed = await confirmAgain(plan);
    if (confirmed) runs.push(runUpload(context, withChosenRule(context, plan), confirmed));
  }
  return Promise.all(runs);
}

/** A not-found error names the knowledge base itself. */
function tellProblem(
  { notifications }: KnowledgeCommandContext,
  name: string,
  error: SwitchboardError,
): void {
  if (isNotFound(error)) return tellError(notifications, error);
  const { code, why, address, status } = error;
  const message = l10n.t("Couldn't retry the upload to {0}. {1}", name, error.message);
  tellError(
    notifications,
    new SwitchboardError(code, message, {
      ...(why !== undefined && { why }),
      ...(address !== undefined && { address }),
      ...(status !== undefined && { status }),
    }),
  );
}
