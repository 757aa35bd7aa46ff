import { assertNever } from '../../../src/base/assertNever.ts';
import type { Reply } from '../http/reply.ts';
import type { Dialect } from './dialect.ts';

/** The LiteLLM proxy 1.106.2: OpenAI's shape, but `code` is the status as text. */
export const litellmDialect: Dialect = {
  lenientKeys: false,
  headers: (requestId) => ({ 'x-litellm-call-id': requestId }),
  refuse(gateCase, { model }) {
    switch (gateCase) {
      case 'no-key':
        return litellmError(401, 'auth_error', 'Authentication Error, No api key passed in.');
      case 'unknown-key':
      case 'disabled':
      case 'key-suffix':
        return litellmError(
          401,
          'token_not_found_in_db',
          'Authentication Error, Invalid proxy server token passed. Received API Key = sk-s..., Unable to find token in cache or `LiteLLM_VerificationTokenTable`',
          'key',
        );
      case 'expired':
        return litellmError(
          401,
          'expired_key',
          'Authentication Error, Expired Key. Key Expiry time 2026-01-01',
        );
      case 'banned':
      case 'ip':
      case 'group':
        return litellmError(403, 'auth_error', 'Authentication Error, access denied');
      case 'exhausted':
      case 'no-balance':
      case 'low-balance':
      case 'low-token-quota':
        return litellmBudget(422);
      case 'model-not-allowed':
      case 'no-models-allowed':
        return litellmError(
          401,
          'key_model_access_denied',
          `key not allowed to access model. This key can only access models=['scripted-echo']. Tried to access ${model}`,
          'model',
        );
      case 'unknown-model':
        return litellmError(
          400,
          'invalid_request_error',
          `/chat/completions: Invalid model name passed in model=${model}. Call \`/v1/models\` to view available models for your key.`,
        );
      case 'no-model-given':
      case 'not-json':
      case 'no-messages':
      case 'absurd-max-tokens':
        return litellmError(400, 'invalid_request_error', `Invalid request: ${gateCase}`);
      case 'body-too-large':
        return litellmError(413, 'invalid_request_error', 'Request size is too large');
      default:
        return assertNever(gateCase);
    }
  },
  listModels: (models) => ({
    object: 'list',
    data: models.map(({ id, endpoints, contextWindow, maxTokens }) => ({
      id,
      object: 'model',
      created: 1677610602,
      owned_by: 'openai',
      ...(endpoints && { mode: modeOf(endpoints) }),
      ...(contextWindow && { max_input_tokens: contextWindow }),
      ...(maxTokens && { max_output_tokens: maxTokens }),
    })),
  }),
};

/** What LiteLLM says of a model that it knows; of others it says nothing. */
function modeOf(endpoints: readonly string[]): string {
  if (endpoints.includes('embeddings')) return 'embedding';
  return endpoints.includes('image-generation') ? 'image_generation' : 'chat';
}

/** An error of the LiteLLM proxy. */
export function litellmError(
  status: number,
  type: string,
  message: string,
  param: string | null = null,
): Reply {
  return { status, body: { error: { message, type, param, code: String(status) } } };
}

/** A key without a database to look it up in. */
export const litellmNoDatabase = litellmError(400, 'no_db_connection', 'No connected db.');

/** The budget of a key is used up: versions differ in the status. */
export function litellmBudget(status: 400 | 422 | 429): Reply {
  return litellmError(
    status,
    'budget_exceeded',
    'Budget has been exceeded! Current cost: 10.02, Max budget: 10.0',
  );
}
