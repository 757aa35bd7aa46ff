import type { RetryScheduled } from '../base/retryScheduled.ts';
import type { ReasoningEffort } from './parameters.ts';
import type { Protocol } from './protocol.ts';
import type { RefusedParameter } from './refusedParameters.ts';

/** A conversation as the relay's client sees it. `toWire.ts` turns it into the request's `messages`. */
export type Message =
  | { role: 'system'; content: string }
  | {
      role: 'user';
      content: string;
      /** Shown to the model after the text, in order. */
      images?: readonly Picture[];
    }
  | {
      role: 'assistant';
      /** The model that wrote it; reasoning is only ever echoed to that model. */
      model: string;
      content: string;
      reasoning?: string;
      /** The same as its vendor signed it. */
      signedReasoning?: readonly SignedReasoning[];
      /** Their arguments are objects: relays that translate read them, and would refuse every later request. */
      toolCalls?: readonly ToolCall[];
    }
  | { role: 'tool'; toolCallId: string; content: string };

/** Shown to a model; `data` is base64. */
export interface Picture {
  mimeType: string;
  data: string;
}

/** A model's request to run a tool. `arguments` is JSON text, possibly empty, possibly broken. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** A block of reasoning that its vendor accepts back only unchanged; some of it may be encrypted. */
export type SignedReasoning = { text: string; signature: string } | { redacted: string };

/** What the model may call: `parameters` is a JSON Schema of type object. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  model: string;
  messages: readonly Message[];
  /** Left out when empty. */
  tools?: readonly ToolDefinition[];
  /** Whether the model has to call one of them; it is free to by default. */
  toolChoice?: 'auto' | 'required';
  /** Sent only when set. */
  maxTokens?: number;
  /** Sent only when set. */
  temperature?: number;
  /** Sent only when set, and by chat completions alone. */
  reasoningEffort?: ReasoningEffort;
  stream: boolean;
  /** Nobody waits for it: where the user would be asked before, it is not sent. */
  isUnasked?: true;
}

/** Tokens as the relay counted them; a field it did not send is absent, never 0. */
export interface Usage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  cachedTokens?: number;
  /** Written to the vendor's cache, which some charge for. */
  cacheWriteTokens?: number;
  reasoningTokens?: number;
  cost?: Cost;
}

/** What something cost. */
export interface Cost {
  amount: number;
  /** ISO 4217, or the relay's own sign. */
  currency: string;
  /** Whether the relay said what it charged; else it is reckoned from its prices, or from the highest that may apply. */
  kind: 'charged' | 'estimate' | 'atMost';
}

/** Why the model stopped: the standard words, or the vendor's own. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | (string & {});

/**
 * What happens while a model answers, in order. `reasoningSigned` and `toolCallsCompleted` come once, after all text,
 * because a call is only whole when the answer has ended; `modelFinished` is last. A failure is thrown as a
 * `SwitchboardError` instead of `modelFinished`.
 */
export type ModelEvent =
  | RetryScheduled
  /** The user is asked whether the daily budget may be passed; nothing is sent before the answer. */
  | { type: 'budgetAsked' }
  | { type: 'requestSent' }
  /** The model does not support it, so the request was sent again without; it is not sent to this model any more. */
  | { type: 'parameterRefused'; refused: RefusedParameter }
  | { type: 'reasoningAdded'; text: string }
  | { type: 'textAdded'; text: string }
  | { type: 'reasoningSigned'; blocks: readonly SignedReasoning[] }
  | { type: 'toolCallsCompleted'; calls: readonly ToolCall[] }
  | { type: 'modelFinished'; reason: FinishReason; usage?: Usage; model?: string };

/** Asks a model. Aborting the signal closes the socket and throws `cancelled`. */
export type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** A model as the relay lists it or as settings describe it; what nobody said stays undefined. */
export interface Model {
  id: string;
  name: string;
  /** Who serves it: the prefix of the id, or `owned_by`. */
  vendor?: string;
  /** Tokens. */
  contextWindow?: number;
  /** Tokens. */
  maxTokens?: number;
  toolCalling?: boolean;
  vision?: boolean;
  reasoning?: boolean;
  /** What the relay serves it under, where that is another one than chat completions. */
  protocol?: Protocol;
}
