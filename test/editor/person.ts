import * as vscode from 'vscode';
import { type FormScript, withForms } from './scriptedForms.ts';
import { scriptedQuickPick, type ListScript } from './scriptedQuickPick.ts';

export interface Asked {
  kind: 'input' | 'warning' | 'information' | 'error' | 'pick';
  text: string;
  detail?: string;
  buttons?: readonly string[];
  /** `validateInput`'s message on the answer. */
  judged?: string;
}

interface Patched {
  showInputBox: unknown;
  showWarningMessage: unknown;
  showInformationMessage: unknown;
  showErrorMessage: unknown;
  showQuickPick: unknown;
  createQuickPick: unknown;
}

/** The user's answers in the order of the questions; a question beyond the script is dismissed. */
export interface PersonScript {
  types?: string[];
  presses?: string[];
  /** Buttons of information messages; `''` dismisses one. */
  answers?: string[];
  /** Parts of labels or details to pick in single-choice lists; without any, lists are accepted unchanged. */
  picks?: string[];
  /** Labels to tick in a multiple-choice list, which is dismissed without any; undefined accepts it unchanged. */
  ticks?: readonly string[];
  /** Scripts for lists that take more than one pick. */
  lists?: ListScript[];
  /** Forms of the panel; one beyond the script is cancelled. */
  forms?: FormScript[];
}

export async function withPerson(script: PersonScript, action: () => Thenable<unknown>): Promise<Asked[]> {
  const asked: Asked[] = [];
  const types = [...(script.types ?? [])];
  const presses = [...(script.presses ?? [])];
  const answers = [...(script.answers ?? [])];
  const picks = script.picks && [...script.picks];
  const window = vscode.window as unknown as Patched;
  const original: Patched = {
    showInputBox: window.showInputBox,
    showWarningMessage: window.showWarningMessage,
    showInformationMessage: window.showInformationMessage,
    showErrorMessage: window.showErrorMessage,
    showQuickPick: window.showQuickPick,
    createQuickPick: window.createQuickPick,
  };
  let failure: unknown;

  window.showInputBox = async (options: vscode.InputBoxOptions) => {
    const typed = types.shift();
    const judgement = typed === undefined ? undefined : await options.validateInput?.(typed);
    const judged = typeof judgement === 'string' ? judgement : judgement?.message;
    asked.push({ kind: 'input', text: options.title ?? '', ...(judged && { judged }) });
    const { Error: error } = vscode.InputBoxValidationSeverity;
    const refused = typeof judgement === 'string' ? judgement !== '' : judgement?.severity === error;
    return refused ? undefined : typed;
  };
  const message =
    (kind: 'warning' | 'information' | 'error') =>
    async (text: string, ...rest: (string | vscode.MessageOptions)[]) => {
      const options = rest.find((item) => typeof item === 'object');
      const buttons = rest.filter((item) => typeof item === 'string');
      asked.push({ kind, text, buttons, ...(options?.detail && { detail: options.detail }) });
      const given = { warning: presses, information: answers, error: undefined }[kind];
      const [next] = given ?? [];
      // A message of something else may come first.
      const isMeant = next === '' ? buttons.length > 0 : next !== undefined && buttons.includes(next);
      return isMeant ? given?.shift() : undefined;
    };
  window.showWarningMessage = message('warning');
  window.showInformationMessage = message('information');
  window.showErrorMessage = message('error');
  window.showQuickPick = async (
    items: readonly (string | vscode.QuickPickItem)[],
    options: vscode.QuickPickOptions = {},
  ) => {
    asked.push({ kind: 'pick', text: options.title ?? '' });
    const { ticks } = script;
    if (options.canPickMany && ticks) {
      const ticked = items.filter((item) => typeof item !== 'string' && ticks.includes(item.label));
      return ticks.length > 0 ? ticked : undefined;
    }
    if (!picks || options.canPickMany) return items;
    const wanted = picks.shift();
    if (wanted === undefined) return undefined;
    const labelOf = (item: string | vscode.QuickPickItem) => (typeof item === 'string' ? item : item.label);
    return (
      items.find((item) => labelOf(item).includes(wanted)) ??
      items.find((item) => typeof item !== 'string' && item.detail?.includes(wanted))
    );
  };
  const failed = (error: unknown) => {
    failure ??= error;
  };
  window.createQuickPick = scriptedQuickPick([...(script.lists ?? [])], failed);
  try {
    await withForms(script.forms ?? [], failed, action);
  } finally {
    Object.assign(window, original);
  }
  if (failure !== undefined) throw failure;
  return asked;
}

/** Shows what the window looks like, in both themes, in out/failures, if pictures are asked for (`SCREENSHOTS=1`). */
export async function takePictures(title: string): Promise<void> {
  const screen = process.env['SWITCHBOARD_TEST_SCREEN'];
  if (screen === undefined || !process.env['SCREENSHOTS']) return;
  const configuration = vscode.workspace.getConfiguration('workbench');
  for (const theme of ['Default Light Modern', 'Default Dark Modern']) {
    await configuration.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
    // The window is drawn anew some time after the setting is written.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await fetch(`${screen}/?${new URLSearchParams({ title: `${title} ${theme}` })}`);
  }
  await configuration.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
}
