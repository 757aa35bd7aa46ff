import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/text/format.ts';
import { inline } from '../../base/text/oneLine.ts';
import type { ProposedFile } from '../../tools/tool.ts';
import type { Question } from '../../chat/calls/toolBox.ts';
import { callMessage, targetOf } from '../../chat/calls/callMessage.ts';

/** Characters of another extension's arguments in a notification; the panel shows all of them. */
const longestArguments = 200;

export function approvalMessage(question: Question, conversation: string | undefined): string {
  const { proposal, title } = question;
  const sum = (count: (file: ProposedFile) => number) =>
    formatNumber((proposal?.files ?? []).reduce((all, file) => all + count(file), 0));
  const lines = proposal && ` +${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
  // Only the arguments tell what another extension's tool would do.
  const given = title === undefined ? '' : inline(argumentsText(question), longestArguments);
  const message = `${callMessage(question)}${lines ?? ''}${given && ` ${given}`}`;
  return withoutLinks(
    conversation === undefined ? message : l10n.t('{0} (in "{1}")', message, inline(conversation, 40)),
  );
}

export type NotifiedAnswer = 'allow' | 'deny' | 'show';

/** A call that its message doesn't show as a whole can only be answered in the panel, a dangerous one only allowed there. */
export function answersTo(question: Question): readonly NotifiedAnswer[] {
  if (!saysWholeCall(question)) return ['show'];
  return question.isDangerous ? ['deny', 'show'] : ['allow', 'deny', 'show'];
}

/** True if the message shows the call letter by letter: no cut, no hidden character, one line, no argument left out. */
function saysWholeCall(question: Question): boolean {
  const { proposal, title, input, usual = [] } = question;
  if (proposal) return false;
  const isAsItIs = (text: string, longest?: number) => withoutLinks(inline(text, longest)) === text;
  if (title !== undefined) {
    const given = argumentsText(question);
    // A backslash may stand for a line break or hide the end of a text.
    return isAsItIs(title) && isAsItIs(given, longestArguments) && !given.includes('\\');
  }
  const [told = '', ...more] = Object.entries(input).flatMap(([name, value]) =>
    usual.includes(name) ? [] : [value],
  );
  return more.length === 0 && told === targetOf(question) && isAsItIs(told);
}

function argumentsText({ input }: Question): string {
  return Object.keys(input).length === 0 ? '' : JSON.stringify(input);
}

/** The editor renders Markdown links in messages, including command links. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
