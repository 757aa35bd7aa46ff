import { frame } from '../../base/text/frame.ts';
import { quoted } from '../../tools/knowledge/searchBases.ts';
import { namedApart } from '../../tools/knowledge/searchKnowledgeTool.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { MessageContext, UserItem } from '../conversation/items.ts';
import type { ChatEvent } from '../store/events.ts';
import type { SeenFiles } from './editorFacts.ts';
import type { PromptSource } from './promptSource.ts';

export function contextMessage({ text }: Pick<MessageContext, 'text'>): string {
  return frame({ kind: 'context', facts: {}, body: text });
}

/** Context for the newest message; undefined if unchanged or the message is already being answered. */
export async function newContext(
  { all, bases, reports }: Conversation,
  { facts }: Pick<PromptSource, 'facts'>,
  now: number,
): Promise<(ChatEvent & { type: 'contextAdded' }) | undefined> {
  const at = all.findLastIndex(({ type }) => type === 'user');
  const asked = all[at];
  if (asked?.type !== 'user' || hasBegun(all.slice(at + 1))) return undefined;
  const knowledge = [...namedApart(bases).keys()];
  if (asked.context && isSame(asked.context.knowledge ?? [], knowledge)) return undefined;
  const before = all.slice(0, at);
  const lines = [
    ...(await facts(seenFiles(before))),
    ...knowledgeLines(knowledge, before),
    ...reports.values(),
  ];
  if (lines.length === 0) return undefined;
  return {
    type: 'contextAdded',
    id: asked.id,
    text: lines.join('\n'),
    at: now,
    ...(knowledge.length > 0 && { knowledge }),
    ...(reports.size > 0 && { reported: [...reports.keys()] }),
  };
}

function seenFiles(items: Conversation['all']): SeenFiles {
  const files = new Map<string, string | undefined>();
  const see = (path: string, left = files.get(path)) => {
    files.delete(path);
    files.set(path, left);
  };
  for (const item of items.slice(items.findLastIndex(({ type }) => type === 'summary') + 1)) {
    if (item.type === 'tool') for (const { path } of item.outcome?.locations ?? []) see(path);
    if (item.type === 'edits')
      for (const { path, afterHash, isInline } of item.edits) see(path, isInline ? undefined : afterHash);
  }
  return { since: items.findLast((item) => item.type === 'user')?.context?.at, files };
}

/** Named here because in the tool's definition a choice would change the start of every request. */
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
