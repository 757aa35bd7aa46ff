import * as l10n from '@vscode/l10n';
import type { ChatItem } from '../conversation/items.ts';

/** The plan to start, verbatim; undefined if the answer is incomplete or no longer the newest. */
export function planToStart(items: readonly ChatItem[], answerId: string): string | undefined {
  const newest = items.findLastIndex(({ type }) => type === 'user' || type === 'answer');
  const plan = items[newest]?.id === answerId ? planAt(items, newest) : undefined;
  return plan && `${l10n.t('Carry out this plan:')}\n\n${plan}`;
}

export function planAt(items: readonly ChatItem[], at: number): string | undefined {
  const answer = items[at];
  if (answer?.type !== 'answer' || answer.end?.reason !== 'answered' || !answer.text.trim()) return undefined;
  let asked = at - 1;
  while (asked >= 0 && items[asked]!.type !== 'user') asked--;
  const message = items[asked];
  return message?.type === 'user' && message.mode?.id === 'plan' ? planIn(answer.text) : undefined;
}

function planIn(text: string): string {
  const start = text.search(/^ {0,3}#{1,6}[ \t]+(?:\*\*)?plan\b/im);
  return (start < 0 ? text : text.slice(start)).trim();
}
