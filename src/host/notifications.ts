import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NewNotice, ShownProgress } from '../panel/panelNotices.ts';

/** The panel, as far as it can say things itself. */
export interface NoticePlace {
  isVisible(): boolean;
  show(notice: NewNotice): Promise<string | undefined>;
  showProgress(text: string, action: string, cancel: () => void): ShownProgress;
}

let panel: NoticePlace | undefined;

/** From then on the panel says what is to be said while it is visible. */
export function setNoticePlace(place: NoticePlace): void {
  panel = place;
}

/**
 * Says something to the user: in the panel while that is visible, since a notification would lie over its message box,
 * else in a notification.
 * @returns the label of the button that was pressed
 */
export async function notify(notice: NewNotice): Promise<string | undefined> {
  return panel?.isVisible() ? panel.show(notice) : notifyInEditor(notice);
}

/** Says in the panel, while that is visible, how far something is. Undefined where an editor's notification does. */
export function showProgressInPanel(text: string, cancel: () => void): ShownProgress | undefined {
  return panel?.isVisible() ? panel.showProgress(text, l10n.t('Cancel'), cancel) : undefined;
}

/**
 * Says it in a notification, also while the panel is visible. What need not be said any more goes to the editor's list
 * of notifications, so that it covers nothing; an extension cannot close it.
 */
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

/** Asks a question that everything else waits for. */
export async function askModal(
  { severity, text, detail }: { severity: 'information' | 'warning'; text: string; detail: string },
  ...actions: string[]
): Promise<string | undefined> {
  const ask =
    severity === 'warning' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  return ask(text, { modal: true, detail }, ...actions);
}

/** Asks a question that something cannot be taken back after. */
export async function confirmModal(question: string, action: string, detail = ''): Promise<boolean> {
  return (await askModal({ severity: 'warning', text: question, detail }, action)) === action;
}
