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
  const given = title !== undefined && inline(listed(input), longestArguments);
  const message = `${callMessage(question)}${lines ?? ''}${given ? ` (${given})` : ''}`;
  const whole =
    conversation === undefined ? message : l10n.t('{0} (in "{1}")', message, inline(conversation, 40));
  return whole.replaceAll('](', '] (');
}

/**
 * Whether what a command or a tool of others is given stands in the message as a whole: nobody is to allow the part of it
 * that they do not see, or a line break that reads as a space.
 */
export function saysWholeCall({ title, name, input }: Question): boolean {
  if (title === undefined) {
    const { command } = input;
    return name !== 'run_command' || (typeof command === 'string' && inline(command) === command);
  }
  const isWhole = (value: unknown) => typeof value !== 'string' || inline(value, Infinity) === value;
  return Object.values(input).every(isWhole) && inline(listed(input), Infinity).length <= longestArguments;
}

function listed(input: Question['input']): string {
  const { rows } = argumentsPreview(input);
  return rows.map(({ name, value }) => `${name}: ${value}`).join(', ');
}
