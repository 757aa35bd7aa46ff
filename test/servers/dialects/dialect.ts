import type { Reply } from '../http/reply.ts';
import { readReplies } from '../script/replies.ts';
import type { ScriptedModel } from '../script/script.ts';
import data from './refusals.txt';

/** The product the relay behaves like: its refusals, its list, its headers. */
export type DialectName = 'new-api' | 'one-api' | 'openai' | 'litellm' | 'openrouter';

/** Language of new-api's messages, a user's choice; some texts are Chinese in either. */
export type Language = 'en' | 'zh';

export type GateCase =
  | 'no-key'
  | 'unknown-key'
  | 'disabled'
  | 'expired'
  | 'exhausted'
  | 'banned'
  | 'ip'
  | 'group'
  | 'key-suffix'
  | 'model-not-allowed'
  | 'no-models-allowed'
  | 'unknown-model'
  | 'no-model-given'
  | 'not-json'
  | 'body-too-large'
  | 'no-messages'
  | 'absurd-max-tokens'
  | 'no-balance'
  | 'low-balance'
  | 'low-token-quota';

export interface Dialect {
  headers(requestId: string): Record<string, string>;
  refuse(gateCase: GateCase, details: { model: string; requestId: string }): Reply;
  listModels(models: readonly ScriptedModel[]): object;
  /** True if keys are also accepted without `Bearer`, without `sk-`, and cut at a dash. */
  readonly lenientKeys: boolean;
  readonly servesMessages?: boolean;
}

export interface DialectOptions {
  dialect: DialectName;
  language: Language;
  /** False is new-api's default: it lists no endpoints until somebody opens its page of prices. */
  knowsEndpoints: boolean;
}

const replies = readReplies(data);

/** In seconds since the epoch: the relay sends this constant for every model. */
const created = 1626777600;

export function createDialect({ dialect, language, knowsEndpoints }: DialectOptions): Dialect {
  const speakers = language === 'zh' ? [`${dialect}-zh`, dialect] : [dialect];
  const listed = ({ id, ownedBy }: ScriptedModel) => ({ id, object: 'model', created, owned_by: ownedBy });
  const list = (toWire: (model: ScriptedModel) => object, more: object = { object: 'list' }) => ({
    listModels: (models: readonly ScriptedModel[]) => ({ ...more, data: models.map(toWire) }),
  });
  return {
    refuse(gateCase, details) {
      for (const speaker of speakers) {
        const found = replies.find(
          ({ subject, about }) => subject === speaker && about.split(' ').includes(gateCase),
        );
        if (found) return found.reply(details);
      }
      throw new Error(`${dialect} has no words for ${gateCase}.`);
    },
    ...products[dialect],
    ...{
      'new-api': list(
        (model) => ({
          ...listed(model),
          supported_endpoint_types: knowsEndpoints ? endpointsOf(model) : [],
        }),
        { success: true, object: 'list' },
      ),
      'one-api': list((model) => ({ ...listed(model), permission: [], root: model.id, parent: null })),
      openai: list(listed),
      litellm: list(litellmModel),
      openrouter: list(openRouterModel, {}),
    }[dialect],
  };
}

/** The endpoints that new-api lists once it knows them. */
function endpointsOf({ ownedBy, endpoints }: ScriptedModel): readonly string[] {
  return endpoints ?? (ownedBy === 'claude' ? ['anthropic', 'openai'] : ['openai']);
}

const products: Record<DialectName, Pick<Dialect, 'headers' | 'lenientKeys' | 'servesMessages'>> = {
  'new-api': {
    lenientKeys: true,
    servesMessages: true,
    headers: (id) => ({ 'X-Oneapi-Request-Id': id, 'X-New-Api-Version': 'v1.0.0-rc.21' }),
  },
  'one-api': { lenientKeys: true, headers: (id) => ({ 'X-Oneapi-Request-Id': id }) },
  openai: { lenientKeys: false, headers: (id) => ({ 'x-request-id': id }) },
  litellm: { lenientKeys: false, headers: (id) => ({ 'x-litellm-call-id': id }) },
  openrouter: { lenientKeys: false, headers: () => ({}) },
};

function litellmModel({ id, endpoints, contextWindow, maxTokens }: ScriptedModel): object {
  const mode = endpoints?.includes('embeddings') ? 'embedding' : 'image_generation';
  return {
    ...{ id, object: 'model', created: 1677610602, owned_by: 'openai' },
    ...(endpoints && { mode }),
    ...(contextWindow && { max_input_tokens: contextWindow }),
    ...(maxTokens && { max_output_tokens: maxTokens }),
  };
}

/** OpenRouter lists windows, limits, modalities and prices. */
function openRouterModel({
  id,
  ownedBy,
  endpoints,
  contextWindow = 128_000,
  maxTokens = 16_384,
}: ScriptedModel): object {
  return {
    ...{ id: `${ownedBy}/${id}`, canonical_slug: id, name: `${ownedBy}: ${id}`, created },
    context_length: contextWindow,
    architecture: {
      input_modalities: ['text', 'image'],
      output_modalities: endpoints?.includes('image-generation') ? ['image'] : ['text'],
    },
    pricing: { prompt: '0.0000005', completion: '0.0000015' },
    top_provider: { context_length: contextWindow, max_completion_tokens: maxTokens, is_moderated: false },
    supported_parameters: ['max_tokens', 'temperature', 'tools', 'tool_choice', 'reasoning'],
  };
}
