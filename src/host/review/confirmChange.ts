import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { diffLines } from '../../base/text/lineDiff.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { FileChange } from '../../tools/edits/checkedChange.ts';
import { protectionMessage } from '../../tools/policy/protectionMessage.ts';
import { closeDiff, showDiff } from '../approvals/proposalDiffs.ts';
import { restoreScheme } from '../ids.ts';
import { confirmModal } from '../ui/modals.ts';

const shownLines = 16;
const shownCharacters = 120;

export async function confirmChange(
  { file, before, after }: FileChange,
  title = l10n.t('{0} (to be restored)', file.shown),
): Promise<boolean> {
  const { shown, protection } = file;
  const [question, action] =
    after === undefined
      ? [l10n.t('Delete {0}?', shown), l10n.t('Delete')]
      : before === undefined
        ? [l10n.t('Create {0}?', shown), l10n.t('Create')]
        : [l10n.t('Change {0}?', shown), l10n.t('Change')];
  const id = randomUUID();
  const uriOf = (side: 'before' | 'after') =>
    vscode.Uri.from({ scheme: restoreScheme, path: `/${side}/${id}/${shown}` });
  const sides = { before: uriOf('before'), after: uriOf('after') };
  const texts = new Map([
    [sides.before.path, before ?? ''],
    [sides.after.path, after ?? ''],
  ]);
  const provider = vscode.workspace.registerTextDocumentContentProvider(restoreScheme, {
    provideTextDocumentContent: ({ path }) => texts.get(path),
  });
  try {
    await showDiff({ ...sides, title }, { preserveFocus: true });
    const reason = protection ? [protectionMessage(protection)] : [];
    const detail = [...reason, '', ...changedLines(before ?? '', after ?? '')].join('\n');
    return await confirmModal(question, action, detail);
  } finally {
    await closeDiff(sides.after);
    provider.dispose();
  }
}

function changedLines(before: string, after: string): string[] {
  const lines = diffLines(before, after).flatMap(({ kind, lines: texts }) =>
    kind === 'same' ? [] : texts.map((text) => `${kind === 'added' ? '+' : '−'} ${cut(visibleText(text))}`),
  );
  const more = lines.length - shownLines;
  if (more <= 0) return lines;
  const rest = plural(
    more,
    l10n.t('… and 1 more line, shown in the diff'),
    l10n.t('… and {0} more lines, shown in the diff', formatNumber(more)),
  );
  return [...lines.slice(0, shownLines), rest];
}

function cut(line: string): string {
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
}
