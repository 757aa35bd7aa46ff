import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import { isMissingOnServer, isNotFound } from '../../platform/platformErrors.ts';
import type { AppEvent, AppParameters, AppRun } from '../app.ts';
import type { FormAnswers } from '../appForm.ts';
import type { RunnableKind } from '../appKinds.ts';
import type { AppClient } from '../client/appClient.ts';
import type { LocalFiles } from '../fileReferences.ts';
import { advance, notBegun, type RunProgress } from './runProgress.ts';
import { toRunRequest } from './runRequest.ts';

export interface RunOrder {
  client: AppClient;
  kind: RunnableKind | 'chatflow';
  query?: string | undefined;
  parameters: AppParameters;
  answers: FormAnswers;
  workflowId?: string | undefined;
  files(): Promise<LocalFiles>;
  stream: boolean;
  onStarted?(runId: string): void;
  onEvent?(event: AppEvent): void;
}

export interface RunWatch extends Pick<RunOrder, 'onEvent'> {
  /** Called before the first event; a continued run tells its past events again. */
  onBegin?(): void;
  onEnd?(outcome: RunOutcome): void;
}

export interface RunOutcome {
  progress: RunProgress;
  error?: SwitchboardError | undefined;
}

/** Uploads files, runs the app and follows the run to its end; `report` gets status texts. Never throws. */
export async function performRun(
  order: RunOrder,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<RunOutcome> {
  const { client, kind, query = '', parameters, answers, workflowId, files, stream } = order;
  const outcome = await follow(
    async function* () {
      const onUpload = (name: string) => report(uploadingMessage(name));
      const request = await toRunRequest(parameters, answers, { client, files, signal, onUpload });
      const version = workflowId !== undefined && { workflowId };
      if (kind === 'chatflow') yield* client.chat({ ...request, query, isFlow: true, stream }, signal);
      else if (kind === 'completion') yield* client.complete({ ...request, stream }, signal);
      else yield* client.runWorkflow({ ...request, stream, ...version }, signal);
    },
    report,
    order,
  );
  const { error } = outcome;
  if (workflowId === undefined || !error || !isNotFound(error) || isMissingOnServer(error)) return outcome;
  return { ...outcome, error: noSuchVersion(workflowId, error) };
}

function noSuchVersion(workflowId: string, { address, status }: SwitchboardError): SwitchboardError {
  return new SwitchboardError(
    'request',
    l10n.t('Version {0} not found. It may have been deleted, or belong to another app.', workflowId),
    { ...(address !== undefined && { address }), ...(status !== undefined && { status }) },
  );
}

export function followRun(
  client: Pick<AppClient, 'followRun'>,
  runId: string,
  signal: AbortSignal,
  report: (message: string) => void,
  listener?: Pick<RunOrder, 'onEvent'>,
): Promise<RunOutcome> {
  return follow(() => client.followRun(runId, signal), report, listener);
}

class OtherUsersRunError extends SwitchboardError {}

export function isOtherUsersRun(error: unknown): boolean {
  return error instanceof OtherUsersRunError;
}

/** Events of a waiting run; for all but the user who started it, an error that `isOtherUsersRun` recognises. */
export async function followWaitingRun(
  client: Pick<AppClient, 'followRun'>,
  runId: string,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { progress, error } = await followRun(client, runId, signal, () => {});
  if (!error || error.status !== 404 || !/\brun not found/i.test(error.why ?? '')) {
    return { progress, ...(error && { error }) };
  }
  const message = l10n.t(
    'This run was started by another user and is waiting for their input. They can continue it where they started it.',
  );
  return { progress, error: new OtherUsersRunError('not-permitted', message, { cause: error }) };
}

export function uploadingMessage(name: string): string {
  return l10n.t('Uploading {0}…', name);
}

async function follow(
  events: () => AsyncIterable<AppEvent>,
  report: (message: string) => void,
  listener: Pick<RunOrder, 'onStarted' | 'onEvent'> = {},
): Promise<RunOutcome> {
  let progress = notBegun;
  try {
    for await (const event of events()) {
      const known = progress.runId;
      progress = advance(progress, event);
      if (progress.runId !== undefined && progress.runId !== known) listener.onStarted?.(progress.runId);
      listener.onEvent?.(event);
      const message = messageFor(event, progress);
      if (message) report(message);
    }
    return { progress };
  } catch (thrown) {
    const error = toSwitchboardError(thrown);
    return error.code === 'cancelled' ? { progress, error: runStopped() } : { progress, error };
  }
}

export function runStopped(): SwitchboardError {
  return new SwitchboardError('cancelled', l10n.t('The run was stopped.'));
}

export interface RunResult {
  status: AppRun['status'];
  outputs: AppRun['outputs'];
  text: string;
  steps: string[];
  error?: string;
}

export function toRunResult({ progress, error }: RunOutcome): RunResult {
  const { run, text, steps, waitsFor } = progress;
  const rest = { outputs: run?.outputs ?? {}, text, steps: steps.map(({ title }) => title) };
  if (error?.code === 'cancelled') return { status: 'stopped', ...rest };
  if (error) return { status: 'failed', ...rest, error: error.message };
  return { status: run?.status ?? (waitsFor ? 'paused' : 'succeeded'), ...rest };
}

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
