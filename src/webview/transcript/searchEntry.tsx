import * as l10n from '@vscode/l10n';
import type { SearchEntry } from '../../shared/knowledge.ts';
import { formatNumber } from '../../base/text/format.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { Icon } from '../controls/icon.tsx';
import { ToolOutput } from '../tools/toolOutput.tsx';
import { useUnfolded } from '../state/panel.ts';

export function SearchEntryView({ item }: { item: SearchEntry }) {
  const [open, setOpen] = useUnfolded(item.id);
  const { query, state, found, durationMs, sent } = item;
  const name = l10n.t('Searched knowledge bases');
  const some = l10n.t('{0} found', formatNumber(found));
  const outcome = {
    done: some,
    incomplete: l10n.t('{0}, some failed', some),
    failed: l10n.t('failed'),
  }[state];
  return (
    <div class="entry tool" role="group" aria-label={name} data-entry-id={item.id}>
      <details
        class={`tool-card ${state}`}
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary title={query}>
          <Icon name={state === 'done' ? 'check' : 'warning'} />
          <span class="tool-message">{name}</span>
          <span class="tool-state">{outcome}</span>
          <Icon name="chevron-right" />
        </summary>
        {open && (
          <div class="tool-body">
            <p class="search-query">
              {l10n.t('Searched for: {0}', query)} · {formatDuration(durationMs)}
            </p>
            <ToolOutput id={item.id} name={l10n.t('Sent with the question')} text={sent} />
          </div>
        )}
      </details>
    </div>
  );
}
