import { assertNever } from '../../../src/base/assertNever.ts';
import type { Reply } from '../http/reply.ts';
import { type Dialect, listedCreated } from './dialect.ts';

/** OpenAI itself, where a person may point the connection as well. */
export const openaiDialect: Dialect = {
  lenientKeys: false,
  headers: (requestId) => ({ 'x-request-id': requestId }),
  refuse(gateCase, { model }) {
    switch (gateCase) {
      case 'no-key':
        return openaiError(401, 'invalid_request_error', null, "You didn't provide an API key.");
      case 'unknown-key':
      case 'disabled':
      case 'expired':
      case 'key-suffix':
        return openaiError(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.');
      case 'banned':
      case 'ip':
      case 'group':
        return openaiError(
          403,
          'invalid_request_error',
          'unsupported_country_region_territory',
          'Not allowed.',
        );
      case 'exhausted':
      case 'no-balance':
      case 'low-balance':
      case 'low-token-quota':
        return insufficientQuota;
      case 'model-not-allowed':
      case 'no-models-allowed':
      case 'unknown-model':
        return openaiError(
          404,
          'invalid_request_error',
          'model_not_found',
          `The model \`${model}\` does not exist or you do not have access to it.`,
        );
      case 'no-model-given':
        return openaiError(400, 'invalid_request_error', null, 'you must provide a model parameter');
      case 'not-json':
        return openaiError(
          400,
          'invalid_request_error',
          null,
          'We could not parse the JSON body of your request.',
        );
      case 'body-too-large':
        return openaiError(413, 'invalid_request_error', null, 'Maximum content size limit exceeded.');
      case 'no-messages':
        return openaiError(
          400,
          'invalid_request_error',
          'missing_required_parameter',
          "Missing required parameter: 'messages'.",
          'messages',
        );
      case 'absurd-max-tokens':
        return openaiError(
          400,
          'invalid_request_error',
          'invalid_value',
          'max_tokens is too large.',
          'max_tokens',
        );
      default:
        return assertNever(gateCase);
    }
  },
  listModels: (models) => ({
    object: 'list',
    data: models.map(({ id, ownedBy }) => ({
      id,
      object: 'model',
      created: listedCreated,
      owned_by: ownedBy,
    })),
  }),
};

/** An error in OpenAI's form, which most vendors copy. */
export function openaiError(
  status: number,
  type: string,
  code: string | null,
  message: string,
  param: string | null = null,
  headers?: Record<string, string>,
): Reply {
  return { status, body: { error: { message, type, param, code } }, ...(headers && { headers }) };
}

/** No money at OpenAI: looks like a rate limit, but waiting does not help. */
export const insufficientQuota = openaiError(
  429,
  'insufficient_quota',
  'insufficient_quota',
  'You exceeded your current quota, please check your plan and billing details.',
);
