import { frame } from '../../base/frame.ts';
import { quoted } from '../../tools/knowledge/findings.ts';
import { namedApart } from '../../tools/searchKnowledge.ts';
import type { Conversation, UserItem } from '../conversation.ts';
import type { ChatEvent } from '../events.ts';

/** What is put before a message of the user. Kept as it was sent, since vendors charge less for a beginning they know. */
export interface MessageContext {
  text: string;
  /** Names of the knowledge bases that were chosen then. */
  knowledge?: readonly string[];
}

/** As models read it. */
export function contextMessage({ text }: MessageContext): string {
  return frame({ kind: 'context', facts: {}, body: text });
}

/** What is to be put before the newest message; undefined once that is known, or the message is being answered. */
export function newContext({ all, bases }: Conversation): (ChatEvent & { type: 'contextAdded' }) | undefined {
  const at = all.findLastIndex(({ type }) => type === 'user');
  const asked = all[at];
  if (asked?.type !== 'user' || hasBegun(all.slice(at + 1))) return undefined;
  const knowledge = [...namedApart(bases).keys()];
  if (asked.context && isSame(asked.context.knowledge ?? [], knowledge)) return undefined;
  const lines = [...knowledgeLines(knowledge, all.slice(0, at))];
  if (lines.length === 0) return undefined;
  return {
    type: 'contextAdded',
    id: asked.id,
    text: lines.join('\n'),
    ...(knowledge.length > 0 && { knowledge }),
  };
}

/** The tool's definition names none, or a choice would change the beginning of every request. */
function knowledgeLines(names: readonly string[], before: Conversation['all']): string[] {
  if (names.length > 0)
    return [`Knowledge bases the user chose to ground your answer in: ${names.map(quoted).join(', ')}`];
  const last = before.findLast(
    (item): item is UserItem => item.type === 'user' && item.context !== undefined,
  );
  return last?.context?.knowledge?.length ? ['No knowledge base is chosen any more.'] : [];
}

function hasBegun(items: Conversation['all']): boolean {
  return items.some((item) => item.type === 'tool' || (item.type === 'answer' && item.text !== ''));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
