import type { Reply } from '../http/reply.ts';
import type { ChatRequest } from '../relay/chatRequest.ts';
import type { WireForm } from './wireForm.ts';

/** A call as a model makes it. `arguments` is JSON text. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Further fields of the call, such as Gemini's `extra_content`; sent by chat completions only. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * What a scripted model does next. An answer that was not streamed is put together from the text, reasoning,
 * call and finish steps; the steps that only exist on a stream are then skipped.
 */
export type Step =
  /** Text, sent in pieces of about a word; `whole` sends it in one chunk. */
  | { type: 'text'; text: string; whole?: boolean }
  | { type: 'reasoning'; text: string }
  | { type: 'toolCall'; call: ScriptedCall }
  /** A picture beside the text, in `images` or in a part of the content; by chat completions only. */
  | { type: 'picture'; address: string; as: 'images' | 'parts' }
  /**
   * Why the model stopped. Without this step the engine says `tool_calls` after calls and else `stop`; null says nothing.
   * By the responses protocol, `error` is a failed response.
   */
  | { type: 'finish'; reason: string | null }
  /** Stream only: one event with this JSON, `name` becoming its `event:` line. */
  | { type: 'event'; data: object; name?: string }
  /** Stream only: these bytes as they are. */
  | { type: 'raw'; bytes: string | Buffer }
  /** Stream only: a comment line, as keep-alives are. */
  | { type: 'comment'; text: string }
  | { type: 'delay'; ms: number }
  /** Nothing more ever comes, until the client leaves or the server stops. */
  | { type: 'stall' }
  /** The body ends properly, but with no finish reason, usage or `[DONE]`. */
  | { type: 'hangUp' }
  /** The connection breaks. */
  | { type: 'destroy'; how?: 'fin' | 'rst' }
  /** Answers with this instead of a chat answer. Only as the first step. `foreign` leaves out the relay's own headers. */
  | { type: 'refuse'; reply: Reply; foreign?: boolean };

/** What a script may know besides the request. */
export interface ScriptContext {
  /** The id that this relay gave the request: in its headers, and in its own messages. */
  readonly requestId: string;
  /** How many requests this model has had, this one included, since the server started or its record was cleared. */
  readonly attempt: number;
  /** How long a deliberate pause lasts (between pings, before an answer that comes late), in milliseconds. */
  readonly pauseMs: number;
}

/** The protocols that the relay serves every model by. */
export type ServedProtocol = 'chat-completions' | 'messages' | 'responses';

/** A model of the sandbox. */
export interface ScriptedModel {
  readonly id: string;
  /** The channel type new-api would name. */
  readonly ownedBy: string;
  /** What it does, for a person choosing one. */
  readonly describe: string;
  /** `supported_endpoint_types`; a chat model by default. */
  readonly endpoints?: readonly string[];
  /** Tokens, where a server's list tells. */
  readonly contextWindow?: number;
  /** Tokens, where a server's list tells. */
  readonly maxTokens?: number;
  /** How its chunks look on the wire. */
  readonly wire?: WireForm;
  /** The vendor's own refusal of the body as it was sent; comes before the checks that hold for every model. */
  check?(body: Readonly<Record<string, unknown>>, protocol: ServedProtocol): Reply | undefined;
  answer(request: ChatRequest, context: ScriptContext): Iterable<Step> | AsyncIterable<Step>;
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
/** Refuses as a server that is not the relay: a front proxy, or another product. */
export const refuseForeign = (reply: Reply): Step => ({ type: 'refuse', reply, foreign: true });
