import * as l10n from '@vscode/l10n';
import { causeText, assertNever } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import type { DocumentStatus } from '../indexing/documentStatus.ts';

export interface DescribedStatus {
  icon: string;
  color?: string;
  words: string;
  explanation?: string;
}

export function describeStatus(status: DocumentStatus): DescribedStatus {
  switch (status.type) {
    case 'toSend':
      return { icon: 'circle-outline', words: l10n.t('to be uploaded') };
    case 'sending':
      return { icon: 'cloud-upload', words: l10n.t('uploading {0} %', percent(status)) };
    case 'notSent': {
      const explanation = causeText(status.error);
      return {
        ...failed,
        words: l10n.t('not uploaded: {0}', status.error.message),
        ...(explanation && { explanation }),
      };
    }
    case 'waiting':
      return {
        icon: 'watch',
        words: l10n.t('waiting'),
        explanation: l10n.t('Uploaded, and queued for indexing on the platform.'),
      };
    case 'preparing':
      return { icon: 'loading~spin', words: l10n.t('being prepared') };
    case 'indexing':
      return {
        icon: 'loading~spin',
        words:
          status.of === undefined
            ? l10n.t('indexing')
            : l10n.t('indexing {0} of {1}', formatNumber(status.done ?? 0), formatNumber(status.of)),
      };
    case 'indexed':
      return {
        icon: 'pass',
        color: 'testing.iconPassed',
        words: indexedWords(status.segments),
      };
    case 'empty':
      return {
        icon: 'warning',
        color: 'list.warningForeground',
        words: l10n.t('available, but empty'),
        explanation: l10n.t(
          "No text was found in it, so searches can't find it. A scanned PDF, for example, contains no text.",
        ),
      };
    case 'failed':
      return {
        ...failed,
        words: status.reason ? l10n.t('failed: {0}', status.reason) : l10n.t('failed for an unknown reason'),
      };
    case 'stuck':
      return stuckStatus(status);
    case 'paused':
      return {
        icon: 'debug-pause',
        words: l10n.t('paused'),
        explanation: l10n.t('Indexing was paused on the platform.'),
      };
    case 'disabled':
      return {
        icon: 'eye-closed',
        words: l10n.t('disabled'),
        explanation: l10n.t('Kept, but not searched.'),
      };
    case 'archived':
      return {
        icon: 'archive',
        words: l10n.t('archived'),
        explanation: l10n.t("Kept on the platform, but can't be searched or changed."),
      };
    default:
      return assertNever(status);
  }
}

function stuckStatus({ at, sinceMs }: DocumentStatus & { type: 'stuck' }): DescribedStatus {
  const duration = atLeastAMinute(sinceMs);
  const isWaiting = at === 'waiting';
  return {
    icon: 'warning',
    color: 'list.warningForeground',
    words: isWaiting
      ? l10n.t('stuck in queue for {0}', duration)
      : l10n.t('no indexing progress for {0}', duration),
    explanation: isWaiting
      ? l10n.t(
          "The platform's worker may not be running, or its queue is long. Contact your platform administrator.",
        )
      : l10n.t(
          "The platform's worker may have stopped, or its embedding model doesn't respond. Upload the document again, or contact your platform administrator.",
        ),
  };
}

function indexedWords(segments: number | undefined): string {
  if (segments === undefined) return l10n.t('indexed');
  return plural(
    segments,
    l10n.t('indexed, 1 segment'),
    l10n.t('indexed, {0} segments', formatNumber(segments)),
  );
}

const failed = { icon: 'error', color: 'list.errorForeground' } as const;

function percent({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }): number {
  return totalBytes === 0 ? 0 : Math.min(100, Math.floor((sentBytes / totalBytes) * 100));
}

function atLeastAMinute(ms: number): string {
  return formatDuration(Math.max(60_000, ms), 'about');
}
