import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { DecideHunks, HunksLoaded, ShownHunk } from '../../shared/tools.ts';
import { IconButton } from '../controls/icon.tsx';
import { DiffLines } from './diffLines.tsx';

interface Props {
  loaded: HunksLoaded | undefined;
  isBusy: boolean;
  decide(decision: DecideHunks['decision'], key: string): void;
}

export function HunkList({ loaded, isBusy, decide }: Props) {
  if (!loaded) return null;
  const { path, hunks, more, problem } = loaded;
  if (problem) return <p class="edits-problem">{problem}</p>;
  if (hunks.length === 0) return <p class="edits-problem">{l10n.t('No changes left.')}</p>;
  return (
    <ul class="hunks" role="list">
      {hunks.map((hunk) => (
        <HunkView key={hunk.key} hunk={hunk} path={path} isBusy={isBusy} decide={decide} />
      ))}
      {more > 0 && (
        <li class="cut">
          {plural(
            more,
            l10n.t('1 more change, in the editor'),
            l10n.t('{0} more changes, in the editor', formatNumber(more)),
          )}
        </li>
      )}
    </ul>
  );
}

interface HunkProps extends Pick<Props, 'isBusy' | 'decide'> {
  hunk: ShownHunk;
  path: string;
}

function HunkView({ hunk, path, isBusy, decide }: HunkProps) {
  const { key, lines, more, isEdited } = hunk;
  const line = formatNumber(hunk.line);
  return (
    <li class="hunk">
      <div class="hunk-head">
        <span class="cut">{l10n.t('Line {0}', line)}</span>
        <span class="edits-decisions">
          <IconButton
            name={l10n.t('Keep the change at line {0}', line)}
            icon="check"
            disabled={isBusy}
            onClick={() => decide('keep', key)}
          />
          {!isEdited && (
            <IconButton
              name={l10n.t('Undo the change at line {0}', line)}
              icon="discard"
              disabled={isBusy}
              onClick={() => decide('undo', key)}
            />
          )}
        </span>
      </div>
      {isEdited && (
        <p class="edits-problem">{l10n.t("You changed these lines since, so they can't be undone.")}</p>
      )}
      <DiffLines lines={lines} path={path} label={l10n.t('Change at line {0}', line)} />
      {more > 0 && (
        <p class="cut">{plural(more, l10n.t('1 more line'), l10n.t('{0} more lines', formatNumber(more)))}</p>
      )}
    </li>
  );
}
