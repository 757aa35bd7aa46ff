import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { delay } from '../../base/async/promises.ts';
import type { Notifications } from './notifications.ts';

/** Tasks shorter than this, in ms, show no progress. */
const quietMs = 300;

/** Shows cancellable progress, in the panel while it is visible: a notification would cover its box. */
export async function withProgress<T>(
  notifications: Notifications,
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
  if (location === vscode.ProgressLocation.Notification) {
    const { panel } = notifications;
    const inWords = ({ message }: { message?: string }) => (message ? `${title}: ${message}` : title);
    const shown = panel?.view.isVisible
      ? panel.notices.showProgress(inWords(sofar), l10n.t('Cancel'), () => controller.abort())
      : undefined;
    if (shown) {
      show = (step) => {
        sofar.message = step.message ?? sofar.message ?? '';
        shown.report(inWords(sofar));
      };
      return work.finally(() => shown.withdraw());
    }
  }
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
