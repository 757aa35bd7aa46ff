import * as z from 'zod/mini';
import { asObject, asText, type JsonObject } from '../base/json.ts';
import { loosely } from '../base/schemas.ts';
import type { SignedReasoning, Usage } from './messages.ts';

// What relays answer, read loosely: other keys are ignored, and a field of an unexpected kind counts as absent.

const text = loosely(z.string());
const count = loosely(z.number().check(z.nonnegative()));

/** `code` may be a word, a number, a number as a word, null or empty. */
const word = loosely(z.pipe(z.union([z.string(), z.number()]), z.transform(String)));

const errorFields = z.object({
  message: text,
  type: word,
  code: word,
  param: text,
  metadata: loosely(z.looseObject({ error_type: word, raw: text })),
});

/** One shape for all the ways in which servers put an error; absent fields are empty. */
export interface WireError {
  message: string;
  type: string;
  code: string;
  /** The field of the request at fault. */
  param: string;
  /** The vendor's own error as text, where OpenRouter passes it on. */
  raw: string;
}

export const noError: WireError = { message: '', type: '', code: '', param: '', raw: '' };

/**
 * Finds the error in a parsed body: `{error: {…}}`, `{error: "text"}`, `{success: false, message}`, FastAPI's
 * `{detail}`, or a bare `{message, code}`. Undefined when the body reports none.
 */
export function readError(body: unknown): WireError | undefined {
  const outer = asObject(body);
  if (!outer) return undefined;
  if (typeof outer['error'] === 'string' && outer['error']) {
    return { ...noError, message: outer['error'], code: asText(outer['code']) ?? '' };
  }
  const inner = asObject(outer['error']);
  if (inner) return errorOf(inner);
  if (outer['success'] === false || (outer['message'] !== undefined && !outer['choices'] && !outer['data'])) {
    return errorOf(outer);
  }
  if (outer['detail'] !== undefined) return { ...noError, message: detailOf(outer['detail']) };
  return undefined;
}

function errorOf(fields: JsonObject): WireError {
  const { message, type, code, param, metadata } = errorFields.parse(fields);
  return {
    message: message ?? '',
    type: type ?? metadata?.error_type ?? '',
    code: code ?? '',
    // LiteLLM writes its absent values as Python does; One API puts the vendor's status here.
    param: param && param !== 'None' && !/^\d+$/.test(param) ? param : '',
    raw: metadata?.raw ?? '',
  };
}

function detailOf(detail: unknown): string {
  if (typeof detail === 'string') return detail;
  const first = asObject(Array.isArray(detail) ? detail[0] : detail);
  return asText(first?.['msg']) ?? asText(first?.['message']) ?? '';
}

const usageSchema = z.object({
  prompt_tokens: count,
  input_tokens: count,
  completion_tokens: count,
  output_tokens: count,
  total_tokens: count,
  prompt_tokens_details: loosely(
    z.object({ cached_tokens: count, cache_write_tokens: count, cache_creation_tokens: count }),
  ),
  completion_tokens_details: loosely(z.object({ reasoning_tokens: count })),
});

/** Token counts, or undefined when there are none (OpenAI sends `usage: null` in all chunks but the last). */
export function readUsage(value: unknown): Usage | undefined {
  if (!asObject(value)) return undefined;
  const wire = usageSchema.parse(value);
  const { prompt_tokens_details: cached } = wire;
  const usage: Usage = {
    promptTokens: wire.prompt_tokens ?? wire.input_tokens,
    completionTokens: wire.completion_tokens ?? wire.output_tokens,
    totalTokens: wire.total_tokens,
    cachedTokens: cached?.cached_tokens,
    // OpenAI's name and OpenRouter's, and that of LiteLLM.
    cacheWriteTokens: cached?.cache_write_tokens ?? cached?.cache_creation_tokens,
    reasoningTokens: wire.completion_tokens_details?.reasoning_tokens,
  };
  const known = Object.entries(usage).filter(([, tokens]) => tokens !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

/** A piece of a tool call; a whole one when not streamed. */
export interface ToolCallFragment {
  index?: number;
  id?: string;
  name?: string;
  /** Text to append, or the whole object at once from a few vendors. */
  arguments?: string | JsonObject;
}

/** One chunk of a stream, or a whole answer: both have the same shape but for the name of `delta`. */
export interface WireAnswer {
  model?: string;
  text?: string;
  reasoning?: string;
  toolCalls?: readonly ToolCallFragment[];
  /** Reasoning that is to go back as it came. */
  signed?: readonly SignedReasoning[];
  /** Characters that are kept beside text, reasoning and calls. */
  keptApart?: number;
  finishReason?: string;
  usage?: unknown;
  /** Nothing follows. */
  isDone?: boolean;
}

/**
 * Reads a chunk or a whole answer. By hand and without copying, since this runs for every token: a schema
 * costs about as much again as parsing the JSON.
 */
export function readAnswer(body: JsonObject): WireAnswer {
  const choices = body['choices'];
  const choice = asObject(Array.isArray(choices) ? choices[0] : undefined);
  const delta = asObject(choice?.['delta']) ?? asObject(choice?.['message']);
  const calls = delta?.['tool_calls'];
  const isWhole = choice?.['message'] !== undefined;
  return {
    model: asText(body['model']),
    text: textOf(delta?.['content']),
    // Both may be there with the same text: one is enough.
    reasoning: asText(delta?.['reasoning_content']) ?? asText(delta?.['reasoning']),
    toolCalls:
      Array.isArray(calls) && calls.length > 0
        ? calls.map((call, index) => fragmentOf(call, isWhole ? index : undefined))
        : undefined,
    finishReason: asText(choice?.['finish_reason']),
    usage: body['usage'],
  };
}

/** Text, or the text of an array of parts, as a few vendors send it. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content || undefined;
  if (!Array.isArray(content)) return undefined;
  return content.map((part) => asText(asObject(part)?.['text']) ?? '').join('') || undefined;
}

/** In a whole answer the place in the list is the index: two calls may then even share an id. */
function fragmentOf(value: unknown, place: number | undefined): ToolCallFragment {
  const call = asObject(value);
  const named = asObject(call?.['function']);
  const args = named?.['arguments'];
  const index = place ?? call?.['index'];
  return {
    index: typeof index === 'number' ? index : undefined,
    id: asText(call?.['id']),
    name: asText(named?.['name']),
    arguments: typeof args === 'string' ? args : asObject(args),
  };
}
