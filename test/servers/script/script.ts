import type { Reply } from '../http/reply.ts';
import type { ChatRequest } from '../relay/chatRequest.ts';
import type { WireForm } from './wireForm.ts';

/** `arguments` is JSON text. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Further fields of the call, such as Gemini's `extra_content`; sent by chat completions only. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Without streaming, the answer is made of the text, reasoning, call and finish steps alone. */
export type Step =
  /** Text, sent in pieces of about a word; `whole` sends it in one chunk. */
  | { type: 'text'; text: string; whole?: boolean }
  | { type: 'reasoning'; text: string }
  | { type: 'toolCall'; call: ScriptedCall }
  /** A picture beside the text, in `images` or in a part of the content; by chat completions only. */
  | { type: 'picture'; address: string; as: 'images' | 'parts' }
  /**
   * `tool_calls` after calls, else `stop` by default; null sends none. In responses, `error` is a failure.
   */
  | { type: 'finish'; reason: string | null }
  /** Stream only: one event with this JSON, `name` becoming its `event:` line. */
  | { type: 'event'; data: object; name?: string }
  /** Stream only. */
  | { type: 'raw'; bytes: string | Buffer }
  /** Stream only: a comment line, like keep-alives. */
  | { type: 'comment'; text: string }
  | { type: 'delay'; ms: number }
  /** Sends nothing more, until the client leaves or the server stops. */
  | { type: 'stall' }
  /** The body ends properly, but with no finish reason, usage or `[DONE]`. */
  | { type: 'hangUp' }
  | { type: 'destroy'; how?: 'fin' | 'rst' }
  /** The first step only: replaces the answer. `foreign` leaves out the relay's own headers. */
  | { type: 'refuse'; reply: Reply; foreign?: boolean };

export interface ScriptContext {
  /** The relay's id for the request: in its headers, and in its own messages. */
  readonly requestId: string;
  /** 1-based count of this model's requests since the server started or its record was cleared. */
  readonly attempt: number;
  /** Duration in ms of a pause between pings, or before a late answer. */
  readonly pauseMs: number;
}

/** The protocols that the relay serves every model by. */
export type ServedProtocol = 'chat-completions' | 'messages' | 'responses';

export interface ScriptedModel {
  readonly id: string;
  /** The channel type new-api would name. */
  readonly ownedBy: string;
  readonly describe: string;
  /** `supported_endpoint_types`; a chat model by default. */
  readonly endpoints?: readonly string[];
  /** In tokens, where a server's list has it. */
  readonly contextWindow?: number;
  /** In tokens, where a server's list has it. */
  readonly maxTokens?: number;
  readonly wire?: WireForm;
  /** The vendor's own refusal of the body as sent; precedes the checks that hold for every model. */
  check?(body: Readonly<Record<string, unknown>>, protocol: ServedProtocol): Reply | undefined;
  answer(request: ChatRequest, context: ScriptContext): Iterable<Step> | AsyncIterable<Step>;
  /** Completes code by `POST /v1/completions`; a model without it is for chat only. */
  complete?(request: CompletionRequest, context: ScriptContext): Iterable<Step> | AsyncIterable<Step>;
  /** The form of a completion: `choices[].text` by default, or Codestral's `choices[].message.content`. */
  readonly completesAs?: 'text' | 'message';
}

export interface CompletionRequest {
  readonly model: string;
  readonly prompt: string;
  readonly suffix: string;
  readonly max_tokens?: number | undefined;
}

export const text = (value: string): Step => ({ type: 'text', text: value });
export const piece = (value: string): Step => ({ type: 'text', text: value, whole: true });
export const reasoning = (value: string): Step => ({ type: 'reasoning', text: value });
export const toolCall = (call: ScriptedCall): Step => ({ type: 'toolCall', call });
export const finish = (reason: string | null): Step => ({ type: 'finish', reason });
export const event = (data: object, name?: string): Step => ({ type: 'event', data, ...(name && { name }) });
export const raw = (bytes: string | Buffer): Step => ({ type: 'raw', bytes });
export const comment = (value: string): Step => ({ type: 'comment', text: value });
export const delay = (ms: number): Step => ({ type: 'delay', ms });
export const stall: Step = { type: 'stall' };
export const hangUp: Step = { type: 'hangUp' };
export const destroy = (how: 'fin' | 'rst' = 'fin'): Step => ({ type: 'destroy', how });
export const refuse = (reply: Reply): Step => ({ type: 'refuse', reply });
/** Refuses as another server than the relay: a front proxy, or another product. */
export const refuseForeign = (reply: Reply): Step => ({ type: 'refuse', reply, foreign: true });
