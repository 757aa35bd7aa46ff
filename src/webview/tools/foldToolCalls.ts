import type { AssistantItem, Item, ToolItem } from '../state/items.ts';

export type Shown =
  | { type: 'item'; item: Item; index: number }
  | { type: 'fold'; items: readonly ToolItem[] };

const fewest = 3;

/** Folds runs of finished reads, except a running turn's newest. Failed, denied and asking calls stand alone. */
export function foldToolCalls(items: readonly Item[], isRunning: boolean): Shown[] {
  const shown: Shown[] = [];
  let run: { item: Item; index: number }[] = [];
  const flush = (isNewest: boolean) => {
    const calls = run.flatMap(({ item }) => (isLook(item) ? [item] : []));
    const isFinished = calls.every(({ entry }) => entry.value.state === 'done');
    if (calls.length >= fewest && isFinished && !(isNewest && isRunning))
      shown.push({ type: 'fold', items: calls });
    else shown.push(...run.map((each) => ({ type: 'item' as const, ...each })));
    run = [];
  };
  for (const [index, item] of items.entries()) {
    if (item.type === 'tool' && item.entry.value.isHidden) continue;
    if (isLook(item) || (run.length > 0 && isWordless(item))) run.push({ item, index });
    else {
      flush(false);
      shown.push({ type: 'item', item, index });
    }
  }
  flush(true);
  return shown;
}

function isLook(item: Item): item is ToolItem {
  if (item.type !== 'tool') return false;
  const { look, state } = item.entry.value;
  return look !== undefined && ['waiting', 'running', 'done'].includes(state);
}

/** An empty step between calls. Its text is final when it has ended, so deltas redraw nothing. */
function isWordless(item: Item): item is AssistantItem {
  return (
    item.type === 'assistant' &&
    item.end.value?.isStep === true &&
    item.text.peek() === '' &&
    item.reasoning.peek() === ''
  );
}
