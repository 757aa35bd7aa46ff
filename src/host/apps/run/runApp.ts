import * as l10n from '@vscode/l10n';
import { type AppParameters, type AppRun, shownFields } from '../../../apps/app.ts';
import { answersFrom, checkAnswers, type FormAnswers, initialAnswers } from '../../../apps/appForm.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import type { AppClient } from '../../../apps/client/appClient.ts';
import { choosePrefill, type EditorInput } from '../../../apps/run/choosePrefill.ts';
import { performRun, type RunOrder, type RunResult, toRunResult } from '../../../apps/run/performRun.ts';
import { wholeForm } from '../../../apps/run/runRequest.ts';
import { createLocalFiles } from '../../../knowledge/files/workspaceLocalFiles.ts';
import { tellError } from '../../ui/tellError.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { type ResultOptions, showResult } from './showResult.ts';
import type { Notifications } from '../../ui/notifications.ts';

export interface RunOptions
  extends Pick<AppRun, 'workflowId' | 'inputs'>, Pick<RunOrder, 'query'>, ResultOptions {
  /** Variable that takes the editor's text; the form is shown only if something is missing or secret. */
  field?: string | undefined;
  /** Shown above the form's buttons. */
  note?: string | undefined;
}

export async function runApp(
  context: AppCommandContext,
  app: AppRecord,
  kind: RunOrder['kind'],
  input?: EditorInput,
  options: RunOptions = {},
): Promise<RunResult | undefined> {
  const client = await context.apps.client(app.id);
  const parameters = await readForm(context.notifications, client, app);
  const answers = options.inputs
    ? answersFrom(parameters.form, options.inputs)
    : initialAnswers(parameters.form, context.apps.lastAnswers(app.id));
  const prefill = input && choosePrefill(parameters.form, input, options.field);
  if (prefill) answers[prefill.variable] = prefill.answer;
  const origins = new Map(prefill && input && [[prefill.variable, input.from]]);
  const isReady =
    options.field !== undefined &&
    prefill?.variable === options.field &&
    input?.redacted === input?.text &&
    checkAnswers(wholeForm(parameters), answers, parameters.files.maxBytes).length === 0;
  const runner = { context, app, kind, client, parameters, options };
  const result = await askAndRun(runner, answers, origins, isReady);
  context.ran(app);
  return result;
}

interface Runner {
  context: AppCommandContext;
  app: AppRecord;
  kind: RunOrder['kind'];
  client: AppClient;
  parameters: AppParameters;
  options: RunOptions;
}

async function askAndRun(
  runner: Runner,
  proposed: FormAnswers,
  origins: ReadonlyMap<string, string>,
  isReady = false,
): Promise<RunResult | undefined> {
  const { context, app, kind, client, parameters, options } = runner;
  const { notifications } = context;
  const { workflowId, note, query, onEvent } = options;
  const form = wholeForm(parameters);
  const { dependencies } = await context.tools();
  const { maxBytes } = parameters.files;
  const title =
    workflowId === undefined ? app.name : l10n.t('{0}, version {1}', app.name, workflowId.slice(0, 8));
  const answers =
    isReady || shownFields(form).length === 0
      ? proposed
      : (
          await context.view.askForm({
            ...{ title, form, answers: proposed, maxBytes, origins },
            ...(note !== undefined && { note }),
            actions: [{ id: 'run', label: l10n.t('Run') }],
          })
        )?.answers;
  if (!answers) return undefined;
  await context.apps.rememberAnswers(app.id, answers);
  options.onBegin?.();
  const outcome = await withProgress(notifications, app.name, (signal, report) =>
    performRun(
      {
        client,
        kind,
        parameters,
        answers,
        workflowId,
        query,
        ...(onEvent && { onEvent }),
        stream: context.settings.get('chat.stream'),
        files: () => Promise.resolve(createLocalFiles(dependencies)),
      },
      signal,
      (message) => report({ message }),
    ),
  );
  options.onEnd?.(outcome);
  const again = () => {
    runAgain(runner, answers).catch((failure: unknown) => tellError(notifications, failure));
  };
  await showResult(context, app, outcome, again, options);
  return toRunResult(outcome);
}

/** Reloads the form, which may have changed, and proposes the same answers. */
async function runAgain(runner: Runner, answers: FormAnswers): Promise<void> {
  const parameters = await readForm(runner.context.notifications, runner.client, runner.app);
  await askAndRun({ ...runner, parameters }, answers, new Map());
}

export function readForm(
  notifications: Notifications,
  client: AppClient,
  { name }: AppRecord,
): Thenable<AppParameters> {
  return withProgress(notifications, l10n.t('Loading form of {0}…', name), (signal) =>
    client.parameters(signal),
  );
}
