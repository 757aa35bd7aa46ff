import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isCancelled, SwitchboardError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { ToolNeeds } from '../../tools/toolNeeds.ts';
import { toAbortSignal } from '../abort.ts';
import { commandIds } from '../ids.ts';
import type { Memory } from '../memory.ts';
import type { Settings } from '../settings.ts';
import type { ConnectedParts } from './connectedPlatform.ts';
import type { SourceDocuments } from './sourceDocuments.ts';

/** What every screen of knowledge bases works with, as long as one platform is connected. */
export interface ScreenContext extends ConnectedParts {
  memory: Memory;
  settings: Settings;
  log: Log;
  needs: ToolNeeds;
  sources: SourceDocuments;
}

/** Runs a task with a notification that can cancel it; short tasks stay in the status bar. */
export function withProgress<T>(
  title: string,
  task: (
    signal: AbortSignal,
    report: (progress: { message?: string; increment?: number }) => void,
  ) => Promise<T>,
  location = vscode.ProgressLocation.Notification,
): Thenable<T> {
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) =>
    task(toAbortSignal(token), (step) => progress.report(step)),
  );
}

/** Says what went wrong, with what came back; a cancellation is none. */
export function tellError(error: unknown, log: Log): void {
  if (isCancelled(error)) return;
  const known = error instanceof SwitchboardError ? error : undefined;
  log.error(known ? `${known.code} ${known.status ?? ''} ${known.address ?? ''}` : String(error));
  const sentence = known
    ? known.message
    : l10n.t('Something in Switchboard itself went wrong. The log has the details.');
  void tell(known?.why ? `${sentence} ${l10n.t('Came back: {0}', known.why)}` : sentence);
}

async function tell(message: string): Promise<void> {
  const showLog = l10n.t('Show Log');
  const answer = await vscode.window.showErrorMessage(message, showLog);
  if (answer === showLog) await vscode.commands.executeCommand(commandIds.showLog);
}

/** Asks a question that something cannot be taken back after. */
export async function confirmModal(question: string, action: string, detail = ''): Promise<boolean> {
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, action);
  return answer === action;
}
