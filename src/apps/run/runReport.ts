import * as l10n from '@vscode/l10n';
import { causeText, type SwitchboardError } from '../../base/errors/errors.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { formatTokens } from '../../base/text/formatUsage.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { AppStep } from '../app.ts';
import { markdownList } from '../appInfoText.ts';
import type { AppRecord } from '../appRegistry.ts';
import { toRunOutput } from './runOutput.ts';
import type { RunProgress } from './runProgress.ts';
import { statusLabel } from './runStatus.ts';

export interface RunReport {
  name: string;
  baseUrl: string;
  progress: RunProgress;
  error?: SwitchboardError;
}

export function runReport({ name, baseUrl, progress, error }: RunReport): string {
  const { head, files } = toRunOutput(progress, { name, baseUrl });
  const { run, steps, runId } = progress;
  const facts = [
    run && `${l10n.t('State')}: ${statusLabel(run.status)}`,
    head,
    runId && `${l10n.t('Run')}: ${oneLine(runId)}`,
    run?.workflowId && `${l10n.t('Version')}: ${oneLine(run.workflowId)}`,
  ];
  const sections = [
    `# ${oneLine(name)}`,
    error ? errorText(error) : run?.error,
    markdownList(facts),
    steps.length > 0 && `## ${l10n.t('Steps')}\n\n${steps.map(stepText).join('\n')}`,
    files.length > 0 &&
      `## ${l10n.t('Files')}\n\n${markdownList(files.map((file) => `${oneLine(file.name)}: ${file.address}`))}`,
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function errorText(error: SwitchboardError): string {
  const { message, address, status } = error;
  return markdownList([
    message,
    address && l10n.t('Request: {0}', address),
    status !== undefined && l10n.t('Status: {0}', status),
    causeText(error),
  ]);
}

function stepText({ title, round, status, elapsedMs, tokens, error, depth = 0, detail }: AppStep): string {
  const facts = [
    statusLabel(status),
    round !== undefined && l10n.t('round {0}', round),
    elapsedMs !== undefined && formatDuration(elapsedMs),
    tokens !== undefined && formatTokens(tokens),
  ];
  const line = `**${oneLine(title)}**: ${facts.filter(Boolean).join(' · ')}`;
  const texts = [line, detail && oneLine(detail, 2000), error && oneLine(error, 2000)].filter(Boolean);
  const indent = '  '.repeat(depth);
  return `${indent}- ${texts.join(`\n${indent}  `)}`;
}

export function runFailureMessage(
  { name }: Pick<AppRecord, 'name'>,
  steps: readonly AppStep[],
  error: SwitchboardError,
): string {
  const failed = steps.findLast(({ status }) => status === 'failed');
  const whole = failed ? l10n.t('"{0}" failed at "{1}".', name, failed.title) : `${name}: ${error.message}`;
  const why = failed?.error ?? error.why;
  return [whole, causeText({ why, systemError: error.systemError })].filter(Boolean).join(' ');
}
