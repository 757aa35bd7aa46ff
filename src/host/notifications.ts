import * as vscode from 'vscode';
import type { NewNotice } from '../panel/panelNotices.ts';

/** The panel, as far as it can say things itself. */
export interface NoticePlace {
  isVisible(): boolean;
  show(notice: NewNotice): Promise<string | undefined>;
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

/** Says it in a notification, also while the panel is visible. */
export async function notifyInEditor({
  severity,
  text,
  actions = [],
}: NewNotice): Promise<string | undefined> {
  switch (severity) {
    case 'information':
      return vscode.window.showInformationMessage(text, ...actions);
    case 'warning':
      return vscode.window.showWarningMessage(text, ...actions);
    case 'error':
      return vscode.window.showErrorMessage(text, ...actions);
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
