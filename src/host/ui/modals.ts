import * as vscode from 'vscode';
import { dialogsAbout } from '../../panel/present/callPreview.ts';

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

/** Confirms a text of a model or another program. The button comes only after all of the text was shown. */
export async function confirmText(question: string, action: string, text: string): Promise<boolean> {
  for (const dialog of dialogsAbout(text, action)) {
    if (!(await confirmModal(question, dialog.action, dialog.detail))) return false;
  }
  return true;
}

/** Asks for a text that is checked once there is one. Enter on an empty box says what is missing and asks again. */
export async function askText(
  missing: string,
  { validateInput, ...options }: vscode.InputBoxOptions,
): Promise<string | undefined> {
  let isMissing = false;
  for (;;) {
    const problem = isMissing ? missing : undefined;
    const typed = await vscode.window.showInputBox({
      ...options,
      validateInput: (text) => (text.trim() ? validateInput?.(text) : problem),
    });
    if (typed === undefined || typed.trim()) return typed;
    isMissing = true;
  }
}
