import * as l10n from '@vscode/l10n';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { kindLabel } from '../../apps/appKinds.ts';
import { appModelId } from '../../apps/appModelId.ts';
import { formatTokens } from '../../base/text/formatUsage.ts';
import type { Model } from '../../relay/messages.ts';

export interface DescribedModel {
  id: string;
  name: string;
  family: string;
  version: string;
  maxInputTokens: number;
  maxOutputTokens: number;
  detail: string;
  tooltip: string;
  capabilities: { toolCalling: boolean; imageInput: boolean };
}

/** The editor requires figures; this one lets requests through, and the tooltip says it is assumed. */
const assumedWindow = 128_000;
const assumedAnswer = 8_192;

export function describeModel(
  model: Model,
  window: number | undefined,
  { family, relay }: { family: string; relay: string },
): DescribedModel {
  const { id, name, maxTokens, toolCalling, vision, reasoning } = model;
  const whole = window ?? assumedWindow;
  // A listed output limit may leave no room for the prompt.
  const answer = Math.min(maxTokens ?? assumedAnswer, Math.ceil(whole / 2));
  const facts = [
    window === undefined
      ? l10n.t('Context window unknown')
      : l10n.t('Context window: {0}', formatTokens(window)),
    vision === undefined ? l10n.t('Image support unknown') : vision ? l10n.t('Images') : l10n.t('No images'),
    toolCalling === undefined
      ? l10n.t('Tool support unknown')
      : toolCalling
        ? l10n.t('Tools')
        : l10n.t('No tools'),
    ...(reasoning ? [l10n.t('Reasoning')] : []),
  ];
  return {
    ...{ id, name, family, version: '1' },
    maxInputTokens: whole - answer,
    maxOutputTokens: answer,
    detail: relay,
    tooltip: [family, ...facts].join(' · '),
    capabilities: { toolCalling: toolCalling !== false, imageInput: vision !== false },
  };
}

export function describeChatApp({ id, name, kind, origin }: AppRecord): DescribedModel {
  const host = new URL(origin).host;
  return {
    ...{ id: appModelId(id), name, family: 'app', version: '1' },
    maxInputTokens: assumedWindow,
    maxOutputTokens: assumedAnswer,
    detail: host,
    tooltip: [kindLabel(kind), host].join(' · '),
    capabilities: { toolCalling: false, imageInput: false },
  };
}
