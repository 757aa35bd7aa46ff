import { assertNever } from '../../../src/base/assertNever.ts';
import type { Reply } from '../http/reply.ts';
import { type Dialect, listedCreated } from './dialect.ts';

/** OpenRouter: `code` is a number, and the list tells windows, limits, modalities and prices. */
export const openRouterDialect: Dialect = {
  lenientKeys: false,
  headers: () => ({}),
  refuse(gateCase, { model }) {
    switch (gateCase) {
      case 'no-key':
        return openRouterError(401, 'No auth credentials found');
      case 'unknown-key':
      case 'disabled':
      case 'expired':
      case 'key-suffix':
        return openRouterError(401, 'User not found.');
      case 'exhausted':
        return openRouterError(403, 'Key limit exceeded (total limit).');
      case 'banned':
      case 'ip':
      case 'group':
      case 'model-not-allowed':
      case 'no-models-allowed':
        return openRouterError(403, 'Blocked by a guardrail of your account.', {
          error_type: 'permission_denied',
        });
      case 'no-balance':
      case 'low-balance':
      case 'low-token-quota':
        return openRouterCredits;
      case 'unknown-model':
        return openRouterError(400, `${model} is not a valid model ID`);
      case 'no-model-given':
        return openRouterError(400, 'No models provided');
      case 'not-json':
      case 'no-messages':
      case 'absurd-max-tokens':
        return openRouterError(400, 'Input required: specify "prompt" or "messages"');
      case 'body-too-large':
        return openRouterError(413, 'Request Entity Too Large');
      default:
        return assertNever(gateCase);
    }
  },
  listModels: (models) => ({
    data: models.map(({ id, ownedBy, contextWindow = 128_000, maxTokens = 16_384, endpoints }) => ({
      id: `${ownedBy}/${id}`,
      canonical_slug: id,
      name: `${ownedBy}: ${id}`,
      created: listedCreated,
      context_length: contextWindow,
      architecture: {
        input_modalities: ['text', 'image'],
        output_modalities: endpoints?.includes('image-generation') ? ['image'] : ['text'],
      },
      pricing: { prompt: '0.0000005', completion: '0.0000015' },
      top_provider: { context_length: contextWindow, max_completion_tokens: maxTokens, is_moderated: false },
      supported_parameters: ['max_tokens', 'temperature', 'tools', 'tool_choice', 'reasoning'],
    })),
  }),
};

/** An error of OpenRouter. */
export function openRouterError(code: number, message: string, metadata?: object): Reply {
  return { status: code, body: { error: { code, message, ...(metadata && { metadata }) } } };
}

/** No money at OpenRouter. */
export const openRouterCredits = openRouterError(
  402,
  'This request requires more credits, or fewer max_tokens. You requested up to 4096 tokens, but can only afford 12.',
);
