import * as l10n from '@vscode/l10n';
import { assertNever } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatSize } from '../../base/text/formatSize.ts';
import { formatTime } from '../../base/text/formatTime.ts';
import type { Waiting } from '../autoSync/sortPlan.ts';
import type { Pause, SyncState } from '../autoSync/syncState.ts';

const shortCommit = 7;

export function describeSync({ activity, pause, changed, waiting, inStep }: SyncState): string {
  if (pause) return describePause(pause);
  if (activity === 'working' || activity === 'due') return l10n.t('checking…');
  const paths = new Set(waiting.map(({ path }) => path)).size + (changed === 'all' ? 0 : changed.size);
  if (paths > 0) {
    return plural(paths, l10n.t('1 file waiting'), l10n.t('{0} files waiting', formatNumber(paths)));
  }
  if (changed === 'all' || !inStep) return l10n.t('changes waiting');
  const { commit, atMs } = inStep;
  return l10n.t('in sync as of {0}', commit?.slice(0, shortCommit) ?? formatTime(atMs));
}

export function describePause(pause: Pause): string {
  switch (pause.reason) {
    case 'user':
      return l10n.t('paused');
    case 'settings':
      return l10n.t('paused: settings changed');
    case 'merge':
      return l10n.t('paused: merge in progress');
    case 'git':
      return l10n.t('paused: Git is not available');
    case 'limit':
      return l10n.t('paused: limit');
    case 'branch':
      return l10n.t('paused: another branch');
    case 'platform':
      return l10n.t('paused: platform is down');
    case 'refused':
      return l10n.t('paused: rejected by the platform');
    default:
      return assertNever(pause);
  }
}

export function explainPause(pause: Pause, branch: string | undefined): string {
  switch (pause.reason) {
    case 'user':
      return l10n.t('Nothing is uploaded until you resume.');
    case 'settings':
      return l10n.t(
        'The limits or excluded files are no longer those you confirmed. Choose "Keep in Sync Automatically…" to confirm them.',
      );
    case 'merge':
      return l10n.t('Continues when the merge is finished.');
    case 'git':
      return l10n.t("The branch can't be checked. Continues when the editor's Git works again.");
    case 'limit': {
      const [files, size] = [formatNumber(pause.files), formatSize(pause.bytes)];
      return plural(
        pause.files,
        l10n.t('1 file ({0}) exceeds the limit per upload. The plan is shown first.', size),
        l10n.t('{0} files ({1}) exceed the limit per upload. The plan is shown first.', files, size),
      );
    }
    case 'branch':
      return branch === undefined
        ? l10n.t(
            'The folder was confirmed outside of a repository. Choose "Keep in Sync Automatically…" again.',
          )
        : l10n.t('Continues on the branch "{0}". Nothing is uploaded or deleted from another one.', branch);
    case 'platform':
      return l10n.t('Retried automatically. {0}', pause.message);
    case 'refused':
      return pause.message;
    default:
      return assertNever(pause);
  }
}

export function describeWaiting({ reason, message }: Waiting): string {
  switch (reason) {
    case 'conflict':
      return l10n.t('Changed, deleted or added by someone else on the platform');
    case 'deletion':
      return l10n.t('Deleted or skipped locally; its document is still on the platform');
    case 'renamed':
      return l10n.t('Renamed; the document of the old name is still on the platform');
    case 'secret':
      return message ?? l10n.t('Contains a secret');
    case 'disabled':
      return message ?? l10n.t('Disabled or archived on the platform');
    case 'failed':
      return l10n.t('Rejected: {0}', message ?? '');
    case 'unreadable':
      return message ?? l10n.t("Can't be read");
    case 'uncommitted':
      return l10n.t('Has changes that are not committed');
    case 'limit':
      return l10n.t('Exceeds the limit per upload');
    default:
      return assertNever(reason);
  }
}
