import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/format.ts';
import type { FilePreview } from '../../shared/tools.ts';
import { IconButton } from '../icon.tsx';
import { usePanel } from '../panel.ts';
import { ChangeCount } from './changeCount.tsx';

type LineKind = FilePreview['lines'][number]['kind'];

const signs: Record<LineKind, string> = { same: ' ', added: '+', removed: '−', gap: '⋯' };

/** An edit as the lines it would change, or the content of a new file. */
export function EditPreviewView({ id, preview }: { id: string; preview: FilePreview }) {
  const { post } = usePanel();
  const { path, isNew, added, removed, lines, more } = preview;
  const open = () => post({ type: 'showProposal', id, path });
  return (
    <div class="edit-preview">
      <div class="edit-preview-head">
        <span class="edit-path">{path}</span>
        {isNew ? (
          <span class="cut">{l10n.t('new file')}</span>
        ) : (
          <ChangeCount added={added} removed={removed} />
        )}
        <IconButton name={l10n.t('Open Diff')} icon="diff" onClick={open} />
      </div>
      <div
        class={isNew ? 'diff-lines new-file' : 'diff-lines'}
        role="group"
        aria-label={isNew ? l10n.t('Content of the new file') : l10n.t('Proposed edit')}
        tabIndex={0}
      >
        {lines.map(({ kind, text }, index) => (
          <div key={index} class={`diff-line ${kind}`}>
            {!isNew && <span class="diff-sign">{signs[kind]}</span>}
            <span class="diff-text">{text}</span>
          </div>
        ))}
        {isNew && lines.length === 0 && <div class="diff-line cut">{l10n.t('The file is empty.')}</div>}
      </div>
      {more > 0 && (
        <button type="button" class="link-button" onClick={open}>
          {plural(more, l10n.t('1 more line'), l10n.t('{0} more lines', formatNumber(more)))}
        </button>
      )}
    </div>
  );
}
