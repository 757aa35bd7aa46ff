import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppRun } from '../../../apps/app.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { followRun, type RunOutcome, runStopped, type RunWatch } from '../../../apps/run/performRun.ts';
import { runFailureMessage } from '../../../apps/run/runReport.ts';
import { onlyText, type RunOutput, toRunOutput } from '../../../apps/run/runOutput.ts';
import { notBegun, type RunProgress } from '../../../apps/run/runProgress.ts';
import { runReport } from '../../../apps/run/runReport.ts';
import { SwitchboardError } from '../../../base/errors/errors.ts';
import { oneLine } from '../../../base/text/oneLine.ts';
import type { NewNotice } from '../../../panel/panelNotices.ts';
import { tellError } from '../../ui/tellError.ts';
import { withProgress } from '../../ui/withProgress.ts';
import { openLink } from '../../panel/pageActions.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { changeKey } from '../tree/appActions.ts';
import { fillHumanInput } from './fillHumanInput.ts';
import { chooseForm } from './waitingForms.ts';

export interface ResultOptions extends RunWatch {
  /** Takes the only text of the output instead of opening it; false to open it all the same. */
  takeOutput?(text: string): Promise<boolean>;
}

/** Shows a run's output and status. Doesn't wait for the follow-up actions. */
export async function showResult(
  context: AppCommandContext,
  app: AppRecord,
  { progress, error }: RunOutcome,
  runAgain: () => void,
  watch: ResultOptions = {},
): Promise<void> {
  const details = () =>
    context.documents.show(
      l10n.t('{0}, Run', app.name),
      runReport({ name: app.name, baseUrl: app.baseUrl, progress, ...(error && { error }) }),
    );
  const again = lookAgain(context, app, progress, runAgain);
  if (error) tellFailure(context, app, { progress, error }, { details, runAgain, again });
  else if (progress.waitsFor) tellPaused(context, app, progress, { again, runAgain, watch });
  else if (progress.run?.status === 'running') tellRunning(context, app, again);
  else await tellDone(context, app, progress, { details, ...watch });
}

async function tellDone(
  context: AppCommandContext,
  app: AppRecord,
  progress: RunProgress,
  { details, takeOutput }: Pick<FailureOffers, 'details'> & ResultOptions,
): Promise<void> {
  const output = toRunOutput(progress, app);
  const said = output.head
    ? l10n.t('"{0}" is done: {1}.', app.name, output.head)
    : l10n.t('"{0}" is done.', app.name);
  const message = output.text ? said : `${said} ${l10n.t('No text output.')}`;
  const only = takeOutput && onlyText(progress);
  const isTaken = only !== undefined && (await takeOutput?.(only));
  if (output.text && !isTaken) await context.documents.show(app.name, output.text);
  offer(context, 'information', message, [
    progress.steps.length > 0 && { label: l10n.t('Show Steps'), act: details },
    output.files.length > 0 && { label: l10n.t('Open Files'), act: () => openFiles(output) },
  ]);
}

async function openFiles({ files }: RunOutput): Promise<void> {
  const [only] = files;
  const picked =
    files.length === 1 && only
      ? { address: only.address }
      : await vscode.window.showQuickPick(
          files.map(({ name, address }) => ({ label: name, description: address, address })),
          { title: l10n.t('Open an Output File') },
        );
  if (picked) openLink(picked.address);
}

function tellFailure(
  context: AppCommandContext,
  app: AppRecord,
  { progress, error }: RunOutcome & { error: SwitchboardError },
  { details, runAgain, again: lookingAgain }: FailureOffers,
): void {
  const again = { label: l10n.t('Run Again…'), act: runAgain };
  const shown = { label: l10n.t('Show Details'), act: details };
  if (error.code === 'cancelled') {
    const came = progress.text && {
      label: l10n.t('Show Partial Output'),
      act: () => context.documents.show(app.name, toRunOutput(progress, app).text),
    };
    offer(context, 'information', l10n.t('"{0}" was stopped.', app.name), [came || false, again]);
    return;
  }
  context.log.error(`${error.code} ${error.status ?? ''} ${error.address ?? ''}`);
  offer(context, 'error', runFailureMessage(app, progress.steps, error), [
    // The platform continues a run whose connection broke.
    error.code === 'truncated' && lookingAgain,
    error.code === 'key' && {
      label: app.account ? l10n.t('Sign In Again…') : l10n.t('Change Key…'),
      act: () => changeKey(context, app),
    },
    again,
    shown,
  ]);
}

