import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/format.ts';
import type { RestorationItem } from '../chat/items.ts';
import type { Entry } from '../shared/transcript.ts';
import { remedyLabel } from './presentFailure.ts';
import { undoProblemMessage } from './undoProblemMessage.ts';

/** What was restored, what could not be, and the way back. */
export function toRestorationEntry(item: RestorationItem): Entry {
  const { id, edits, problems, isTakenBack } = item;
  const paths = [...new Set(edits?.map(({ path }) => path))];
  const left = problems.map((problem) => `${problem.path}: ${undoProblemMessage(problem)}`);
  const text = [restoredMessage(item, paths.length), leftMessage(problems.length)].filter(Boolean).join(' ');
  return {
    ...{ type: 'notice', id, text },
    ...(paths.length + left.length > 0 && { detail: [...paths, ...left].join('\n') }),
    ...(!isTakenBack && { remedy: { type: 'restoreBack', label: remedyLabel('restoreBack') } }),
  };
}

function restoredMessage({ isConversation, edits }: RestorationItem, count: number): string {
  const files =
    count === 0
      ? l10n.t('No file had to be changed.')
      : plural(count, l10n.t('Restored 1 file.'), l10n.t('Restored {0} files.', formatNumber(count)));
  if (!edits) return l10n.t('Restored the conversation.');
  return isConversation ? `${l10n.t('Restored the conversation.')} ${files}` : files;
}

function leftMessage(count: number): string {
  if (count === 0) return '';
  return plural(
    count,
    l10n.t('1 file could not be restored completely.'),
    l10n.t('{0} files could not be restored completely.', formatNumber(count)),
  );
}
