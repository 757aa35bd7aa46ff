import * as l10n from '@vscode/l10n';
import { shownAddress } from '../base/urls.ts';
import { formatDuration } from '../base/text/formatTime.ts';
import type { StepName, StepResult } from './step.ts';

export interface Diagnosis {
  kind: 'relay' | 'platform';
  baseUrl: string;
  results: readonly StepResult[];
}

export function stepLabel(name: StepName): string {
  switch (name) {
    case 'address':
      return l10n.t('Address');
    case 'name':
      return l10n.t('DNS');
    case 'tcp':
      return l10n.t('TCP');
    case 'proxy':
      return l10n.t('Proxy');
    case 'tls':
      return l10n.t('TLS');
    case 'key':
      return l10n.t('Key');
    case 'models':
      return l10n.t('Models');
    case 'token':
      return l10n.t('First token');
    case 'toolCall':
      return l10n.t('Tool call');
    case 'embeddings':
      return l10n.t('Embeddings');
    case 'queue':
      return l10n.t('Indexing queue');
  }
}

export function worstOf(diagnoses: readonly Diagnosis[]): StepResult | undefined {
  const all = diagnoses.flatMap(({ results }) => results);
  return all.find(({ verdict }) => verdict === 'failed') ?? all.find(({ verdict }) => verdict === 'warning');
}

export function renderReport(diagnoses: readonly Diagnosis[], about: readonly string[]): string {
  const parts = diagnoses.map(({ kind, baseUrl, results }) =>
    [
      kind === 'relay'
        ? l10n.t('Relay {0}', shownAddress(baseUrl))
        : l10n.t('Platform {0}', shownAddress(baseUrl)),
      ...results.flatMap(linesOf),
    ].join('\n'),
  );
  return `${[...(about.length > 0 ? [about.join('\n')] : []), ...parts].join('\n\n')}\n`;
}

function linesOf({ name, verdict, text, ms, advice, cause }: StepResult): string[] {
  const time = ms === undefined ? '' : ` (${formatDuration(Math.round(ms))})`;
  return [
    `[${verdictLabel(verdict)}] ${stepLabel(name)}${time}: ${text}`,
    ...(cause === undefined ? [] : [`    ${cause}`]),
    ...(advice === undefined ? [] : [`    ${l10n.t('To do: {0}', advice)}`]),
  ];
}

function verdictLabel(verdict: StepResult['verdict']): string {
  switch (verdict) {
    case 'ok':
      return l10n.t('OK');
    case 'warning':
      return l10n.t('Warning');
    case 'skipped':
      return l10n.t('Skipped');
    case 'failed':
      return l10n.t('Failed');
  }
}
