import { asObject, asText, type JsonObject } from '../base/json.ts';
import type { Model } from './messages.ts';
import type { Protocol } from './protocol.ts';

/** An entry of the setting `relay.models`: corrects a listed model, or adds one that is not listed. */
export interface ModelOverride {
  id: string;
  name?: string | undefined;
  contextWindow?: number | undefined;
  maxTokens?: number | undefined;
  toolCalling?: boolean | undefined;
  vision?: boolean | undefined;
  reasoning?: boolean | undefined;
  protocol?: Protocol | undefined;
}

/**
 * The chat models of a parsed model list, in its order and without repetitions, or undefined when the body is no
 * such list. Reads new-api, One API, OpenAI, OpenRouter and LiteLLM. Nothing is concluded from a model's name.
 */
export function readModels(body: unknown): Model[] | undefined {
  const outer = asObject(body);
  const list = Array.isArray(body) ? body : outer?.['data'];
  // An empty list is `null` from servers written in Go.
  if (list === null && outer?.['object'] === 'list') return [];
  if (!Array.isArray(list)) return undefined;
  const models = new Map<string, Model>();
  for (const item of list) {
    const entry = typeof item === 'string' ? { id: item } : asObject(item);
    const id = asText(entry?.['id'])?.trim();
    if (entry && id && !models.has(id) && canChat(entry)) models.set(id, toModel(id, entry));
  }
  return [...models.values()];
}

/** The list with what settings say about it: their fields win, and models only they know are appended. */
export function mergeModels(listed: readonly Model[], overrides: readonly ModelOverride[]): Model[] {
  const merged = new Map(listed.map((model) => [model.id, model]));
  for (const override of overrides) {
    const id = override.id.trim();
    if (!id) continue;
    const base = merged.get(id) ?? withKnown({ id, name: id, vendor: prefixOf(id) });
    merged.set(id, { ...base, ...withKnown({ ...override, id, name: override.name || base.name }) });
  }
  return [...merged.values()];
}

/** What LiteLLM calls the models that it serves under chat completions. */
const chatModes = new Set(['chat', 'completion', 'responses']);

/**
 * False only for an entry that says so. An empty list of endpoints says nothing: new-api fills it once somebody opened
 * its page of prices, and not for models that were added after that.
 */
function canChat(entry: JsonObject): boolean {
  const served = entry['supported_endpoint_types'];
  const servesChat = (type: unknown) => type === 'openai' || type === 'anthropic';
  if (Array.isArray(served) && served.length > 0 && !served.some(servesChat)) return false;
  const mode = asText(entry['mode']);
  if (mode !== undefined && !chatModes.has(mode)) return false;
  const output = asObject(entry['architecture'])?.['output_modalities'];
  return !Array.isArray(output) || output.includes('text');
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
    protocol: isServedByMessages(entry) ? 'messages' : undefined,
  });
}

/** new-api names the endpoints of a model once its page of prices was opened. */
function isServedByMessages({ supported_endpoint_types: served }: JsonObject): boolean {
  return Array.isArray(served) && served.includes('anthropic');
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

/** Unknown stays absent rather than undefined, so that spreading never erases what is known. */
function withKnown<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
