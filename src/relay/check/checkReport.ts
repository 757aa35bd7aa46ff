import * as l10n from '@vscode/l10n';
import { escapeRegExp } from '../../base/text/escapeRegExp.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatMoney, formatTokens } from '../../base/text/formatUsage.ts';
import { sanitizeServerMessage } from '../../base/text/sanitizeServerMessage.ts';
import { type RelayConnection, secretsOf } from '../headers.ts';
import type { Cost, Protocol } from '../messages.ts';
import type { CheckFinding, FindingName } from './checkFindings.ts';
import type { ErrorCode } from '../../base/errors/errors.ts';
import type { ModelFacts } from '../profile/modelFacts.ts';

export interface ModelCheck {
  model: string;
  requests: number;
  tokens: number;
  costs: readonly Cost[];
  protocol?: Protocol;
  findings: readonly CheckFinding[];
  facts: ModelFacts;
  endedBy?: ErrorCode;
}

/** Written for the user and the relay's operator, without keys and addresses. */
export function renderCheckReport(checks: readonly ModelCheck[], about: readonly string[]): string {
  const parts = checks.map(({ model, requests, tokens, costs, protocol, findings }) =>
    [
      l10n.t('Model {0}', model),
      [requestCount(requests), formatTokens(tokens), ...costs.map(costLabel)].join(', '),
      ...(protocol ? [l10n.t('Protocol in use: {0}', protocolLabel(protocol))] : []),
      ...findings.flatMap(linesOf),
    ].join('\n'),
  );
  return `${[about.join('\n'), ...parts].filter(Boolean).join('\n\n')}\n`;
}

export function requestCount(requests: number): string {
  return plural(requests, l10n.t('1 request'), l10n.t('{0} requests', formatNumber(requests)));
}

function costLabel({ amount, currency, kind }: Cost): string {
  const money = formatMoney(amount, currency);
  if (kind === 'charged') return l10n.t('{0} charged', money);
  return kind === 'atMost' ? l10n.t('at most {0}', money) : l10n.t('about {0}', money);
}

function linesOf({ name, verdict, text, cause }: CheckFinding): string[] {
  const line = `[${verdictLabel(verdict)}] ${findingLabel(name)}: ${text}`;
  return cause === undefined ? [line] : [line, `    ${cause}`];
}

export function protocolLabel(protocol: string): string {
  if (protocol === 'messages') return l10n.t('Messages protocol');
  return protocol === 'responses' ? l10n.t('Responses protocol') : l10n.t('Chat completions');
}

function findingLabel(name: FindingName): string {
  switch (name) {
    case 'streaming':
      return l10n.t('Streaming');
    case 'calls':
      return l10n.t('Tool calls');
    case 'results':
      return l10n.t('Tool results');
    case 'images':
      return l10n.t('Image input');
    case 'reasoning':
      return l10n.t('Visible reasoning');
    case 'effort':
      return l10n.t('Reasoning effort');
    case 'caching':
      return l10n.t('Prompt caching');
    case 'usage':
      return l10n.t('Usage');
    case 'price':
      return l10n.t('Price');
    case 'name':
      return l10n.t('Model name');
    default:
      return protocolLabel(name);
  }
}

function verdictLabel(verdict: CheckFinding['verdict']): string {
  switch (verdict) {
    case 'ok':
      return l10n.t('OK');
    case 'warning':
      return l10n.t('Warning');
    case 'no':
      return l10n.t('No');
    case 'skipped':
      return l10n.t('Skipped');
  }
}

const longestWords = 300;

/** Removes keys, addresses and the relay's host from a server's message, for reports that are shared. */
export function wordCleaner(connection: RelayConnection): (words: string) => string {
  const { host = '', hostname = '' } = URL.parse(connection.baseUrl) ?? {};
  const names = [host, hostname].filter(Boolean).map(escapeRegExp);
  const place = new RegExp(`(?<![\\w.-])(?:${names.join('|') || '(?!)'})(?![\\w-])`, 'gi');
  return (words) =>
    sanitizeServerMessage(words, secretsOf(connection), longestWords)
      .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]*/gi, '***')
      .replaceAll(place, '***');
}
