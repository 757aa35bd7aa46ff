import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { InterruptedRun } from '../../knowledge/knowledge.ts';
import { resumeUpload } from './runUpload.ts';
import { type ScreenContext, tellError } from './screenContext.ts';

/** Runs that were asked about in this window; "Later" is for another one. */
const asked = new Set<string>();

/** Asks about each upload that a closed window or a killed process left unfinished. */
export async function offerInterrupted(context: ScreenContext): Promise<void> {
  for (const run of await context.knowledge.interrupted()) {
    if (asked.has(run.id)) continue;
    asked.add(run.id);
    await offer(context, run);
  }
}

async function offer(context: ScreenContext, run: InterruptedRun): Promise<void> {
  const resume = l10n.t('Resume');
  const discard = l10n.t('Discard');
  const answer = await vscode.window.showWarningMessage(
    l10n.t(
      'An upload to {0} was interrupted: {1} of {2} documents are left.',
      run.datasetName,
      run.left,
      run.sent + run.left,
    ),
    resume,
    discard,
    l10n.t('Later'),
  );
  try {
    if (answer === resume) await resumeUpload(context, run);
    if (answer === discard) await context.knowledge.discard(run);
  } catch (error) {
    // It is still there: it may be asked about again.
    asked.delete(run.id);
    tellError(error, context.log);
  }
}
