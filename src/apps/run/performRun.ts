import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors.ts';
import { formatDuration } from '../../base/format.ts';
import { toSwitchboardError } from '../../base/toSwitchboardError.ts';
import { isMissingOnServer, isNotFound } from '../../platform/platformErrors.ts';
import type { AppEvent, AppParameters, AppRun } from '../app.ts';
import type { FormAnswers } from '../appForm.ts';
import type { RunnableKind } from '../appKinds.ts';
import type { AppClient } from '../client/appClient.ts';
import type { LocalFiles } from '../fileReferences.ts';
import { advance, notBegun, type RunProgress } from './runProgress.ts';
import { toRunRequest } from './runRequest.ts';

/** What is to be run, and with what. */
export interface RunOrder {
  client: AppClient;
  /** What the app is run as; it may itself be of an unknown kind. */
  kind: RunnableKind;
  parameters: AppParameters;
  answers: FormAnswers;
  /** The version of the workflow; the published one without. */
  workflowId?: string | undefined;
  files(): Promise<LocalFiles>;
  stream: boolean;
  /** Told once the platform has named the run. */
  onStarted?(runId: string): void;
}

/** How far a run came, and what ended it before its time. */
export interface RunOutcome {
  progress: RunProgress;
  error?: SwitchboardError | undefined;
}

/** Uploads files, runs the app and follows it to its end; `report` hears what it is doing, for the user. Never throws. */
export async function performRun(
  { client, kind, parameters, answers, workflowId, files, stream, onStarted }: RunOrder,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<RunOutcome> {
  const outcome = await follow(
    async function* () {
      const onUpload = (name: string) => report(uploadingMessage(name));
      const request = await toRunRequest(parameters, answers, { client, files, signal, onUpload });
      const version = workflowId !== undefined && { workflowId };
      yield* kind === 'completion'
        ? client.complete({ ...request, stream }, signal)
        : client.runWorkflow({ ...request, stream, ...version }, signal);
    },
    report,
    onStarted,
  );
  const { error } = outcome;
  if (workflowId === undefined || !error || !isNotFound(error) || isMissingOnServer(error)) return outcome;
  return { ...outcome, error: noSuchVersion(workflowId, error) };
}

function noSuchVersion(workflowId: string, { address, status }: SwitchboardError): SwitchboardError {
  return new SwitchboardError(
    'request',
    l10n.t('There is no version {0}. It may have been deleted, or belong to another app.', workflowId),
    { ...(address !== undefined && { address }), ...(status !== undefined && { status }) },
  );
}

/** Follows a run that was begun before to its end, or to where it waits again. Never throws. */
export function followRun(
  client: Pick<AppClient, 'followRun'>,
  runId: string,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<RunOutcome> {
  return follow(() => client.followRun(runId, signal), report);
}

export function uploadingMessage(name: string): string {
  return l10n.t('Uploading {0}…', name);
}

async function follow(
  events: () => AsyncIterable<AppEvent>,
  report: (message: string) => void,
  onStarted?: (runId: string) => void,
): Promise<RunOutcome> {
  let progress = notBegun;
  try {
    for await (const event of events()) {
      const known = progress.runId;
      progress = advance(progress, event);
      if (progress.runId !== undefined && progress.runId !== known) onStarted?.(progress.runId);
      const message = messageFor(event, progress);
      if (message) report(message);
    }
    return { progress };
  } catch (thrown) {
    const error = toSwitchboardError(thrown);
    return error.code === 'cancelled' ? { progress, error: runStopped() } : { progress, error };
  }
}

/** The user stopped it, or somebody did on the platform. */
export function runStopped(): SwitchboardError {
  return new SwitchboardError('cancelled', l10n.t('The run was stopped.'));
}

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

export function toRunResult({ progress, error }: RunOutcome): RunResult {
  const { run, text, steps, waitsFor } = progress;
  const rest = { outputs: run?.outputs ?? {}, text, steps: steps.map(({ title }) => title) };
  if (error?.code === 'cancelled') return { status: 'stopped', ...rest };
  if (error) return { status: 'failed', ...rest, error: error.message };
  return { status: run?.status ?? (waitsFor ? 'paused' : 'succeeded'), ...rest };
}

/** What the run is doing from this event on, if that is news. */
function messageFor(event: AppEvent, { steps }: RunProgress): string | undefined {
  switch (event.type) {
    case 'requestSent':
      return l10n.t('waiting for the platform');
    case 'retryScheduled':
      return l10n.t('retrying in {0}: {1}', formatDuration(event.delayMs, 'about'), event.why);
    case 'stalled':
      return event.state === 'noNews'
        ? l10n.t('no response from the platform for {0}', formatDuration(event.forMs))
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
