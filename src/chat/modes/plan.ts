import * as l10n from '@vscode/l10n';
import type { ChatItem } from '../items.ts';

/**
 * The message that has an agent carry out the plan of an answer that was given in the mode "Plan", word for word;
 * undefined where there is none to start: the answer was cut off, or something was said since.
 */
export function planToStart(items: readonly ChatItem[], answerId: string): string | undefined {
  const newest = items.findLastIndex(({ type }) => type === 'user' || type === 'answer');
  const plan = items[newest]?.id === answerId ? planAt(items, newest) : undefined;
  return plan && `${l10n.t('Carry out this plan:')}\n\n${plan}`;
}

/** The plan of the answer that stands there, whether it is the newest or not. */
export function planAt(items: readonly ChatItem[], at: number): string | undefined {
  const answer = items[at];
  if (answer?.type !== 'answer' || answer.end?.reason !== 'answered' || !answer.text.trim()) return undefined;
  let asked = at - 1;
  while (asked >= 0 && items[asked]!.type !== 'user') asked--;
  const message = items[asked];
  return message?.type === 'user' && message.mode?.id === 'plan' ? planIn(answer.text) : undefined;
}

/** From the heading that the model was asked for on; without one all of the answer. */
function planIn(text: string): string {
  const start = text.search(/^ {0,3}#{1,6}[ \t]+(?:\*\*)?plan\b/im);
  return (start < 0 ? text : text.slice(start)).trim();
}
