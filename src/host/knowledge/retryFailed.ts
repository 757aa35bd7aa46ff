import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Confirmed, UploadPlan, UploadReport } from '../../knowledge/knowledge.ts';
import { contextKeys } from '../ids.ts';
import { confirmPlan } from './preflightView.ts';
import { offerInterrupted } from './resumeRuns.ts';
import { runUpload, withChosenRule } from './runUpload.ts';
import { type ScreenContext, withProgress } from './screenContext.ts';

/** What failed was confirmed before; the person is asked where others have changed the platform since. */
async function confirmAgain(plan: UploadPlan): Promise<Confirmed | undefined> {
  if (!plan.documents.every(({ isSelected }) => isSelected)) return confirmPlan(plan);
  return {
    send: plan.documents.map(({ id }) => id),
    remove: plan.removals.map(({ documentId }) => documentId),
  };
}

/** Sends again what failed in this window; where nothing did, asks about uploads of earlier ones that were put off. */
export async function retryFailed(context: ScreenContext): Promise<UploadReport[]> {
  const plans = await withProgress(l10n.t('Checking failed uploads…'), (signal) =>
    context.knowledge.planRetry(signal),
  );
  if (plans.length === 0) {
    void vscode.commands.executeCommand('setContext', contextKeys.failedUploads, false);
    if ((await offerInterrupted(context, true)) === 0) {
      void vscode.window.showInformationMessage(l10n.t('Nothing failed in this window.'));
    }
    return [];
  }
  const reports: UploadReport[] = [];
  for (const plan of plans) {
    const confirmed = await confirmAgain(plan);
    if (confirmed) reports.push(await runUpload(context, withChosenRule(context, plan), confirmed));
  }
  return reports;
}
