import type { AssistantItem, Item, ToolItem } from './state.ts';

/** What stands at one place of the transcript. */
export type Shown =
  | { type: 'item'; item: Item; index: number }
  /** Finished looks that followed each other. */
  | { type: 'fold'; items: readonly ToolItem[] };

/** Fewer than this many need no folding. */
const fewest = 3;

/**
 * Folds runs of calls that only looked. One in which a call still goes on is shown open, as is the newest while the
 * turn may go on with it. Whatever failed, was denied or asks stands for itself.
 */
export function foldRuns(items: readonly Item[], isRunning: boolean): Shown[] {
  const shown: Shown[] = [];
  let run: { item: Item; index: number }[] = [];
  const flush = (isNewest: boolean) => {
    const calls = run.flatMap(({ item }) => (item.type === 'tool' ? [item] : []));
    const isFinished = calls.every(({ entry }) => entry.value.state === 'done');
    if (calls.length >= fewest && isFinished && !(isNewest && isRunning))
      shown.push({ type: 'fold', items: calls });
    else shown.push(...run.map((each) => ({ type: 'item' as const, ...each })));
    run = [];
  };
  for (const [index, item] of items.entries()) {
    if (isLook(item) || (run.length > 0 && isWordless(item))) run.push({ item, index });
    else {
      flush(false);
      shown.push({ type: 'item', item, index });
    }
  }
  flush(true);
  return shown;
}

function isLook(item: Item): boolean {
  if (item.type !== 'tool') return false;
  const { look, state } = item.entry.value;
  return look !== undefined && ['waiting', 'running', 'done'].includes(state);
}

/** A step between calls that shows nothing. Its text is final once it has ended, so nothing is drawn for its deltas. */
function isWordless(item: Item): item is AssistantItem {
  return (
    item.type === 'assistant' &&
    item.end.value?.isStep === true &&
    item.text.peek() === '' &&
    item.reasoning.peek() === ''
  );
}
