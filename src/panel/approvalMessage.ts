import * as l10n from '@vscode/l10n';
import { formatNumber } from '../base/format.ts';
import type { ProposedFile } from '../tools/tool.ts';
import type { Question } from '../chat/calls/toolBox.ts';
import { inline, callMessage } from '../chat/calls/callMessage.ts';
import { argumentsPreview } from './callPreview.ts';

/** Of the arguments of a tool of others, in characters; the panel shows all of them. */
const longestArguments = 200;

/**
 * What is asked, on one line of plain text. The editor makes links of Markdown in its messages, also such that run
 * commands, so nothing of a model's words may read as one.
 * @param conversation its name, where it is not the one in view
 */
export function approvalMessage(question: Question, conversation: string | undefined): string {
  const { proposal, title, input } = question;
  const sum = (count: (file: ProposedFile) => number) =>
    formatNumber((proposal?.files ?? []).reduce((all, file) => all + count(file), 0));
  const lines = proposal && ` +${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
  // What tools of others are asked to do is in their arguments alone.
  const given = title !== undefined && argumentsOnOneLine(input);
  const message = `${callMessage(question)}${lines ?? ''}${given ? ` (${given})` : ''}`;
  const whole =
    conversation === undefined ? message : l10n.t('{0} (in "{1}")', message, inline(conversation, 40));
  return whole.replaceAll('](', '] (');
}

/** Whether a command stands in the message as a whole: nobody is to allow the part of one that they do not see. */
export function saysWholeCommand({ title, name, input }: Question): boolean {
  const { command } = input;
  return (
    title !== undefined ||
    name !== 'run_command' ||
    (typeof command === 'string' && inline(command) === command)
  );
}

function argumentsOnOneLine(input: Question['input']): string {
  const { rows } = argumentsPreview(input);
  return inline(rows.map(({ name, value }) => `${name}: ${value}`).join(', '), longestArguments);
}
