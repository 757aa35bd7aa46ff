import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PausedForm } from '../../../apps/app.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { followWaitingRun, isOtherUsersRun, type RunOutcome } from '../../../apps/run/performRun.ts';
import { SwitchboardError } from '../../../base/errors/errors.ts';
import { formatNumber } from '../../../base/text/format.ts';
import { oneLine } from '../../../base/text/oneLine.ts';
import type { FormOutcome } from '../../../panel/apps/appStart.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { fillHumanInput } from './fillHumanInput.ts';

/** The outcome has an error if the run is another user's; undefined if the platform doesn't report forms. */
export async function findForms(
  { notifications, apps }: AppCommandContext,
  { id, name }: AppRecord,
  runId: string,
): Promise<RunOutcome | undefined> {
  const client = await apps.client(id);
  const outcome = await withProgress(notifications, l10n.t('Checking run of {0}…', name), (signal) =>
    followWaitingRun(client, runId, signal),
  );
  const { progress, error } = outcome;
  const isKnown = error ? isOtherUsersRun(error) : progress.waitsFor !== undefined;
  return isKnown ? outcome : undefined;
}

export async function chooseForm(forms: readonly PausedForm[]): Promise<PausedForm | undefined> {
  const [only] = forms;
  if (forms.length === 1) return only;
  const picked = await vscode.window.showQuickPick(
    forms.map((form, index) => ({
      label: oneLine(form.title) || l10n.t('Form {0}', formatNumber(index + 1)),
      form,
    })),
    { title: l10n.t('Choose a Form') },
  );
  return picked?.form;
}

export async function fillRunForm(
  context: AppCommandContext,
  app: AppRecord,
  runId: string,
): Promise<FormOutcome | undefined> {
  const client = await context.apps.client(app.id);
  const run = await withProgress(context.notifications, l10n.t('Checking run of {0}…', app.name), (signal) =>
    client.workflowRun(runId, signal),
  );
  const found = run.status === 'paused' ? await findForms(context, app, runId) : undefined;
  if (found?.error) throw found.error;
  const { forms = [] } = found?.progress ?? {};
  if (forms.length === 0) return 'settled';
  const form = await chooseForm(forms);
  if (!form) return undefined;
  try {
    return (await fillHumanInput(context, app, form)) ? 'submitted' : undefined;
  } catch (error) {
    // 412: the form expired or was already submitted.
    if (!(error instanceof SwitchboardError) || error.status !== 412) throw error;
    context.log.info(`The form of a run was refused: ${error.serverCode ?? error.status}`);
    void context.notifications.warning(error.message);
    return 'refused';
  }
}
