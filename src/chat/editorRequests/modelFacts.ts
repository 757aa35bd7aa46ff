import * as l10n from '@vscode/l10n';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { kindLabel } from '../../apps/appKinds.ts';
import { appModelId } from '../../apps/appModelId.ts';
import { formatTokens } from '../../base/format.ts';
import type { Model } from '../../relay/messages.ts';

/** A model as the editor lists it for its own chat and for other extensions. */
export interface ModelFacts {
  id: string;
  name: string;
  family: string;
  version: string;
  /** Tokens. */
  maxInputTokens: number;
  maxOutputTokens: number;
  detail: string;
  tooltip: string;
  capabilities: { toolCalling: boolean; imageInput: boolean };
}

/** The editor wants figures. Where nobody knows them, these let its requests through, and the tooltip says so. */
const assumedWindow = 128_000;
const assumedAnswer = 8_192;

/**
 * A model of the relay. What is unknown is left to the model's answer: one that takes no tools or images says so.
 * @param window the context window as far as it is known, in tokens
 * @param family what the relay itself calls the model
 * @param relay what the relay is called
 */
export function modelFacts(
  model: Model,
  window: number | undefined,
  { family, relay }: { family: string; relay: string },
): ModelFacts {
  const { id, name, maxTokens, toolCalling, vision, reasoning } = model;
  const whole = window ?? assumedWindow;
  // A list may name a limit of the answer that leaves no room for the question.
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

/** A chat app of the platform: it has knowledge and tools of its own, and takes words alone. */
export function chatAppFacts({ id, name, kind, origin }: AppRecord): ModelFacts {
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
