import * as l10n from '@vscode/l10n';
import { causeText } from '../../base/errors/errors.ts';
import { withSlashes } from '../../base/files/safeFileName.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { NotIndexed } from '../indexing/indexingPoller.ts';
import type { UploadReport } from '../upload/uploadResults.ts';

export interface ReportCounts {
  added: number;
  updated: number;
  removed: number;
  failed: number;
  notSent: number;
}

export function countReport({ added, updated, removed, failed, notSent }: UploadReport): ReportCounts {
  return {
    added: added.length,
    updated: updated.length,
    removed: removed.length,
    failed: failed.length,
    notSent,
  };
}

export function summariseReport(report: UploadReport): string {
  const { added, updated, removed, failed, notSent } = countReport(report);
  const parts = [
    added > 0 && l10n.t('{0} added', formatNumber(added)),
    updated > 0 && l10n.t('{0} updated', formatNumber(updated)),
    removed > 0 && l10n.t('{0} deleted', formatNumber(removed)),
    failed > 0 && l10n.t('{0} failed', formatNumber(failed)),
    notSent > 0 && l10n.t('{0} not uploaded', formatNumber(notSent)),
  ].filter((part) => part !== false);
  const list = parts.length > 0 ? parts.join(', ') : l10n.t('nothing was uploaded');
  const line = report.isCancelled
    ? l10n.t('{0}, stopped: {1}.', report.dataset.name, list)
    : l10n.t('{0}: {1}.', report.dataset.name, list);
  const [only] = report.failed;
  return only && failed === 1 ? `${line} ${withSlashes(only.name)}: ${only.error.message}` : line;
}

export function summariseNotIndexed(base: string, { documents }: NotIndexed): string {
  const [first] = documents;
  if (!first) return '';
  const { name, status } = first;
  const line = plural(
    documents.length,
    l10n.t("{0}: {1} was uploaded but couldn't be indexed.", base, withSlashes(name)),
    l10n.t("{0}: {1} uploaded documents couldn't be indexed.", base, formatNumber(documents.length)),
  );
  const reason = status.type === 'failed' ? status.reason : l10n.t('No text.');
  return reason && documents.length === 1 ? `${line} ${oneLine(reason, 200)}` : line;
}

export function reportText(report: UploadReport): string {
  const { dataset, added, updated, removed, failed } = report;
  const failures = failed.map(({ name: sent, error, isRemoval }) => {
    const name = withSlashes(sent);
    const what = isRemoval ? l10n.t('{0} (was to be deleted)', name) : name;
    return `${what}: ${[error.message, causeText(error)].filter(Boolean).join(' ')}`;
  });
  return [
    `# ${dataset.name}`,
    '',
    summariseReport(report),
    '',
    ...section(l10n.t('Failed'), failures),
    ...section(l10n.t('Added'), added),
    ...section(l10n.t('Updated'), updated),
    ...section(l10n.t('Deleted'), removed),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : [
        `## ${title} (${formatNumber(lines.length)})`,
        '',
        ...lines.map((line) => `- ${withSlashes(line)}`),
        '',
      ];
}
