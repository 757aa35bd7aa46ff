import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/format.ts';
import type { EditsEntry as Entry } from '../../shared/tools.ts';
import { Icon, IconButton } from '../icon.tsx';
import { usePanel } from '../panel.ts';
import type { EditsItem } from '../state.ts';
import { ChangeCount } from './changeCount.tsx';

/** The files a turn changed, each with its difference to open, to be put back one by one or together. */
export function EditsEntry({ item }: { item: EditsItem }) {
  const { state, post } = usePanel();
  const { id, files } = item.entry.value;
  const isBusy = state.status.value.type !== 'idle';
  const remaining = files.filter(({ isReverted }) => !isReverted);
  const counted = files.filter(({ added }) => added !== undefined);
  const sum = (of: 'added' | 'removed') => counted.reduce((total, file) => total + (file[of] ?? 0), 0);
  const revert = (path?: string) =>
    post({ type: 'revertEdits', id: id, ...(path !== undefined && { path }) });
  return (
    <div class="entry edits" role="group" aria-label={l10n.t('Changed files')} data-entry-id={id}>
      <div class="edits-head">
        <Icon name="diff-multiple" />
        <span>
          {plural(
            files.length,
            l10n.t('1 file changed'),
            l10n.t('{0} files changed', formatNumber(files.length)),
          )}
        </span>
        {counted.length > 0 && <ChangeCount added={sum('added')} removed={sum('removed')} />}
        {remaining.length > 0 && (
          <button type="button" class="button secondary" disabled={isBusy} onClick={() => revert()}>
            {plural(files.length, l10n.t('Revert'), l10n.t('Revert All'))}
          </button>
        )}
      </div>
      <ul role="list">
        {files.map((file) => (
          <FileRow
            key={file.path}
            file={file}
            onOpen={() => post({ type: 'showChange', id: id, path: file.path })}
            onRevert={files.length > 1 ? () => revert(file.path) : undefined}
            isBusy={isBusy}
          />
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  file: Entry['files'][number];
  isBusy: boolean;
  onOpen(): void;
  /** Absent where the button for all does the same. */
  onRevert: (() => void) | undefined;
}

function FileRow({ file, isBusy, onOpen, onRevert }: RowProps) {
  const { path, added, removed, isReverted, problem } = file;
  return (
    <li>
      <div class="edits-file">
        <button type="button" class="link-button" title={l10n.t('Open Diff')} onClick={onOpen}>
          {path}
        </button>
        {isReverted ? (
          <span class="cut">{l10n.t('reverted')}</span>
        ) : (
          added !== undefined && <ChangeCount added={added} removed={removed ?? 0} />
        )}
        {!isReverted && onRevert && (
          <IconButton name={l10n.t('Revert {0}', path)} icon="discard" disabled={isBusy} onClick={onRevert} />
        )}
      </div>
      {problem && <p class="edits-problem">{problem}</p>}
    </li>
  );
}
