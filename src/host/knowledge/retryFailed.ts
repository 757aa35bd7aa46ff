import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors.ts';
import type { UploadPlan } from '../../knowledge/uploadPipeline.ts';
import type { UploadReport } from '../../knowledge/uploadResults.ts';
import type { Confirmed } from '../../knowledge/uploads.ts';
import { isNotFound } from '../../platform/platformErrors.ts';
import { contextKeys } from '../ids.ts';
import { showInformation } from '../notifications.ts';
import { tellError } from '../tellError.ts';
import { withProgress } from '../withProgress.ts';
import type { CommandDependencies } from './commandDependencies.ts';
import { confirmPlan } from './preflightView.ts';
import { offerInterrupted } from './resumeRuns.ts';
import { runUpload, withChosenRule } from './runUpload.ts';

/** What failed was confirmed before; the user is asked where others have changed the platform since. */
async function confirmAgain(plan: UploadPlan): Promise<Confirmed | undefined> {
  if (!plan.documents.every(({ isSelected }) => isSelected)) return confirmPlan(plan);
  return {
    send: plan.documents.map(({ id }) => id),
    remove: plan.removals.map(({ documentId }) => documentId),
  };
}

/**
 * Sends again what failed in this window, in all knowledge bases at the same time; one that cannot be asked is told of
 * and keeps no other. Where nothing failed, asks about uploads of earlier windows that were put off.
 */
export async function retryFailed(context: CommandDependencies): Promise<UploadReport[]> {
  const { plans, problems } = await withProgress(l10n.t('Checking failed uploads…'), (signal) =>
    context.knowledge.uploads.planRetry(signal),
  );
  for (const { datasetName, error } of problems) tellProblem(context, datasetName, error);
  void vscode.commands.executeCommand(
    'setContext',
    contextKeys.failedUploads,
    context.knowledge.uploads.hasFailed,
  );
  if (plans.length === 0 && problems.length === 0 && (await offerInterrupted(context, true)) === 0) {
    void showInformation(l10n.t('Nothing failed in this window.'));
  }
  const runs: Promise<UploadReport>[] = [];
  for (const plan of plans) {
    const confirmed = await confirmAgain(plan);
    if (confirmed) runs.push(runUpload(context, withChosenRule(context, plan), confirmed));
  }
  return Promise.all(runs);
}

/** What is gone is told by itself; for the others it takes the name. */
function tellProblem({ log }: CommandDependencies, name: string, error: SwitchboardError): void {
  if (isNotFound(error)) return tellError(error, log);
  const { code, why, address, status } = error;
  const message = l10n.t("Couldn't retry the upload to {0}. {1}", name, error.message);
  tellError(
    new SwitchboardError(code, message, {
      ...(why !== undefined && { why }),
      ...(address !== undefined && { address }),
      ...(status !== undefined && { status }),
    }),
    log,
  );
}
