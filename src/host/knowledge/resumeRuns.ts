import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { InterruptedRun } from '../../knowledge/upload/interruptedRuns.ts';
import { isNotFound } from '../../platform/platformErrors.ts';
import { contextKey } from '../ids.ts';
import { tellError } from '../ui/tellError.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import { resumeUpload } from './runUpload.ts';

export async function offerInterrupted(context: KnowledgeCommandContext, isAgain = false): Promise<number> {
  const { askedRuns: asked } = context;
  const runs = (await context.knowledge.uploads.interrupted()).filter(({ id }) => isAgain || !asked.has(id));
  if (runs.length === 0) return 0;
  for (const { id } of runs) asked.add(id);
  const resume = l10n.t('Resume');
  const discard = l10n.t('Discard');
  const answer = await context.notifications.warning(question(runs), resume, discard, l10n.t('Later'));
  if (answer === resume) await Promise.all(runs.map((run) => resumeOne(context, run)));
  else if (answer === discard) await Promise.all(runs.map((run) => context.knowledge.uploads.discard(run)));
  else void vscode.commands.executeCommand('setContext', contextKey('failedUploads'), true);
  return runs.length;
}

function question(runs: readonly InterruptedRun[]): string {
  const left = runs.reduce((sum, run) => sum + run.left, 0);
  const all = runs.reduce((sum, run) => sum + run.sent + run.left, 0);
  const names = [...new Set(runs.map(({ datasetName }) => datasetName))].join(', ');
  return plural(
    runs.length,
    l10n.t(
      'An upload to {0} was interrupted. Remaining documents: {1} of {2}.',
      names,
      formatNumber(left),
      formatNumber(all),
    ),
    l10n.t(
      '{0} uploads were interrupted: {1}. Remaining documents: {2} of {3}.',
      formatNumber(runs.length),
      names,
      formatNumber(left),
      formatNumber(all),
    ),
  );
}

async function resumeOne(context: KnowledgeCommandContext, run: InterruptedRun): Promise<void> {
  try {
    await resumeUpload(context, run);
  } catch (error) {
    // The run is still pending and may be asked about again.
    context.askedRuns.delete(run.id);
    if (error instanceof SwitchboardError && isNotFound(error)) await offerDiscard(context, run, error);
    else tellError(context.notifications, error);
  }
}

/** Nothing can be sent to a deleted knowledge base. */
async function offerDiscard(
  { notifications, knowledge }: KnowledgeCommandContext,
  run: InterruptedRun,
  error: SwitchboardError,
): Promise<void> {
  const discard = l10n.t('Discard Upload');
  const answer = await notifications.error(error.message, discard);
  if (answer === discard) await knowledge.uploads.discard(run);
}
