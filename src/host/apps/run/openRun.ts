import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppRun } from '../../../apps/app.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import type { RunResult } from '../../../apps/run/performRun.ts';
import { toRunOutput } from '../../../apps/run/runOutput.ts';
import { notBegun } from '../../../apps/run/runProgress.ts';
import { runReport } from '../../../apps/run/runReport.ts';
import { tellError } from '../../ui/tellError.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { runApp } from './runApp.ts';
import { showResult } from './showResult.ts';
import { findForms } from './waitingForms.ts';

export async function openRun(context: AppCommandContext, app: AppRecord, listed: AppRun): Promise<AppRun> {
  const { apps, documents } = context;
  const { id: appId, name, baseUrl } = app;
  const { id } = listed;
  const client = await apps.client(appId);
  const run =
    id === undefined
      ? listed
      : await withProgress(context.notifications, l10n.t('Checking run of {0}…', name), (signal) =>
          client.workflowRun(id, signal),
        );
  const found = run.status === 'paused' && id !== undefined ? await findForms(context, app, id) : undefined;
  if (found && !found.error) {
    await showResult(context, app, found, () => {
      runApp(context, app, 'workflow').catch((error: unknown) => tellError(context.notifications, error));
    });
    return run;
  }
  const error = found?.error;
  const progress = { ...notBegun, run, ...(id !== undefined && { runId: id }) };
  const output = toRunOutput(progress, { name, baseUrl });
  if (!error && output.text && Object.keys(run.outputs).length > 0) await documents.show(name, output.text);
  else {
    const report = runReport({ name, baseUrl, progress, ...(error && { error }) });
    await documents.show(l10n.t('{0}, Run', name), report);
  }
  return run;
}

export async function runVersionOf(
  context: AppCommandContext,
  app: AppRecord,
  { id }: AppRun,
): Promise<RunResult | undefined> {
  if (id === undefined) return undefined;
  const client = await context.apps.client(app.id);
  const run = await withProgress(context.notifications, l10n.t('Checking run of {0}…', app.name), (signal) =>
    client.workflowRun(id, signal),
  );
  if (run.workflowId === undefined) {
    void context.notifications.warning(l10n.t("The platform doesn't report which version this run used."));
    return undefined;
  }
  return runApp(context, app, 'workflow', undefined, run);
}

export async function runOtherVersion(
  context: AppCommandContext,
  app: AppRecord,
): Promise<RunResult | undefined> {
  const workflowId = await vscode.window.showInputBox({
    title: l10n.t('Run Other Version of {0}', app.name),
    prompt: l10n.t(
      "Version ID, from the platform's version history. The version of a past run can be run from its menu.",
    ),
    placeHolder: '00000000-0000-0000-0000-000000000000',
    ignoreFocusOut: true,
    validateInput: (text) => (uuid.test(text.trim()) ? undefined : l10n.t('Enter a version ID (a UUID).')),
  });
  if (workflowId === undefined) return undefined;
  return runApp(context, app, 'workflow', undefined, { workflowId: workflowId.trim() });
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
