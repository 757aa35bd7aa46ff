import * as l10n from '@vscode/l10n';
import type { AnswerItem, ChatItem } from '../conversation.ts';

/**
 * The message that has an agent carry out the plan of an answer that was given in the mode "Plan", word for word;
 * undefined where there is none to start: the answer was cut off, or something was said since.
 */
export function planToStart(items: readonly ChatItem[], answerId: string): string | undefined {
  const newest = items.findLast(({ type }) => type === 'user' || type === 'answer');
  const plan = newest?.type === 'answer' && newest.id === answerId ? planOf(items, newest) : undefined;
  return plan && `${l10n.t('Carry out this plan:')}\n\n${plan}`;
}

/** The plan of an answer, whether it is the newest or not. */
export function planOf(items: readonly ChatItem[], answer: AnswerItem): string | undefined {
  const { id, text, end } = answer;
  if (end?.reason !== 'answered' || !text.trim()) return undefined;
  const at = items.findIndex((item) => item.id === id);
  const message = items.slice(0, at).findLast((item) => item.type === 'user');
  return message?.mode?.id === 'plan' ? planIn(text) : undefined;
}

/** From the heading that the model was asked for on; without one all of the answer. */
function planIn(text: string): string {
  const start = text.search(/^ {0,3}#{1,6}[ \t]+(?:\*\*)?plan\b/im);
  return (start < 0 ? text : text.slice(start)).trim();
}
