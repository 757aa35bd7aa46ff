import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/format.ts';
import { Icon } from './icon.tsx';
import { usePanel } from './panel.ts';
import type { EditsItem } from './state.ts';

/** The files a turn changed, each to open, and one button that puts them all back. */
export function EditsEntry({ item }: { item: EditsItem }) {
  const { state, post } = usePanel();
  const note = item.note.value;
  return (
    <div class="entry edits" role="group" aria-label={l10n.t('Changed files')}>
      <div class="edits-head">
        <Icon name="diff-multiple" />
        <span>
          {plural(
            item.paths.length,
            l10n.t('1 file changed'),
            l10n.t('{0} files changed', formatNumber(item.paths.length)),
          )}
        </span>
        {note === undefined && (
          <button
            type="button"
            class="button secondary"
            disabled={state.status.value.type !== 'idle'}
            onClick={() => post({ type: 'revertEdits', entryId: item.id })}
          >
            {l10n.t('Revert')}
          </button>
        )}
      </div>
      <ul class="locations">
        {item.paths.map((path) => (
          <li key={path}>
            <button
              type="button"
              class="link-button"
              onClick={() => post({ type: 'openLocation', location: { path } })}
            >
              {path}
            </button>
          </li>
        ))}
      </ul>
      {note !== undefined && <p class="edits-note">{note}</p>}
    </div>
  );
}
