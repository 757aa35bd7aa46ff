import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber } from '../../base/format.ts';
import type { InterruptedRun } from '../../knowledge/knowledge.ts';
import { contextKeys } from '../ids.ts';
import { resumeUpload } from './runUpload.ts';
import { type ScreenContext, tellError } from './screenContext.ts';

/** Runs that were asked about in this window; those put off wait for another one, or for the command. */
const asked = new Set<string>();

/**
 * Asks about each upload that a closed window or a killed process left unfinished. Returns how many it asked about.
 * @param isAgain also about those that were put off
 */
export async function offerInterrupted(context: ScreenContext, isAgain = false): Promise<number> {
  const runs = (await context.knowledge.interrupted()).filter(({ id }) => isAgain || !asked.has(id));
  for (const run of runs) {
    asked.add(run.id);
    await offer(context, run);
  }
  return runs.length;
}

async function offer(context: ScreenContext, run: InterruptedRun): Promise<void> {
  const resume = l10n.t('Resume');
  const discard = l10n.t('Discard');
  const answer = await vscode.window.showWarningMessage(
    l10n.t(
      'An upload to {0} was interrupted. Remaining documents: {1} of {2}.',
      run.datasetName,
      formatNumber(run.left),
      formatNumber(run.sent + run.left),
    ),
    resume,
    discard,
    l10n.t('Later'),
  );
  try {
    if (answer === resume) await resumeUpload(context, run);
    else if (answer === discard) await context.knowledge.discard(run);
    else void vscode.commands.executeCommand('setContext', contextKeys.failedUploads, true);
  } catch (error) {
    // It is still there: it may be asked about again.
    asked.delete(run.id);
    tellError(error, context.log);
  }
}
