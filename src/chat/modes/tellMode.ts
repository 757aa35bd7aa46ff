import type { ChatItem, UserItem } from '../conversation/items.ts';
import type { ChatEvent } from '../store/events.ts';
import { isBuiltInModeId, type Mode } from './mode.ts';

/** Mode instructions, stored with the newest message so that the prompt cache stays valid. Undefined if unchanged. */
export function tellMode(
  items: readonly ChatItem[],
  mode: Mode,
): Extract<ChatEvent, { type: 'modeTold' }> | undefined {
  const newest = items.findLast(({ type }) => type === 'user' || type === 'answer');
  if (newest?.type !== 'user') return undefined;
  const told = items.findLast(
    (item): item is UserItem => item.type === 'user' && item !== newest && !!item.mode,
  );
  if (mode.id === 'agent' && !mode.tools && (told?.mode?.id ?? 'agent') === 'agent') return undefined;
  const text = modeText(mode);
  // Long instructions aren't repeated while still readable above.
  const isRepeated =
    told?.mode?.id === mode.id && !isBuiltInModeId(mode.id) && fullText(items, told) === text;
  return {
    type: 'modeTold',
    id: newest.id,
    mode: { id: mode.id, name: mode.name },
    text: isRepeated ? `[Mode: ${mode.name}, as before]` : text,
    ...(isRepeated && { isRepeated }),
  };
}

export function fullText(items: readonly ChatItem[], message: UserItem): string | undefined {
  for (let at = items.indexOf(message); at >= 0; at--) {
    const item = items[at];
    if (item?.type !== 'user' || !item.mode) continue;
    if (item.mode.id !== message.mode?.id) return undefined;
    if (!item.mode.isRepeated) return item.mode.text;
  }
  return undefined;
}

function modeText(mode: Mode): string {
  const { id, name, isReadOnly, tools, instructions } = mode;
  const limits = [
    isReadOnly && 'Only tools that read are run; every other call is refused.',
    tools &&
      `${isBuiltInModeId(id) ? 'For this message only' : 'Only'} these tools are run: ${[...tools].join(', ') || 'none'}.`,
  ].filter((each) => typeof each === 'string');
  switch (id) {
    case 'ask':
      return `[Mode: ${name}. ${limits.join(' ')} Answer the question; where something should be changed, show how in the answer.]`;
    case 'plan':
      return `[Mode: ${name}. ${limits.join(' ')} Look at what the task needs, and ask the user what only they can decide. Then end the answer with the heading "## Plan" and under it the whole plan: numbered steps with the files they touch and how the result is checked. The user starts it; it is then carried out from these words alone.]`;
    case 'agent':
      return `[Mode: ${name}. ${tools ? limits.join(' ') : 'All tools can be called again.'}]`;
    default:
      return [`[Mode: ${name}. ${limits.join(' ')}`.trim() + ']', instructions].filter(Boolean).join('\n');
  }
}
