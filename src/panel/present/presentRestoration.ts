import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { RestorationItem } from '../../chat/conversation/items.ts';
import type { UndoProblem } from '../../chat/store/events.ts';
import type { Entry } from '../../shared/transcript.ts';
import { remedyLabel } from './presentFailure.ts';
import { assertNever } from '../../base/errors/errors.ts';

export function toRestorationEntry(item: RestorationItem): Entry {
  const { id, edits, problems, isTakenBack, isUndo } = item;
  const paths = [...new Set(edits?.map(({ path }) => path))];
  const left = problems.map((problem) => `${problem.path}: ${undoProblemMessage(problem)}`);
  const text = [restoredMessage(item, paths.length), leftMessage(problems.length)].filter(Boolean).join(' ');
  return {
    ...{ type: 'notice', id, text },
    ...(paths.length + left.length > 0 && { detail: [...paths, ...left].join('\n') }),
    ...(!isTakenBack && {
      remedy: {
        type: 'restoreBack',
        label: isUndo ? l10n.t('Restore Again') : remedyLabel('restoreBack'),
      },
    }),
  };
}

function restoredMessage({ isConversation, edits, isUndo }: RestorationItem, count: number): string {
  const files =
    count === 0
      ? l10n.t('No files needed to change.')
      : plural(count, l10n.t('Restored 1 file.'), l10n.t('Restored {0} files.', formatNumber(count)));
  const conversation = isUndo ? l10n.t('Undid the restore.') : l10n.t('Restored the conversation.');
  if (!edits) return conversation;
  return isConversation || isUndo ? `${conversation} ${files}` : files;
}

function leftMessage(count: number): string {
  if (count === 0) return '';
  return plural(
    count,
    l10n.t("1 file couldn't be fully restored."),
    l10n.t("{0} files couldn't be fully restored.", formatNumber(count)),
  );
}

export function undoProblemMessage({ reason, why = '' }: UndoProblem): string {
  switch (reason) {
    case 'changed':
      return l10n.t('Not undone: changed since');
    case 'gone':
      return l10n.t('Not undone: deleted since');
    case 'lost':
      return l10n.t('Not undone: the earlier text is no longer stored (limit: 100 MB for each conversation)');
    case 'failed':
      return l10n.t('Not undone: {0}', why);
    default:
      return assertNever(reason);
  }
}
