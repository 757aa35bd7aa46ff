import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { delay } from '../../base/delay.ts';
import { isCancelled, SwitchboardError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { commandIds } from '../ids.ts';
import type { Memory } from '../memory.ts';
import { askModal, showError } from '../notifications.ts';
import type { Settings } from '../settings.ts';
import type { ConnectedParts } from './connectedPlatform.ts';
import type { SourceDocuments } from './sourceDocuments.ts';

/** What every screen of knowledge bases works with, as long as one platform is connected. */
export interface ScreenContext extends ConnectedParts {
  memory: Memory;
  settings: Settings;
  log: Log;
  needs: ToolDependencies;
  sources: SourceDocuments;
}

/** What is done by then needs no notification, which would only flash. */
const quietMs = 300;

/** Runs a task and, when it takes longer than a moment, shows a notification that can cancel it. */
export async function withProgress<T>(
  title: string,
  task: (
    signal: AbortSignal,
    report: (progress: { message?: string; increment?: number }) => void,
  ) => Promise<T>,
  location = vscode.ProgressLocation.Notification,
): Promise<T> {
  const controller = new AbortController();
  let show: ((progress: { message?: string; increment?: number }) => void) | undefined;
  const sofar: { message?: string; increment?: number } = {};
  const work = task(controller.signal, (step) => {
    if (show) return show(step);
    sofar.message = step.message ?? sofar.message ?? '';
    sofar.increment = (sofar.increment ?? 0) + (step.increment ?? 0);
  });
  if (await isDoneWithin(work, quietMs)) return work;
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
    token.onCancellationRequested(() => controller.abort());
    show = (step) => progress.report(step);
    show(sofar);
    return work;
  });
}

async function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const ended = new AbortController();
  const isDone = work.then(
    () => true,
    () => true,
  );
  const isLate = delay(ms, ended.signal).then(
    () => false,
    () => false,
  );
  const result = await Promise.race([isDone, isLate]);
  ended.abort();
  return result;
}

/** Says what went wrong, with what came back; a cancellation is none. */
export function tellError(error: unknown, log: Log): void {
  if (isCancelled(error)) return;
  const known = error instanceof SwitchboardError ? error : undefined;
  log.error(known ? `${known.code} ${known.status ?? ''} ${known.address ?? ''}` : String(error));
  const sentence = known ? known.message : l10n.t('Internal error. See the log for details.');
  void tell(known?.why ? `${sentence} ${l10n.t('Server response: {0}', known.why)}` : sentence);
}

async function tell(message: string): Promise<void> {
  const showLog = l10n.t('Show Log');
  const answer = await showError(message, showLog);
  if (answer === showLog) await vscode.commands.executeCommand(commandIds.showLog);
}

/** Asks a question that something cannot be taken back after. */
export async function confirmModal(question: string, action: string, detail = ''): Promise<boolean> {
  return (await askModal({ severity: 'warning', text: question, detail }, action)) === action;
}
