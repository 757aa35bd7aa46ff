import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { asObject } from '../../base/json.ts';
import type { RefusedInput } from '../../knowledge/upload/pipelineRun.ts';

export async function askForInput({
  variable,
  answer,
  why,
  options,
}: RefusedInput): Promise<string | undefined> {
  const title = titleOf(variable);
  if (options) {
    return vscode.window.showQuickPick([...options], {
      title,
      placeHolder: l10n.t('Choose one of the values that the pipeline accepts'),
      ignoreFocusOut: true,
    });
  }
  return vscode.window.showInputBox({
    title,
    prompt:
      answer === undefined
        ? l10n.t('The pipeline requires this input.')
        : l10n.t('The platform rejected this value: {0}', why),
    ...(answer !== undefined && { value: answer }),
    ignoreFocusOut: true,
    validateInput: (text) => (text === '' ? l10n.t('Required') : undefined),
  });
}

/**
 * Asks again for the inputs of the last run, prefilled: a run without a required one leaves an unindexed document on the
 * platform. What is emptied is left out. Undefined when dismissed.
 */
export async function confirmInputs(last: unknown): Promise<Map<string, string> | undefined> {
  const inputs = new Map<string, string>();
  for (const [variable, value] of Object.entries(asObject(last) ?? {})) {
    if (typeof value !== 'string') continue;
    const answer = await vscode.window.showInputBox({
      title: titleOf(variable),
      prompt: l10n.t('As in the last run. Leave empty if the pipeline no longer asks for it.'),
      value,
      ignoreFocusOut: true,
    });
    if (answer === undefined) return undefined;
    if (answer !== '') inputs.set(variable, answer);
  }
  return inputs;
}

function titleOf(variable: string): string {
  return l10n.t('Pipeline Input: {0}', variable);
}
