// Stands in for the person in front of the editor: answers the editor's questions from a script.
import * as vscode from 'vscode';

/** What was asked, and how the typed text was judged. */
export interface Asked {
  kind: 'input' | 'warning' | 'information' | 'pick';
  text: string;
  detail?: string;
  /** What `validateInput` said of the answer. */
  judged?: string;
}

interface Patched {
  showInputBox: unknown;
  showWarningMessage: unknown;
  showInformationMessage: unknown;
  showQuickPick: unknown;
}

/**
 * Runs `action` while the person answers input boxes by `types` and buttons by `presses`, in order; a question
 * beyond the script is dismissed. Pick lists are accepted as they are. Returns what was asked.
 */
export async function withPerson(
  script: { types?: string[]; presses?: string[] },
  action: () => Thenable<unknown>,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const types = [...(script.types ?? [])];
  const presses = [...(script.presses ?? [])];
  const window = vscode.window as unknown as Patched;
  const { showInputBox, showWarningMessage, showInformationMessage, showQuickPick } = window;
  const original: Patched = { showInputBox, showWarningMessage, showInformationMessage, showQuickPick };

  window.showInputBox = async (options: vscode.InputBoxOptions) => {
    const typed = types.shift();
    const judgement = typed === undefined ? undefined : await options.validateInput?.(typed);
    const judged = typeof judgement === 'string' ? judgement : judgement?.message;
    asked.push({ kind: 'input', text: options.title ?? '', ...(judged && { judged }) });
    const refused =
      typeof judgement === 'object' && judgement?.severity === vscode.InputBoxValidationSeverity.Error;
    return refused ? undefined : typed;
  };
  const message =
    (kind: 'warning' | 'information') =>
    async (text: string, ...rest: (string | vscode.MessageOptions)[]) => {
      const options = rest.find((item) => typeof item === 'object');
      asked.push({ kind, text, ...(options?.detail && { detail: options.detail }) });
      return kind === 'warning' ? presses.shift() : undefined;
    };
  window.showWarningMessage = message('warning');
  window.showInformationMessage = message('information');
  window.showQuickPick = async (items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions) => {
    asked.push({ kind: 'pick', text: options.title ?? '' });
    return items;
  };
  try {
    await action();
  } finally {
    Object.assign(window, original);
  }
  return asked;
}
