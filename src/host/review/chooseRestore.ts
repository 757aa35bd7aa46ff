import type { ChangedPaths } from '../../tools/edits/editJournal.ts';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../base/text/format.ts';
import { inline } from '../../base/text/oneLine.ts';
import type { RestorableFile, RestoredParts } from '../../chat/edits/editReviews.ts';
import { toUri } from '../workspace/workspacePlaces.ts';
import { askModal } from '../ui/modals.ts';

/** Asks what to restore at a message. Changes by commands can't be undone. Undefined when dismissed. */
export async function chooseRestore(
  text: string,
  files: readonly RestorableFile[],
  byCommands: ChangedPaths,
): Promise<RestoredParts | undefined> {
  const count = filesMessage(files.length);
  const detail = files.map(nameOf).join(', ');
  const conversationOnly = {
    label: l10n.t('Restore Conversation'),
    detail: l10n.t(
      'Reverts the conversation to before this message and puts the message back in the box. Files stay.',
    ),
    parts: { files: false, conversation: true },
  };
  const withFiles = [
    {
      label: l10n.t('Restore Files and Conversation'),
      description: count,
      detail,
      parts: { files: true, conversation: true },
    },
    {
      label: l10n.t('Restore Files'),
      description: count,
      detail,
      parts: { files: true, conversation: false },
    },
  ];
  const chosen = await vscode.window.showQuickPick(
    files.length > 0 ? [...withFiles, conversationOnly] : [conversationOnly],
    {
      title: l10n.t('Restore to Before "{0}"', inline(text, 40)),
      placeHolder: [l10n.t('Your own edits and changes by other programs stay.'), commandsMessage(byCommands)]
        .filter(Boolean)
        .join(' '),
      ignoreFocusOut: true,
    },
  );
  return chosen?.parts;
}

/** Asks whether to undo a version's file changes when leaving it. Changes by commands can't be undone. */
export async function askToRestore(
  files: readonly RestorableFile[],
  byCommands: ChangedPaths,
): Promise<'restore' | 'keep' | undefined> {
  const restore = l10n.t('Restore Files');
  const keep = l10n.t('Keep Files');
  const answer = await askModal(
    {
      severity: 'information',
      text: plural(
        files.length,
        l10n.t("The version you're leaving changed 1 file. Restore its previous content?"),
        l10n.t(
          "The version you're leaving changed {0} files. Restore their previous content?",
          formatNumber(files.length),
        ),
      ),
      detail: [...files.map(nameOf), commandsMessage(byCommands)].filter(Boolean).join('\n'),
    },
    restore,
    keep,
  );
  if (answer === restore) return 'restore';
  return answer === keep ? 'keep' : undefined;
}

function commandsMessage({ paths, more }: ChangedPaths): string {
  if (paths.length === 0) return '';
  const named = paths.slice(0, 3).map((path) => vscode.workspace.asRelativePath(toUri(path)));
  const rest = paths.length - named.length + more;
  const list = named.join(', ');
  return rest === 0
    ? l10n.t('Changed by commands and not restored: {0}', list)
    : l10n.t('Changed by commands and not restored: {0} and {1} more', list, formatNumber(rest));
}

/** Current name of the file, which may have been renamed. */
function nameOf({ path, place }: RestorableFile): string {
  return place?.path ?? path;
}

function filesMessage(count: number): string {
  return plural(count, l10n.t('1 file'), l10n.t('{0} files', formatNumber(count)));
}
