import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NewNotice, PanelNotices, ShownProgress } from '../../panel/panelNotices.ts';

let panel: { notices: Pick<PanelNotices, 'show' | 'showProgress'>; isVisible(): boolean } | undefined;

/** Makes `notify` use the panel while it is visible. */
export function notifyInPanel(notices: NonNullable<typeof panel>['notices'], isVisible: () => boolean): void {
  panel = { notices, isVisible };
}

/**
 * Notifies in the panel while it is visible, as a notification would cover its message box. Returns the pressed button.
 */
export async function notify(notice: NewNotice): Promise<string | undefined> {
  return panel?.isVisible() ? panel.notices.show(notice) : notifyInEditor(notice);
}

/** Undefined if the panel is hidden. */
export function showProgressInPanel(text: string, cancel: () => void): ShownProgress | undefined {
  return panel?.isVisible() ? panel.notices.showProgress(text, l10n.t('Cancel'), cancel) : undefined;
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

export async function askModal(
  { severity, text, detail }: { severity: 'information' | 'warning'; text: string; detail: string },
  ...actions: string[]
): Promise<string | undefined> {
  const ask =
    severity === 'warning' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  return ask(text, { modal: true, detail }, ...actions);
}

export async function confirmModal(question: string, action: string, detail = ''): Promise<boolean> {
  return (await askModal({ severity: 'warning', text: question, detail }, action)) === action;
}
