import * as l10n from '@vscode/l10n';
import type { AppEvent, AppParameters, AppRun } from '../../../apps/app.ts';
import { type FormAnswers, initialAnswers } from '../../../apps/appForm.ts';
import type { RunnableKind } from '../../../apps/appKinds.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import type { AppClient, RunRequest } from '../../../apps/client/appClient.ts';
import { choosePrefill, type EditorInput } from '../../../apps/run/choosePrefill.ts';
import { advance, notBegun, type RunProgress } from '../../../apps/run/runProgress.ts';
import { toRunRequest, wholeForm } from '../../../apps/run/runRequest.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import { formatDuration } from '../../../base/format.ts';
import { toSwitchboardError } from '../../../base/toSwitchboardError.ts';
import { tellError, withProgress } from '../../knowledge/screenContext.ts';
import { createLocalFiles } from '../../knowledge/workspaceLocalFiles.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { fillForm } from './fillForm.ts';
import { showResult } from './showResult.ts';

/** What a run came to, as a command returns it. */
export interface RunResult {
  status: AppRun['status'];
  outputs: AppRun['outputs'];
  /** What was streamed: all of a completion, or a part of a workflow's output. */
  text: string;
  /** Titles of the steps that were seen. */
  steps: string[];
  /** What went wrong, for the user. */
  error?: string;
}

/** Asks for what the app needs, runs it, and shows what it came to. Undefined when dismissed before it ran. */
export async function runApp(
  context: AppCommandContext,
  app: AppRecord,
  kind: RunnableKind,
  input?: EditorInput,
): Promise<RunResult | undefined> {
  const client = await context.apps.client(app.id);
  const parameters = await readForm(client, app);
  const answers = initialAnswers(parameters.form, context.apps.lastAnswers(app.id));
  const prefill = input && choosePrefill(parameters.form, input);
  if (prefill) answers[prefill.variable] = prefill.answer;
  const origins = new Map(prefill && input && [[prefill.variable, l10n.t('From {0}', input.from)]]);
  const result = await askAndRun({ context, app, kind, client, parameters }, answers, origins);
  context.ran(app);
  return result;
}

/** One app about to run. */
export interface Runner {
  context: AppCommandContext;
  app: AppRecord;
  /** What it is run as; the app itself may be of an unknown kind. */
  kind: RunnableKind;
  client: AppClient;
  parameters: AppParameters;
}

async function askAndRun(
  runner: Runner,
  proposed: FormAnswers,
  origins: ReadonlyMap<string, string>,
): Promise<RunResult | undefined> {
  const { context, app, parameters } = runner;
  const form = wholeForm(parameters);
  const { needs } = await context.tools();
  const { maxBytes } = parameters.files;
  const answers =
    form.length === 0
      ? proposed
      : await fillForm(needs, { title: app.name, form, answers: proposed, maxBytes, origins });
  if (!answers) return undefined;
  await context.apps.rememberAnswers(app.id, answers);
  const { progress, error } = await perform(runner, answers);
  await showResult(context, app, { progress, error }, () => {
    runAgain(runner, answers).catch((failure: unknown) => tellError(failure, context.log));
  });
  return toResult(progress, error);
}

/** With the same answers, since what was wrong may be one of them; the form may have changed meanwhile. */
async function runAgain(runner: Runner, answers: FormAnswers): Promise<void> {
  const parameters = await readForm(runner.client, runner.app);
  await askAndRun({ ...runner, parameters }, answers, new Map());
}

function readForm(client: AppClient, { name }: AppRecord): Thenable<AppParameters> {
  return withProgress(l10n.t('Loading form of {0}…', name), (signal) => client.parameters(signal));
}

/** How far a run came, and what ended it before its time. */
interface Performed {
  progress: RunProgress;
  error?: SwitchboardError;
}

function perform(
  { context, app, kind, client, parameters }: Runner,
  answers: FormAnswers,
): Thenable<Performed> {
  return withProgress(app.name, async (signal, report) => {
    let progress = notBegun;
    try {
      const { needs } = await context.tools();
      const request = await toRunRequest(parameters, answers, {
        client,
        files: () => Promise.resolve(createLocalFiles(needs)),
        signal,
        onUpload: (name) => report({ message: l10n.t('Uploading {0}…', name) }),
      });
      const events = ask(client, kind, { ...request, stream: context.settings.get('chat.stream') }, signal);
      for await (const event of events) {
        progress = advance(progress, event);
        const message = messageFor(event, progress);
        if (message) report({ message });
      }
      return { progress };
    } catch (error) {
      return { progress, error: toKnown(error) };
    }
  });
}

function ask(
  client: AppClient,
  kind: RunnableKind,
  request: RunRequest,
  signal: AbortSignal,
): AsyncIterable<AppEvent> {
  return kind === 'completion' ? client.complete(request, signal) : client.runWorkflow(request, signal);
}

/** What the notification says from then on, if it is something new. */
function messageFor(event: AppEvent, { steps }: RunProgress): string | undefined {
  switch (event.type) {
    case 'requestSent':
      return l10n.t('waiting for the platform');
    case 'retryScheduled':
      return l10n.t('retrying in {0}: {1}', formatDuration(event.delayMs, 'about'), event.why);
    case 'stalled':
      return event.state === 'noNews'
        ? l10n.t('no news from the platform for {0}', formatDuration(event.forMs))
        : l10n.t("not started yet: the platform's worker may be busy or down");
    case 'stepChanged': {
      const { title, round, status } = event.step;
      if (status !== 'running' && status !== 'retrying') return undefined;
      return round === undefined
        ? `${title} (${steps.length})`
        : l10n.t('{0}, round {1} ({2})', title, round, steps.length);
    }
    default:
      return undefined;
  }
}

function toKnown(error: unknown): SwitchboardError {
  const known = toSwitchboardError(error);
  return known.code === 'cancelled'
    ? new SwitchboardError('cancelled', l10n.t('The run was stopped.'))
    : known;
}

function toResult({ run, text, steps, waitsFor }: RunProgress, error?: SwitchboardError): RunResult {
  const rest = { outputs: run?.outputs ?? {}, text, steps: steps.map(({ title }) => title) };
  if (error?.code === 'cancelled') return { status: 'stopped', ...rest };
  if (error) return { status: 'failed', ...rest, error: error.message };
  return { status: run?.status ?? (waitsFor ? 'paused' : 'succeeded'), ...rest };
}
