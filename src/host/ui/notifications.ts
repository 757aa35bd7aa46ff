import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { NewNotice, PanelNotices, ShownProgress } from '../../panel/panelNotices.ts';

interface Panel {
  notices: Pick<PanelNotices, 'show' | 'showProgress'>;
  view: { readonly isVisible: boolean; onDidChangeVisibility(listener: () => void): Disposable };
}

let panel: Panel | undefined;

/** About as long as the editor shows a notification. */
const toastMs = 15_000;

export function notifyInPanel(notices: Panel['notices'], view: Panel['view']): void {
  panel = { notices, view };
}

/** Notifies in the panel if visible, as a toast would cover its box. Returns the pressed button. */
export async function notify(notice: NewNotice): Promise<string | undefined> {
  if (!panel) return notifyInEditor(notice);
  const { notices, view } = panel;
  return view.isVisible ? notices.show(notice) : notifyUntilShown(notice, notices, view);
}

/** Moves a notification into the panel when that opens below it. Both can be answered. */
async function notifyUntilShown(
  notice: NewNotice,
  notices: Panel['notices'],
  view: Panel['view'],
): Promise<string | undefined> {
  const untilMs = Date.now() + toastMs;
  const moved = new AbortController();
  const inPanel = Promise.withResolvers<string | undefined>();
  const listening = view.onDidChangeVisibility(() => {
    if (!view.isVisible) return;
    listening.dispose();
    if (Date.now() > untilMs || notice.signal?.aborted) return;
    moved.abort();
    inPanel.resolve(notices.show(notice));
  });
  const signal = notice.signal ? AbortSignal.any([notice.signal, moved.signal]) : moved.signal;
  const inEditor = notifyInEditor({ ...notice, signal }).finally(() => listening.dispose());
  return Promise.race([
    inEditor.then((action) => action ?? (moved.signal.aborted ? inPanel.promise : undefined)),
    inPanel.promise.then((action) => action ?? inEditor),
  ]);
}

export function showProgressInPanel(text: string, cancel: () => void): ShownProgress | undefined {
  return panel?.view.isVisible ? panel.notices.showProgress(text, l10n.t('Cancel'), cancel) : undefined;
}

/** Notifies in the editor. An aborted one moves to the notification center, since extensions can't close it. */
export async function notifyInEditor({
  severity,
  text,
  actions = [],
  signal,
}: NewNotice): Promise<string | undefined> {
  const show = {
    information: vscode.window.showInformationMessage,
    warning: vscode.window.showWarningMessage,
    error: vscode.window.showErrorMessage,
  }[severity];
  const hide = () => void vscode.commands.executeCommand('notifications.hideToasts');
  signal?.addEventListener('abort', hide, { once: true });
  try {
    return await show(text, ...actions);
  } finally {
    signal?.removeEventListener('abort', hide);
  }
}

export function showInformation(text: string, ...actions: string[]): Promise<string | undefined> {
  return notify({ severity: 'information', text, actions });
}

export function showWarning(text: string, ...actions: string[]): Promise<string | undefined> {
  return notify({ severity: 'warning', text, actions });
}

export function showError(text: string, ...actions: string[]): Promise<string | undefined> {
  return notify({ severity: 'error', text, actions });
}
