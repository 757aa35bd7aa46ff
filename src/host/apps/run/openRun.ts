import * as l10n from '@vscode/l10n';
import type { AppRun } from '../../../apps/app.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { toRunOutput } from '../../../apps/run/runOutput.ts';
import { notBegun } from '../../../apps/run/runProgress.ts';
import { runReport } from '../../../apps/run/runReport.ts';
import { withProgress } from '../../withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { openOutput } from './showResult.ts';

/** Opens what a run of the past came to: its output, or how it went if it gave none. Returns the run. */
export async function openRun(
  { apps, documents }: AppCommandContext,
  { id: appId, name, baseUrl }: AppRecord,
  listed: AppRun,
): Promise<AppRun> {
  const { id } = listed;
  const client = await apps.client(appId);
  const run =
    id === undefined
      ? listed
      : await withProgress(l10n.t('Checking run of {0}…', name), (signal) => client.workflowRun(id, signal));
  const progress = { ...notBegun, run, ...(id !== undefined && { runId: id }) };
  const output = toRunOutput(progress, { name, baseUrl });
  if (output.text && Object.keys(run.outputs).length > 0) await openOutput(output);
  else await documents.show(l10n.t('{0}, a run', name), runReport({ name, baseUrl, progress }));
  return run;
}
