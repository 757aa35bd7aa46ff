import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { Icon } from '../controls/icon.tsx';
import type { AssistantItem, Item, ToolItem } from '../state/items.ts';
import { ToolEntry, Withheld } from './toolEntry.tsx';
import { useUnfolded } from '../state/panel.ts';

const fewest = 3;

export function ToolFold({ items }: { items: readonly ToolItem[] }) {
  const id = items[0]?.id ?? '';
  const [open, setOpen] = useUnfolded(`fold:${id}`);
  const name = inWords(items);
  const withheld = new Set(items.flatMap(({ entry }) => entry.value.end?.withheld ?? []));
  return (
    <div class="entry tool fold" role="group" aria-label={name} data-entry-id={id}>
      <details class="tool-card" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon name="check" />
          <span class="tool-message" title={name}>
            {name}
          </span>
          <Icon name="chevron-right" />
        </summary>
        {open && items.map((item) => <ToolEntry key={item.id} item={item} isOpenEnd={false} />)}
      </details>
      {!open && <Withheld messages={[...withheld]} />}
    </div>
  );
}

function inWords(items: readonly ToolItem[]): string {
  const count = (look: string) => items.filter(({ entry }) => entry.value.look === look).length;
  const [files, searches, lists, others] = [count('file'), count('search'), count('list'), count('other')];
  const parts = [
    files > 0 && plural(files, l10n.t('read 1 file'), l10n.t('read {0} files', formatNumber(files))),
    searches > 0 &&
      plural(searches, l10n.t('searched once'), l10n.t('searched {0} times', formatNumber(searches))),
    lists > 0 &&
      plural(lists, l10n.t('listed files once'), l10n.t('listed files {0} times', formatNumber(lists))),
    others > 0 && plural(others, l10n.t('checked once'), l10n.t('checked {0} times', formatNumber(others))),
  ].filter((part) => part !== false);
  const sentence = parts.join(l10n.t(', '));
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}

type Shown = { type: 'item'; item: Item; index: number } | { type: 'fold'; items: readonly ToolItem[] };

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
