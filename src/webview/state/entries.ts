import { batch } from '@preact/signals';
import type { ToPage } from '../../shared/protocol.ts';
import { toItem, type AssistantItem } from './items.ts';
import type { PageState } from './pageState.ts';

type Added = Extract<ToPage, { type: 'entryAdded' }>;
type Loaded = Extract<ToPage, { type: 'entriesLoaded' }>;
type Replaced = Extract<ToPage, { type: 'entriesReplaced' }>;

/** Searched from the end: the answer being written is nearly always the last entry. */
export function answerOf(state: PageState, id: string): AssistantItem | undefined {
  const item = state.items.peek().findLast((each) => each.id === id);
  if (!item && state.unseenAnswer?.id === id) return state.unseenAnswer;
  return item?.type === 'assistant' ? item : undefined;
}

export function reachesEnd(state: PageState): boolean {
  return state.first.value + state.items.value.length >= state.total.value;
}

export function addEntry(state: PageState, { entry, index, total }: Added): void {
  const [items, first] = [[...state.items.peek()], state.first.peek()];
  const known = items.findLastIndex(({ id }) => id === entry.id);
  const isAtEnd = index === state.total.peek();
  const at = index - first;
  if (known < 0 && total > state.total.peek()) state.heights.insert(index);
  const item = toItem(entry);
  if (known >= 0) items[known] = item;
  else if (at < 0) state.first.value += total - state.total.peek();
  else if (at < items.length || (at === items.length && isAtEnd)) items.splice(at, 0, item);
  else if (item.type === 'assistant') state.unseenAnswer = item;
  state.total.value = total;
  state.items.value = items;
  const isAnswerTo = item.type === 'assistant' && items[at - 1]?.type === 'user';
  if (known < 0 && isAtEnd && (item.type === 'user' || isAnswerTo)) state.asked.value++;
}

export function replaceEntries(state: PageState, { from, entries }: Replaced): void {
  const [items, first] = [state.items.peek(), state.first.peek()];
  state.heights.truncate(from);
  state.total.value = from + entries.length;
  if (from > first + items.length) return;
  state.items.value = [...items.slice(0, Math.max(0, from - first)), ...entries.map(toItem)];
  state.first.value = Math.min(first, from);
}

export function addLoadedEntries(state: PageState, { requestId, first, entries, total }: Loaded): void {
  const { loading } = state;
  const isAwaited = loading.peek()?.requestId === requestId;
  const isElsewhere = isAwaited && loading.peek()?.where === 'elsewhere';
  if (isAwaited) loading.value = undefined;
  state.total.value = total;
  const [items, start] = [state.items.peek(), state.first.peek()];
  const joins = first <= start + items.length && start <= first + entries.length;
  if (!joins && !isElsewhere) return;
  const added = entries.map(toItem);
  if (joins) {
    const after = start + items.length - first;
    state.items.value = [
      ...added.slice(0, Math.max(0, start - first)),
      ...items,
      ...added.slice(Math.min(after, added.length)),
    ];
  } else state.items.value = added;
  state.first.value = joins ? Math.min(start, first) : first;
  if (state.items.peek().some(({ id }) => id === state.unseenAnswer?.id)) state.unseenAnswer = undefined;
}

export function narrow(state: PageState, from: number, to: number): void {
  const items = state.items.peek();
  const newest = items.slice(to).findLast((item) => item.type === 'assistant');
  if (newest && !newest.end.peek()) state.unseenAnswer = newest;
  batch(() => {
    state.items.value = items.slice(from, to);
    state.first.value += from;
  });
}
