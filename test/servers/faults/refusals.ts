import { litellmBudget, litellmError, litellmNoDatabase } from '../dialects/litellm.ts';
import { newApiError } from '../dialects/newApi.ts';
import { insufficientQuota, openaiError } from '../dialects/openai.ts';
import { openRouterCredits, openRouterError } from '../dialects/openRouter.ts';
import { htmlPage, type Reply } from '../http/reply.ts';
import { contextTooLong } from '../models/goodModels.ts';
import { refuse, refuseForeign, type ScriptedModel } from '../script/script.ts';
import { fault, plain } from './fault.ts';

/** Requests refused with an error status. Unless it says "foreign", an answer has the relay's headers. */
export const refusals: readonly ScriptedModel[] = [
  // The vendor behind the relay refuses.
  refusing('vendor-401', "The relay's own account at the vendor is refused; the user's key is fine.", () =>
    openaiError(
      401,
      'invalid_request_error',
      'invalid_api_key',
      'Incorrect API key provided: sk-vendor***. You can find your API key in the vendor console.',
    ),
  ),
  refusing('vendor-403', 'The vendor does not permit this.', () =>
    openaiError(403, 'permission_error', null, 'Your organization must be verified to use this model.'),
  ),
  refusing('vendor-404', 'The vendor has no such model.', () =>
    openaiError(
      404,
      'invalid_request_error',
      'model_not_found',
      'The model `fault/vendor-404` does not exist or you do not have access to it.',
    ),
  ),
  refusing('vendor-400', 'The vendor finds the request wrong.', () =>
    openaiError(
      400,
      'invalid_request_error',
      'invalid_value',
      "Invalid value for 'messages[0].content'.",
      'messages[0].content',
    ),
  ),
  refusing('vendor-422', 'The vendor cannot process the request; its error has no type.', () =>
    openaiError(422, 'upstream_error', null, 'Input should be a valid dictionary'),
  ),
  refusing('vendor-529', 'The vendor is overloaded.', () =>
    openaiError(529, 'overloaded_error', null, 'Overloaded'),
  ),
  refusing('vendor-not-json', "The vendor's error was not JSON.", () =>
    openaiError(502, 'bad_response_status_code', 'bad_response_status_code', 'openai_error', ''),
  ),
  refusing('context-too-long', 'The prompt is too long for the model, whatever it is.', () =>
    contextTooLong(8192, 9001),
  ),
  refusing('context-too-long-by-text', 'The same, told only by the text of a 400.', () =>
    openaiError(400, 'invalid_request_error', null, 'prompt is too long: 213462 tokens > 200000 maximum'),
  ),

  // The relay refuses.
  relayRefusing(
    '503-no-channel',
    'No live channel for the model in the group.',
    503,
    'model_not_found',
    'No available channel for model fault/503-no-channel under group default (distributor)',
    'gate',
  ),
  relayRefusing(
    'get-channel-failed',
    "All of the relay's retries are used up.",
    503,
    'get_channel_failed',
    'No available channel for model fault/get-channel-failed under group default (retry)',
  ),
  relayRefusing(
    'do-request-failed',
    'The relay cannot reach the vendor.',
    500,
    'do_request_failed',
    'upstream error: do request failed',
  ),
  relayRefusing(
    'bad-response-body',
    'The vendor answered garbage.',
    500,
    'bad_response_body',
    "invalid character '<' looking for beginning of value",
  ),
  relayRefusing(
    'empty-response',
    'The vendor answered nothing.',
    500,
    'empty_response',
    'empty response from upstream',
  ),
  relayRefusing(
    'relay-overloaded',
    "The relay's machine is overloaded.",
    503,
    'system_cpu_overloaded',
    'system cpu overloaded',
  ),
  relayRefusing(
    'database',
    "Trouble with the relay's database.",
    500,
    '',
    'Database error, please contact the administrator',
    'gate',
  ),
  refusing('relay-panic', 'The relay crashed on the request.', () => ({
    status: 500,
    body: {
      error: {
        message: 'Panic detected, error: runtime error. Please submit an issue.',
        type: 'new_api_panic',
      },
    },
  })),
  relayRefusing(
    'balance-403',
    'The account balance is zero.',
    403,
    'insufficient_user_quota',
    '用户额度不足, 剩余额度: ＄0.000000',
  ),
  relayRefusing(
    'pre-consume-403',
    "The token's quota does not cover the estimated cost.",
    403,
    'pre_consume_token_quota_failed',
    'token quota is not enough, token remain quota: ＄0.001200, need quota: ＄0.045000',
  ),
  relayRefusing(
    'subscription-403',
    'The subscription plan is used up.',
    403,
    'insufficient_user_quota',
    '订阅额度不足或未配置订阅: plan 3',
  ),
  relayRefusing(
    'model-price-400',
    'The model has no price configured.',
    400,
    'model_price_error',
    '模型 fault/model-price-400 价格未配置。The price of model fault/model-price-400 is not configured',
  ),
  relayRefusing(
    'sensitive-words',
    "The prompt hits the site's word filter.",
    500,
    'sensitive_words_detected',
    'user sensitive words detected: tomato',
  ),
  relayRefusing(
    'convert-request-failed',
    'The relay cannot translate the request for the vendor.',
    500,
    'convert_request_failed',
    'not implemented',
  ),
  relayRefusing(
    'body-too-large-400',
    "The body is over the relay's limit.",
    400,
    '',
    'Invalid request: Invalid request: request body exceeds 128 MB: request body too large',
    'gate',
  ),
  relayRefusing(
    '429-model-limit',
    "The user's limit for requests in a minute, told in Chinese.",
    429,
    '',
    '您已达到请求数限制：1分钟内最多请求10次',
    'gate',
  ),
  refusing('429-empty-body', 'The same from a site without Redis: an empty body.', () => ({
    status: 429,
    body: '',
  })),
  foreign('429-retry-after', 'Foreign: a rate limit with `Retry-After` in seconds, every time.', () =>
    rateLimit({ 'Retry-After': '1' }),
  ),
  foreign('429-retry-after-date', 'Foreign: a rate limit with `Retry-After` as a date, every time.', () =>
    rateLimit({ 'Retry-After': new Date(Date.now() + 2000).toUTCString() }),
  ),
  foreign('429-retry-after-long', 'Foreign: a rate limit that asks to wait an hour.', () =>
    rateLimit({ 'Retry-After': '3600' }),
  ),
  fault(
    '429-retry-after-then-ok',
    'Foreign: a rate limit with `Retry-After: 1`; the next request is answered.',
    (given) =>
      given.context.attempt % 2 === 1 ? [refuseForeign(rateLimit({ 'Retry-After': '1' }))] : plain(given),
  ),
  refusingFirst('500-then-ok', 'A 500; the next request is answered.', serverError),
  refusing('500-always', 'A 500, every time.', serverError),

  // Other products and things in front of the relay, without its headers.
  foreign(
    'openai-quota-429',
    'Foreign: OpenAI without money. Looks like a rate limit, but waiting does not help.',
    () => insufficientQuota,
  ),
  foreign('openrouter-402', 'Foreign: OpenRouter without credits.', () => openRouterCredits),
  foreign('openrouter-503', 'Foreign: OpenRouter has no provider left.', () =>
    openRouterError(503, 'No allowed providers are available for the selected model.', {
      error_type: 'provider_unavailable',
    }),
  ),
  foreign('litellm-budget-400', 'Foreign: LiteLLM, the budget is used up, as a 400.', () =>
    litellmBudget(400),
  ),
  foreign('litellm-budget-422', 'Foreign: LiteLLM, the budget is used up, as 1.106 says it.', () =>
    litellmBudget(422),
  ),
  foreign('litellm-budget-429', 'Foreign: LiteLLM, the budget is used up, as a 429.', () =>
    litellmBudget(429),
  ),
  foreign('litellm-model-403', 'Foreign: LiteLLM, the model is not permitted.', () =>
    litellmError(403, 'key_model_access_denied', 'key not allowed to access model.', 'model'),
  ),
  foreign(
    'litellm-no-database',
    'Foreign: LiteLLM, a wrong key where there is no database.',
    () => litellmNoDatabase,
  ),
  foreign('litellm-cooldown-429', 'Foreign: LiteLLM, all deployments are cooling down.', () =>
    litellmError(429, 'None', 'No deployments available for selected model, Try again in 5 seconds.'),
  ),
  foreign('413-html', "Foreign: a front proxy's body limit, as an HTML page.", () => htmlPage(413)),
  foreign('502-html', "Foreign: a front proxy's HTML page, the relay is down.", () => htmlPage(502)),
  foreign('504-html', "Foreign: a front proxy's HTML page, the relay is slow.", () => htmlPage(504)),
  foreign('405-html', 'Foreign: the address is some other web server.', () => htmlPage(405)),
  foreign(
    'redirect-other-origin',
    'Foreign: a redirect to another host, which a key must not follow.',
    () => ({
      status: 307,
      headers: { Location: 'https://elsewhere.invalid/v1/chat/completions' },
      body: '',
    }),
  ),

  // Vendors that refuse a field; without it they answer.
  fault('refuses-temperature', 'A 400 if `temperature` or `top_p` is sent, except 1.', (given) => {
    const { temperature, top_p } = given.request;
    const sent = (temperature ?? 1) !== 1 ? 'temperature' : (top_p ?? 1) !== 1 ? 'top_p' : undefined;
    return sent
      ? [
          refuse(
            unsupported(
              sent,
              `Unsupported value: '${sent}' does not support this value with this model. Only the default (1) value is supported.`,
            ),
          ),
        ]
      : plain(given);
  }),
  fault('refuses-max-tokens', 'A 400 if `max_tokens` is sent; `max_completion_tokens` is taken.', (given) =>
    given.request.max_tokens
      ? [
          refuse(
            unsupported(
              'max_tokens',
              "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            ),
          ),
        ]
      : plain(given),
  ),
  fault('refuses-tools', 'A 400 if `tools` are sent.', (given) =>
    given.request.tools
      ? [refuse(unsupported('tools', 'fault/refuses-tools does not support tools'))]
      : plain(given),
  ),
  fault('refuses-stream-options', 'A 400 if `stream_options` is sent.', (given) =>
    given.request.stream_options
      ? [refuse(unsupported('stream_options', "Unknown parameter: 'stream_options'."))]
      : plain(given),
  ),
  fault('refuses-stream', 'A 400 if a stream is asked for.', (given) =>
    given.request.stream
      ? [refuse(unsupported('stream', "Unsupported value: 'stream' does not support true with this model."))]
      : plain(given),
  ),
  fault('refuses-system', 'A 400 if there is a system message.', (given) =>
    given.request.messages.some(({ role }) => role === 'system')
      ? [
          refuse(
            unsupported(
              'messages[0].role',
              "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            ),
          ),
        ]
      : plain(given),
  ),
  fault('refuses-images', 'A 404 if an image is sent.', (given) =>
    given.request.messages.some(
      ({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'image_url'),
    )
      ? [
          refuse(
            openaiError(404, 'invalid_request_error', null, 'No endpoints found that support image input'),
          ),
        ]
      : plain(given),
  ),
];

function refusing(name: string, describe: string, reply: () => Reply): ScriptedModel {
  return fault(name, describe, () => [refuse(reply())]);
}

/** Refuses every first request and answers every second. */
function refusingFirst(name: string, describe: string, reply: () => Reply): ScriptedModel {
  return fault(name, describe, (given) =>
    given.context.attempt % 2 === 1 ? [refuse(reply())] : plain(given),
  );
}

function foreign(name: string, describe: string, reply: () => Reply): ScriptedModel {
  return fault(name, describe, () => [refuseForeign(reply())]);
}

/** An error of the relay itself, in the shape of the stage that raised it. */
function relayRefusing(
  name: string,
  describe: string,
  status: number,
  code: string,
  message: string,
  stage: 'gate' | 'relay' = 'relay',
): ScriptedModel {
  return fault(name, describe, ({ context: { requestId } }) => [
    refuse({ status, body: newApiError({ message, code, relayStage: stage === 'relay', requestId }) }),
  ]);
}

function rateLimit(headers: Record<string, string>): Reply {
  return openaiError(
    429,
    'requests',
    'rate_limit_exceeded',
    'Rate limit reached for requests.',
    null,
    headers,
  );
}

function serverError(): Reply {
  return openaiError(
    500,
    'server_error',
    null,
    'The server had an error while processing your request. Sorry about that!',
  );
}

function unsupported(param: string, message: string): Reply {
  return openaiError(400, 'invalid_request_error', 'unsupported_value', message, param);
}
