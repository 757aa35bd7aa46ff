import * as l10n from '@vscode/l10n';
import type { AppParameters, AppRun } from '../../../apps/app.ts';
import { answersFrom, type FormAnswers, initialAnswers } from '../../../apps/appForm.ts';
import type { RunnableKind } from '../../../apps/appKinds.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import type { AppClient } from '../../../apps/client/appClient.ts';
import { choosePrefill, type EditorInput } from '../../../apps/run/choosePrefill.ts';
import { performRun, type RunResult, toRunResult } from '../../../apps/run/performRun.ts';
import { wholeForm } from '../../../apps/run/runRequest.ts';
import { createLocalFiles } from '../../../knowledge/workspaceLocalFiles.ts';
import { tellError } from '../../tellError.ts';
import { withProgress } from '../../withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { fillForm } from './fillForm.ts';
import { showResult } from './showResult.ts';

/**
 * Asks for what the app needs, runs it, and shows what it came to. Undefined when dismissed before it ran.
 * @param version another one of a workflow than the published one, with the inputs to propose, if it ran before
 */
export async function runApp(
  context: AppCommandContext,
  app: AppRecord,
  kind: RunnableKind,
  input?: EditorInput,
  version?: Pick<AppRun, 'workflowId' | 'inputs'>,
): Promise<RunResult | undefined> {
  const client = await context.apps.client(app.id);
  const parameters = await readForm(client, app);
  const answers = version?.inputs
    ? answersFrom(parameters.form, version.inputs)
    : initialAnswers(parameters.form, context.apps.lastAnswers(app.id));
  const prefill = input && choosePrefill(parameters.form, input);
  if (prefill) answers[prefill.variable] = prefill.answer;
  const origins = new Map(prefill && input && [[prefill.variable, l10n.t('From {0}', input.from)]]);
  const result = await askAndRun(
    { context, app, kind, client, parameters, workflowId: version?.workflowId },
    answers,
    origins,
  );
  context.ran(app);
  return result;
}

/** One app about to run. */
interface Runner {
  context: AppCommandContext;
  app: AppRecord;
  /** What it is run as; the app itself may be of an unknown kind. */
  kind: RunnableKind;
  client: AppClient;
  parameters: AppParameters;
  /** The version of a workflow; the published one without. */
  workflowId: string | undefined;
}

async function askAndRun(
  runner: Runner,
  proposed: FormAnswers,
  origins: ReadonlyMap<string, string>,
): Promise<RunResult | undefined> {
  const { context, app, kind, client, parameters, workflowId } = runner;
  const form = wholeForm(parameters);
  const { dependencies } = await context.tools();
  const { maxBytes } = parameters.files;
  const title =
    workflowId === undefined ? app.name : l10n.t('{0}, version {1}', app.name, workflowId.slice(0, 8));
  const answers =
    form.length === 0
      ? proposed
      : await fillForm(dependencies, { title, form, answers: proposed, maxBytes, origins });
  if (!answers) return undefined;
  await context.apps.rememberAnswers(app.id, answers);
  const outcome = await withProgress(app.name, (signal, report) =>
    performRun(
      {
        ...{ client, kind, parameters, answers, workflowId },
        stream: context.settings.get('chat.stream'),
        files: () => Promise.resolve(createLocalFiles(dependencies)),
      },
      signal,
      (message) => report({ message }),
    ),
  );
  await showResult(context, app, outcome, () => {
    runAgain(runner, answers).catch((failure: unknown) => tellError(failure, context.log));
  });
  return toRunResult(outcome);
}

/** With the same answers, since what was wrong may be one of them; the form may have changed meanwhile. */
async function runAgain(runner: Runner, answers: FormAnswers): Promise<void> {
  const parameters = await readForm(runner.client, runner.app);
  await askAndRun({ ...runner, parameters }, answers, new Map());
}

export function readForm(client: AppClient, { name }: AppRecord): Thenable<AppParameters> {
  return withProgress(l10n.t('Loading form of {0}…', name), (signal) => client.parameters(signal));
}
