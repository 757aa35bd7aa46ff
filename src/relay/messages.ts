import type { JsonObject } from '../base/json.ts';
import type { FilePicture } from '../base/files/pictureFiles.ts';
import type { RetryScheduled } from '../base/errors/errors.ts';
import type { ReasoningEffort } from './parameters.ts';
import type { RefusedParameter } from './protocols/refusedParameters.ts';

/** A neutral conversation; `history/renderHistory.ts` renders it for one model. */
export type Message =
  | { role: 'system'; content: string }
  | {
      role: 'user';
      content: string;
      images?: readonly Picture[];
    }
  | {
      role: 'assistant';
      /** Reasoning, signatures and extra call fields go back to this model only. */
      model: string;
      content: string;
      reasoning?: string;
      signedReasoning?: readonly SignedReasoning[];
      /** Arguments are JSON objects: translating relays parse them, and would refuse all later requests. */
      toolCalls?: readonly ToolCall[];
    }
  | { role: 'tool'; toolCallId: string; content: string };

export type AssistantMessage = Message & { role: 'assistant' };

/** `data` is base64. */
export interface Picture {
  mimeType: string;
  data: string;
}

/** `arguments` is JSON text, possibly empty or invalid. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
  extra?: JsonObject;
}

/**
 * Reasoning that its vendor accepts back only unchanged, partly encrypted. The first two forms belong to the messages
 * protocol. `item` is an output item of the responses protocol, in order: reasoning unchanged, messages and calls as
 * `{type, phase?, length?}`, which mark the place (`length`: characters of the message's text).
 */
export type SignedReasoning =
  | { text: string; signature: string }
  | { redacted: string }
  | { item: JsonObject };

export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  model: string;
  messages: readonly Message[];
  tools?: readonly ToolDefinition[];
  toolChoice?: 'auto' | 'required';
  /** Absent parameters aren't sent. */
  maxTokens?: number;
  temperature?: number;
  reasoningEffort?: ReasoningEffort;
  /** Random per conversation; lets requests share the vendor's cache. Only for the responses protocol. */
  cacheKey?: string;
  stream: boolean;
  /** Sent in the background: if the user would have to be asked first, it isn't sent. */
  isUnasked?: true;
}

/** Tokens as counted by the relay; a missing count is absent, never 0. */
export interface Usage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  cachedTokens?: number;
  /** Some vendors charge for these. */
  cacheWriteTokens?: number;
  reasoningTokens?: number;
  cost?: Cost;
}

export interface Cost {
  amount: number;
  /** ISO 4217, or the relay's own sign. */
  currency: string;
  /** `atMost`: from the highest applicable price. `withoutGroup`: without the unknown ratio of the key's group. */
  kind: 'charged' | 'estimate' | 'atMost' | 'withoutGroup';
}

/** The vendor's own word if not standard. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | (string & {});

export type PictureOmission = 'size' | 'count' | 'type' | 'cut';

export type PictureEvent =
  | { type: 'pictureAdded'; picture: FilePicture }
  | { type: 'pictureOmitted'; reason: PictureOmission };

/** `reasoningSigned` and `toolCallsCompleted` come once after all text, `modelFinished` last. Failures are thrown. */
export type ModelEvent =
  | RetryScheduled
  | { type: 'budgetAsked' }
  | { type: 'requestSent' }
  /** Resent without the parameter, which this model never gets again. */
  | { type: 'parameterRefused'; refused: RefusedParameter }
  | { type: 'adapted'; to: Adaptation }
  | { type: 'reasoningAdded'; text: string }
  | { type: 'textAdded'; text: string }
  | PictureEvent
  | { type: 'reasoningSigned'; blocks: readonly SignedReasoning[] }
  | { type: 'toolCallsCompleted'; calls: readonly ToolCall[] }
  | { type: 'modelFinished'; reason: FinishReason; usage?: Usage; model?: string };

/** `no-reasoning`: the relay lacks the protocol for tools with reasoning; `fewer-tools`: than enabled. */
export const adaptations = ['plain-history', 'no-older-pictures', 'no-reasoning', 'fewer-tools'] as const;
export type Adaptation = (typeof adaptations)[number];

export type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

export interface Model {
  id: string;
  name: string;
  /** The id's prefix, or `owned_by`. */
  vendor?: string;
  /** Tokens. */
  contextWindow?: number;
  maxTokens?: number;
  toolCalling?: boolean;
  vision?: boolean;
  reasoning?: boolean;
  /** Undefined: chat completions. */
  protocol?: Protocol;
  /** For lists only; never changes requests. Absent: chat. */
  kind?: ModelKind;
}

/** The service's own protocol, that of Anthropic's models, or OpenAI's newer one. */
export type Protocol = 'chat-completions' | 'messages' | 'responses';

export type ProtocolSetting = Protocol | 'auto';

/** `other`: embedding, rerank, speech, transcription, image, video or moderation. */
export type ModelKind = 'chat' | 'other';

export function chatFirst<T extends { kind?: ModelKind }>(models: readonly T[]): T[] {
  return [...models.filter(isForChat), ...models.filter((model) => !isForChat(model))];
}

export function isForChat({ kind }: { kind?: ModelKind }): boolean {
  return kind !== 'other';
}
