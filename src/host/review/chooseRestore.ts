import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../base/format.ts';
import { inline } from '../../chat/calls/callMessage.ts';
import type { RestorableFile, RestoredParts } from '../../chat/editReviews.ts';
import type { ChangedPaths } from '../../tools/tool.ts';
import { toUri } from '../workspaceUris.ts';
import { askModal } from '../notifications.ts';

/**
 * Asks what of the state at a message is to be restored.
 * @param files that would change
 * @param byCommands what commands changed since, which nobody can take back
 * @returns undefined if nothing
 */
export async function chooseRestore(
  text: string,
  files: readonly RestorableFile[],
  byCommands: ChangedPaths,
): Promise<RestoredParts | undefined> {
  const count = filesMessage(files.length);
  const detail = files.map(({ path }) => path).join(', ');
  const conversationOnly = {
    label: l10n.t('Restore Conversation'),
    detail: l10n.t('Goes back to before this message, which returns to the message box. Files stay.'),
    parts: { files: false, conversation: true },
  };
  const withFiles = [
    {
      label: l10n.t('Restore Files and Conversation'),
      ...{ description: count, detail, parts: { files: true, conversation: true } },
    },
    {
      label: l10n.t('Restore Files'),
      ...{ description: count, detail, parts: { files: true, conversation: false } },
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

/**
 * Asks whether what a version of the conversation did to files is to be taken back when it is left.
 * @param byCommands what commands changed since, which nobody can take back
 */
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
        l10n.t('The version you leave changed 1 file. Restore it to what it was before?'),
        l10n.t(
          'The version you leave changed {0} files. Restore them to what they were before?',
          formatNumber(files.length),
        ),
      ),
      detail: [...files.map(({ path }) => path), commandsMessage(byCommands)].filter(Boolean).join('\n'),
    },
    restore,
    keep,
  );
  if (answer === restore) return 'restore';
  return answer === keep ? 'keep' : undefined;
}

/** They are named as far as there is room. */
function commandsMessage({ paths, more }: ChangedPaths): string {
  if (paths.length === 0) return '';
  const named = paths.slice(0, 3).map((path) => vscode.workspace.asRelativePath(toUri(path)));
  const rest = paths.length - named.length + more;
  const list = named.join(', ');
  return rest === 0
    ? l10n.t('Changed by commands and not restored: {0}', list)
    : l10n.t('Changed by commands and not restored: {0} and {1} more', list, formatNumber(rest));
}

function filesMessage(count: number): string {
  return plural(count, l10n.t('1 file'), l10n.t('{0} files', formatNumber(count)));
}
