import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AttachmentSource } from '../../chat/attachments/attachment.ts';
import { asObject } from '../../base/json.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { toPath } from '../workspace/workspacePlaces.ts';
import { type AskDependencies, type AskResult, askInPanel } from './askAboutCode.ts';
import { linesOf } from './codeQuestion.ts';

/** Lines around a message's place, where the test has no range of its own. */
const linesAround = 20;
const longestName = 80;

/** Asks about the text selected in the active terminal. */
export async function explainTerminalSelection(deps: AskDependencies): Promise<AskResult> {
  const text = await terminalSelection();
  if (text.trim() === '') {
    void deps.notifications.information(l10n.t('Select text in the terminal first.'));
    return 'none';
  }
  const name = l10n.t('Terminal output');
  const question = l10n.t(
    'Explain the attached terminal output. If it shows an error, say what causes it and how to fix it.',
  );
  return askInPanel(deps, 'question', question, [{ type: 'text', name, text }]);
}

/** The editor gives a terminal's selection only by the clipboard, whose text is put back. */
async function terminalSelection(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // Without a selection, nothing is copied.
  await clipboard.writeText('');
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}

/** @param failure a menu's argument: `{test, message}` of a message, or the `TestItem` itself */
export async function askAboutTest(
  deps: AskDependencies,
  request: 'explain' | 'fix',
  failure: unknown,
): Promise<AskResult> {
  const { test, message } = readFailure(failure);
  if (!test && !message) return 'none';
  const sources = [...placeOf(test, message), ...(message ? [messageSource(test, message)] : [])];
  if (sources.length === 0) return 'none';
  const name = oneLine(test?.label ?? '', longestName);
  const question =
    request === 'fix'
      ? l10n.t(
          'Fix the failing test "{0}". Find the cause first: it may be in the code or in the test.',
          name,
        )
      : l10n.t('Explain why the test "{0}" fails, and whether the code or the test is wrong.', name);
  return askInPanel(deps, request === 'fix' ? 'work' : 'question', question, sources);
}

type Test = Pick<vscode.TestItem, 'label' | 'uri' | 'range'>;

function readFailure(value: unknown): { test?: Test; message?: vscode.TestMessage } {
  const { test = value, message } = asObject(value) ?? {};
  return {
    ...(isTest(test) && { test }),
    ...(asObject(message) && { message: message as vscode.TestMessage }),
  };
}

function isTest(value: unknown): value is Test {
  return typeof asObject(value)?.['label'] === 'string';
}

function placeOf(test: Test | undefined, message: vscode.TestMessage | undefined): AttachmentSource[] {
  if (test?.uri && test.range) return [rangeSource(test.uri, linesOf(test.range))];
  const { location } = message ?? {};
  if (location) {
    const { first, last } = linesOf(location.range);
    return [rangeSource(location.uri, { first: Math.max(1, first - linesAround), last: last + linesAround })];
  }
  return test?.uri ? [{ type: 'path', path: toPath(test.uri) }] : [];
}

function rangeSource(uri: vscode.Uri, { first, last }: ReturnType<typeof linesOf>): AttachmentSource {
  return { type: 'range', path: toPath(uri), startLine: first, endLine: last };
}

function messageSource(
  test: Test | undefined,
  { message, expectedOutput, actualOutput, location }: vscode.TestMessage,
): AttachmentSource {
  const line = location && `${toPath(location.uri)}:${location.range.start.line + 1}`;
  const text = [
    ...(line === undefined ? [] : [line]),
    typeof message === 'string' ? message : message.value,
    ...(expectedOutput === undefined ? [] : [`expected:\n${expectedOutput}`]),
    ...(actualOutput === undefined ? [] : [`actual:\n${actualOutput}`]),
  ].join('\n');
  return { type: 'text', name: l10n.t('Message of {0}', oneLine(test?.label ?? '', longestName)), text };
}