function tellPaused(
  context: AppCommandContext,
  app: AppRecord,
  progress: RunProgress,
  offers: Pick<FailureOffers, 'again' | 'runAgain'> & { watch: ResultOptions },
): void {
  const { again, runAgain, watch } = offers;
  const { waitsFor = [], forms = [], runId } = progress;
  const titles = waitsFor.map((each) => oneLine(each, 200));
  if (forms.length === 0 || runId === undefined) {
    const message =
      titles.length > 0
        ? l10n.t(
            '"{0}" is waiting for human input on the platform: {1}. Provide it there to continue the run.',
            app.name,
            titles.join(', '),
          )
        : l10n.t(
            '"{0}" is waiting for human input on the platform. Provide it there to continue the run.',
            app.name,
          );
    offer(context, 'warning', message, [again]);
    return;
  }
  const fill = async () => {
    const form = await chooseForm(forms);
    // A form that was dismissed can be opened again from here.
    if (!form || !(await fillHumanInput(context, app, form))) {
      return tellPaused(context, app, progress, offers);
    }
    watch.onBegin?.();
    const outcome = await withProgress(context.notifications, app.name, async (signal, report) =>
      followRun(await context.apps.client(app.id), runId, signal, (message) => report({ message }), watch),
    );
    watch.onEnd?.(outcome);
    await showResult(context, app, outcome, runAgain, watch);
    context.ran(app);
  };
  const message =
    titles.length > 0
      ? l10n.t('"{0}" is waiting for human input: {1}.', app.name, titles.join(', '))
      : l10n.t('"{0}" is waiting for human input.', app.name);
  offer(context, 'warning', message, [{ label: l10n.t('Fill In Form…'), act: fill }, again]);
}

function tellRunning(context: AppCommandContext, { name }: AppRecord, again: Offer | false): void {
  offer(context, 'information', l10n.t('"{0}" is still running on the platform.', name), [again]);
}

function lookAgain(
  context: AppCommandContext,
  app: AppRecord,
  { runId, waitsFor = [], forms }: RunProgress,
  runAgain: () => void,
): Offer | false {
  if (runId === undefined) return false;
  const look = async () => {
    const client = await context.apps.client(app.id);
    const run = await withProgress(
      context.notifications,
      l10n.t('Checking run of {0}…', app.name),
      (signal) => client.workflowRun(runId, signal),
    );
    // Older servers report `running` for a paused run.
    const isWaiting = run.status === 'paused' || (run.status === 'running' && waitsFor.length > 0);
    const progress = { ...notBegun, runId, run, ...(isWaiting && { waitsFor, forms }) };
    await showResult(context, app, { progress, error: failureOf(run) }, runAgain);
  };
  return { label: l10n.t('Check Status'), act: look };
}

function failureOf({ status, error }: AppRun): SwitchboardError | undefined {
  if (status === 'stopped') return runStopped();
  if (status !== 'failed') return undefined;
  const message = l10n.t("The run failed. See the server's message.");
  return new SwitchboardError('request', message, error ? { why: error } : {});
}

interface FailureOffers {
  details: () => Promise<void>;
  runAgain: () => void;
  again: Offer | false;
}

interface Offer {
  label: string;
  act(): unknown;
}

function offer(
  { notifications }: AppCommandContext,
  severity: NewNotice['severity'],
  text: string,
  offers: readonly (Offer | false)[],
): void {
  const given = offers.filter((each) => each !== false);
  void notifications
    .notify({ severity, text, actions: given.map(({ label }) => label) })
    .then((label) => given.find((each) => each.label === label)?.act())
    .then(undefined, (error: unknown) => tellError(notifications, error));
}
