import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { Icon } from '../controls/icon.tsx';
import type { ToolItem } from '../state/items.ts';
import { ToolEntry, Withheld } from './toolEntry.tsx';
import { useUnfolded } from '../state/panel.ts';

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
