import { asObject, asText, type JsonObject } from '../../base/json.ts';
import type { Model, Protocol } from '../messages.ts';
import { isResponsesOnly, kindOf } from './modelKind.ts';
import { prefixOf, withKnown } from './modelOverrides.ts';

/** Reads new-api, One API, OpenAI, OpenRouter and LiteLLM. No duplicates; undefined if the body is no model list. */
export function readModels(body: unknown): Model[] | undefined {
  const outer = asObject(body);
  const list = Array.isArray(body) ? body : outer?.['data'];
  // Go servers write an empty list as `null`.
  if (list === null && outer?.['object'] === 'list') return [];
  if (!Array.isArray(list)) return undefined;
  const models = new Map<string, Model>();
  for (const item of list) {
    const entry = typeof item === 'string' ? { id: item } : asObject(item);
    const id = asText(entry?.['id'])?.trim();
    if (entry && id && !models.has(id)) models.set(id, toModel(id, entry));
  }
  return [...models.values()];
}

function toModel(id: string, entry: JsonObject): Model {
  const provider = asObject(entry['top_provider']);
  const parameters = entry['supported_parameters'];
  const input = asObject(entry['architecture'])?.['input_modalities'];
  return withKnown({
    id,
    name: asText(entry['name']) ?? asText(entry['display_name']) ?? id,
    vendor: prefixOf(id) ?? asText(entry['owned_by']),
    contextWindow: firstCount(
      entry['context_length'],
      entry['context_window'],
      entry['max_input_tokens'],
      entry['max_model_len'],
      provider?.['context_length'],
    ),
    maxTokens: firstCount(
      provider?.['max_completion_tokens'],
      entry['max_output_tokens'],
      entry['max_completion_tokens'],
    ),
    toolCalling: Array.isArray(parameters) ? parameters.includes('tools') : undefined,
    reasoning: Array.isArray(parameters) ? parameters.includes('reasoning') : undefined,
    vision: Array.isArray(input) ? input.includes('image') : undefined,
    protocol: protocolOf(entry),
    kind: kindOf(id, entry) === 'other' ? 'other' : undefined,
  });
}

/**
 * Undefined for chat completions. new-api lists the vendor's own endpoint first; behind another relay it lists `openai`
 * before `anthropic` for all models, and GPT by messages costs more and loses its reasoning.
 */
function protocolOf(entry: JsonObject): Protocol | undefined {
  if (isResponsesOnly(entry)) return 'responses';
  const { supported_endpoint_types: types } = entry;
  if (!Array.isArray(types)) return undefined;
  const own = types.find((type) => type === 'anthropic' || type === 'openai');
  return own === 'anthropic' ? 'messages' : undefined;
}

function firstCount(...values: readonly unknown[]): number | undefined {
  return values.find(
    (value): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0,
  );
}
