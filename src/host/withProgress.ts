import * as vscode from 'vscode';
import { delay } from '../base/delay.ts';

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
