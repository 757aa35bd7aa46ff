import * as z from 'zod/mini';
import { asObject, asText, type JsonObject } from '../../base/json.ts';
import { loosely } from '../../base/lenientSchemas.ts';
import type { SignedReasoning, Usage } from '../messages.ts';

// Lenient schemas: unknown keys are ignored, and a field of an unexpected type counts as absent.

const text = loosely(z.string());
const count = loosely(z.number().check(z.nonnegative()));

const word = loosely(z.pipe(z.union([z.string(), z.number()]), z.transform(String)));

const errorFields = z.object({
  message: text,
  type: word,
  code: word,
  param: text,
  metadata: loosely(z.looseObject({ error_type: word, raw: text })),
  provider_specific_fields: loosely(z.record(z.string(), z.unknown())),
});

/** LiteLLM's guardrails, beside the error or inside of it. */
const ruleSchema = z.object({ guardrail: text, guardrail_name: text, reason: text });

export interface WireError {
  message: string;
  type: string;
  code: string;
  param: string;
  raw: string;
  guardrail: string;
  reason: string;
}

export const noError: WireError = {
  message: '',
  type: '',
  code: '',
  param: '',
  raw: '',
  guardrail: '',
  reason: '',
};

const pictureTypes = new Set<unknown>(['image_url', 'output_image', 'image']);

/** Accepts `{error: {…}}`, `{error: "text"}`, `{success: false, message}`, FastAPI's `{detail}`, `{message, code}`. */
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
  const { message, type, code, param, metadata, provider_specific_fields: more } = errorFields.parse(fields);
  const rule = ruleSchema.parse({ ...fields, ...more, ...asObject(more?.['error']) });
  return {
    message: message ?? '',
    type: type ?? metadata?.error_type ?? '',
    code: code ?? '',
    // LiteLLM writes Python's None; One API puts the vendor's status here.
    param: param && param !== 'None' && !/^\d+$/.test(param) ? param : '',
    raw: metadata?.raw ?? '',
    guardrail: rule.guardrail_name ?? rule.guardrail ?? '',
    reason: rule.reason ?? '',
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
  input_tokens_details: loosely(z.object({ cached_tokens: count, cache_write_tokens: count })),
  output_tokens_details: loosely(z.object({ reasoning_tokens: count })),
});

/** OpenAI sends `usage: null` in all chunks but the last. */
export function readUsage(value: unknown): Usage | undefined {
  if (!asObject(value)) return undefined;
  const wire = usageSchema.parse(value);
  const cached = wire.prompt_tokens_details ?? wire.input_tokens_details;
  const written = wire.prompt_tokens_details?.cache_creation_tokens;
  const usage: Usage = {
    promptTokens: wire.prompt_tokens ?? wire.input_tokens,
    completionTokens: wire.completion_tokens ?? wire.output_tokens,
    totalTokens: wire.total_tokens,
    cachedTokens: cached?.cached_tokens,
    cacheWriteTokens: cached?.cache_write_tokens ?? written,
    reasoningTokens: (wire.completion_tokens_details ?? wire.output_tokens_details)?.reasoning_tokens,
  };
  const known = Object.entries(usage).filter(([, tokens]) => tokens !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

export interface ToolCallFragment {
  index?: number;
  id?: string;
  name?: string;
  /** Text to append; a few vendors send the whole object. */
  arguments?: string | JsonObject;
  /** The model's own fields, including those in `function`; they go back unchanged. */
  extra?: JsonObject;
}

export interface WireAnswer {
  model?: string;
  text?: string;
  reasoning?: string;
  toolCalls?: readonly ToolCallFragment[];
  pictures?: readonly string[];
  signed?: readonly SignedReasoning[];
  /** Characters kept besides text, reasoning and calls. */
  keptApart?: number;
  finishReason?: string;
  /** Only announces an answer, which may still take long. */
  isPreamble?: boolean;
  usage?: unknown;
  isDone?: boolean;
}

/** By hand and without copying, for every token: a schema costs about as much again as parsing the JSON. */
export function readAnswer(body: JsonObject): WireAnswer {
  const choice = firstChoice(body);
  const delta = messageOf(choice);
  const calls = delta?.['tool_calls'];
  const isWhole = choice?.['message'] !== undefined;
  return {
    model: asText(body['model']),
    text: textOf(delta?.['content']),
    pictures: pictureAddressesOf(delta),
    reasoning: asText(delta?.['reasoning_content']) ?? asText(delta?.['reasoning']),
    toolCalls:
      Array.isArray(calls) && calls.length > 0
        ? calls.map((call, index) => fragmentOf(call, isWhole ? index : undefined))
        : undefined,
    finishReason: asText(choice?.['finish_reason']),
    usage: body['usage'],
  };
}

function firstChoice({ choices }: JsonObject): JsonObject | undefined {
  return asObject(Array.isArray(choices) ? choices[0] : undefined);
}

function messageOf(choice: JsonObject | undefined): JsonObject | undefined {
  return asObject(choice?.['delta']) ?? asObject(choice?.['message']);
}

export function thinkingBlocksIn(body: JsonObject): unknown {
  return messageOf(firstChoice(body))?.['thinking_blocks'];
}

function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content || undefined;
  if (!Array.isArray(content)) return undefined;
  return content.map((part) => asText(asObject(part)?.['text']) ?? '').join('') || undefined;
}

/** Calls of a whole answer are identified by position: two may share an id. */
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
    extra: call && extraOf(call, named),
  };
}

const callFields = new Set(['index', 'id', 'type', 'function']);
const functionFields = new Set(['name', 'arguments']);

function extraOf(call: JsonObject, named: JsonObject | undefined): JsonObject | undefined {
  const further = without(call, callFields);
  const inFunction = named && without(named, functionFields);
  if (!further && !inFunction) return undefined;
  return { ...further, ...(inFunction && { function: inFunction }) };
}

function without(fields: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  let rest: Record<string, unknown> | undefined;
  for (const name in fields) {
    if (!known.has(name) && fields[name] !== null) (rest ??= {})[name] = fields[name];
  }
  return rest;
}

/** Data addresses, remote addresses or bare base64 in a piece. Nearly always undefined, at the cost of two look-ups. */
function pictureAddressesOf(delta: JsonObject | undefined): readonly string[] | undefined {
  const images = delta?.['images'];
  const content = delta?.['content'];
  if (!Array.isArray(images) && !Array.isArray(content)) return undefined;
  const parts: unknown[] = [
    ...(Array.isArray(images) ? images : []),
    ...(Array.isArray(content) ? content.filter(isPicture) : []),
  ];
  const addresses = parts.flatMap((part) => addressOf(part) ?? []);
  return addresses.length > 0 ? addresses : undefined;
}

function isPicture(part: unknown): boolean {
  return pictureTypes.has(asObject(part)?.['type']);
}

/** `image_url`: OpenRouter, LiteLLM and the responses protocol; `source`: the messages protocol. */
function addressOf(part: unknown): string | undefined {
  if (typeof part === 'string') return part || undefined;
  const fields = asObject(part);
  for (const name of ['image_url', 'url', 'image', 'source', 'b64_json', 'data']) {
    const value = fields?.[name];
    const inner = asObject(value);
    const address = asText(value) ?? asText(inner?.['url']) ?? asText(inner?.['data']);
    if (address) return address;
  }
  return undefined;
}
