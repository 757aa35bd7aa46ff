import { asObject, asText, type JsonObject } from '../../base/json.ts';
import type { ModelForm } from '../profile/modelFacts.ts';
import type { Model } from '../messages.ts';
import { isResponsesOnly, kindOf, type ModelKind } from './modelKind.ts';
import type { Protocol } from '../protocols/protocol.ts';

export interface ModelOverride {
  id: string;
  name?: string | undefined;
  contextWindow?: number | undefined;
  maxTokens?: number | undefined;
  toolCalling?: boolean | undefined;
  vision?: boolean | undefined;
  reasoning?: boolean | undefined;
  protocol?: Protocol | undefined;
  kind?: ModelKind | undefined;
  body?: Readonly<Record<string, unknown>> | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  form?: ModelForm | undefined;
}

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

/** Overrides win, and models missing from the list are appended. */
export function mergeModels(listed: readonly Model[], overrides: readonly ModelOverride[]): Model[] {
  const merged = new Map(listed.map((model) => [model.id, model]));
  for (const override of overrides) {
    const id = override.id.trim();
    if (!id) continue;
    const { body: _body, headers: _headers, form: _form, ...fields } = override;
    const base = merged.get(id) ?? withKnown({ id, name: id, vendor: prefixOf(id) });
    merged.set(id, { ...base, ...withKnown({ ...fields, id, name: override.name || base.name }) });
  }
  return [...merged.values()];
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

function prefixOf(id: string): string | undefined {
  const slash = id.indexOf('/');
  return slash > 0 ? id.slice(0, slash) : undefined;
}

function firstCount(...values: readonly unknown[]): number | undefined {
  return values.find(
    (value): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0,
  );
}

/** Omits undefined fields, so that spreading never erases known ones. */
function withKnown<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
