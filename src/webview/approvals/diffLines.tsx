import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/text/format.ts';
import type { FilePreview } from '../../shared/tools.ts';
import { useHighlightedLines } from './highlightDiff.ts';

type Line = FilePreview['lines'][number];

const signs: Record<Line['kind'], string> = { same: ' ', added: '+', removed: '−', gap: '⋯' };

interface Props {
  lines: readonly Line[];
  path: string;
  label: string;
  isNew?: boolean;
}

export function DiffLines({ lines, path, label, isNew = false }: Props) {
  const html = useHighlightedLines(lines, path);
  return (
    <div class={isNew ? 'diff-lines new-file' : 'diff-lines'} role="group" aria-label={label} tabIndex={0}>
      {lines.map(({ kind, text }, index) => (
        <div key={index} class={`diff-line ${kind}`}>
          {!isNew && <span class="diff-sign">{signs[kind]}</span>}
          {html[index] ? (
            // The highlighter escapes the code and only adds spans with classes.
            <span class="diff-text" dangerouslySetInnerHTML={{ __html: html[index] }} />
          ) : (
            <span class="diff-text">{text}</span>
          )}
        </div>
      ))}
      {isNew && lines.length === 0 && <div class="diff-line cut">{l10n.t('The file is empty.')}</div>}
    </div>
  );
}

export function ChangeCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="change-count">
      <span class="added">+{formatNumber(added)}</span> <span class="removed">−{formatNumber(removed)}</span>
    </span>
  );
}
