import * as l10n from '@vscode/l10n';
import { formatTime } from '../../base/text/formatTime.ts';
import { formatTokens } from '../../base/text/formatUsage.ts';
import type { KnownFact } from '../../chat/models/modelProfiles.ts';

export interface FactRow {
  text: string;
  source: string;
}

export function presentProfile(facts: readonly KnownFact[]): FactRow[] {
  return facts.flatMap((fact) => {
    const text = factInWords(fact);
    return text === undefined ? [] : [{ text, source: sourceInWords(fact) }];
  });
}

function sourceInWords({ source, atMs = 0 }: KnownFact): string {
  switch (source) {
    case 'setting':
      return l10n.t('your setting');
    case 'list':
      return l10n.t("the relay's list");
    case 'refusal':
      return l10n.t('a refusal, {0}', formatTime(atMs));
    case 'answer':
      return l10n.t('an answer, {0}', formatTime(atMs));
    case 'check':
      return l10n.t('a check, {0}', formatTime(atMs));
  }
}

function factInWords({ name, value }: KnownFact): string | undefined {
  const text = String(value);
  switch (name) {
    case 'protocol':
      return l10n.t('Protocol: {0}', text);
    case 'contextWindow':
      return l10n.t('Context window: {0}', formatTokens(Number(value)));
    case 'answerLimit':
      return l10n.t('Max output: {0}', formatTokens(Number(value)));
    case 'toolCalling':
      return value === false ? l10n.t('No tools') : l10n.t('Tools');
    case 'vision':
      return value === false ? l10n.t('No images') : l10n.t('Images');
    case 'pictures':
      return value === 'all' ? undefined : l10n.t('No images of earlier messages');
    case 'refusedParameters':
      return l10n.t('Not sent: {0}', Array.isArray(value) ? value.join(', ') : text);
    case 'maxTokensField':
      return l10n.t('Output limit parameter: {0}', text);
    case 'reasoning':
      return reasoningInWords(text);
    case 'tools':
      return value === 'plain' ? l10n.t('Simplified tool definitions') : undefined;
    case 'history':
      return value === 'plain' ? l10n.t('Tool calls of other models are sent as text') : undefined;
    case 'effort':
      return value === 'budget' ? l10n.t('Reasoning effort is sent as a token budget') : undefined;
    default:
      return switchInWords(name, value === true);
  }
}

function reasoningInWords(value: string): string | undefined {
  switch (value) {
    case 'none':
      return l10n.t("Its reasoning isn't sent back");
    case 'calls':
      return l10n.t('Every tool call is sent back with reasoning');
    case 'all':
      return l10n.t('Every answer is sent back with reasoning');
    default:
      return undefined;
  }
}

function switchInWords(name: KnownFact['name'], isOn: boolean): string | undefined {
  switch (name) {
    case 'stream':
      return isOn ? undefined : l10n.t("Answers aren't streamed");
    case 'streamOptions':
      return isOn ? undefined : l10n.t("Token counts aren't requested while streaming");
    case 'systemRole':
      return isOn ? undefined : l10n.t('The system prompt is sent with the first message');
    case 'effortWithTools':
      return isOn ? undefined : l10n.t('No reasoning together with tools');
    case 'cacheMarks':
      return isOn ? undefined : l10n.t('No cache markers');
    case 'lacksResponses':
      return l10n.t("The relay doesn't offer the responses protocol for it");
    case 'signatures':
      return isOn ? l10n.t('Tool calls of other models carry a placeholder signature') : undefined;
    case 'wordAfterResults':
      return isOn ? l10n.t('A short answer is inserted between tool results and your message') : undefined;
    case 'wordBeforeCalls':
      return isOn ? l10n.t('A short text is inserted before its tool calls') : undefined;
    case 'thinksFromStart':
      return isOn ? l10n.t('No reasoning until tool calls made without it are answered') : undefined;
    default:
      return undefined;
  }
}
