import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../../src/base/errors/errors.ts';
import { type Refusal, toRelayError } from '../../../../src/relay/errors/relayErrors.ts';

const key = 'sk-averysecretkey';

interface Row {
  name: string;
  status: number;
  code: ErrorCode;
  /** An error body's `type`, `code` and `message`; or a whole body. */
  error?: Record<string, unknown>;
  body?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

const relayHeaders = { 'x-oneapi-request-id': '20260808abc', 'x-new-api-version': 'v1' };

function refusal(row: Row, headers: Record<string, string>): Refusal {
  return {
    status: row.status,
    headers: { ...headers, ...row.headers },
    body: row.body ?? (row.error ? JSON.stringify({ error: row.error }) : ''),
    contentType: row.contentType ?? 'application/json',
    stage: 'answer',
    address: 'https://relay.example.com/v1/chat/completions',
    key,
    nowMs: Date.parse('2026-11-21T10:00:00Z'),
  };
}

const gate = (message: string, code: unknown = '') => ({ message, type: 'new_api_error', code });
const relay = (code: string, message = 'some text') => ({ message, type: 'new_api_error', param: '', code });
const old = (message: string) => ({ message, type: 'one_api_error' });
const html = { body: '<!DOCTYPE html><html><title>Console</title></html>', contentType: 'text/html' };

/** relay-api.md 1 and 3.2: new-api, whose answers carry its headers. */
const newApi: Row[] = [
  {
    name: 'no such route',
    status: 404,
    error: {
      message: 'Invalid URL (POST /v1/chat/completion)',
      type: 'invalid_request_error',
      param: '',
      code: '',
    },
    code: 'wrong-address',
  },
  { name: 'unserved route', status: 501, error: relay('api_not_implemented'), code: 'wrong-address' },
  { name: 'console page', status: 200, ...html, code: 'wrong-address' },
  { name: 'page not found', status: 404, ...html, code: 'wrong-address' },
  { name: 'wrong method', status: 405, ...html, code: 'wrong-address' },
  { name: 'a separate front end', status: 301, ...html, code: 'wrong-address' },
  { name: 'bad key', status: 401, error: gate('Invalid token (request id: 20260808abc)'), code: 'key' },
  {
    name: "the relay's network, at the vendor",
    status: 403,
    error: {
      message: 'Your IP address is not allowed.',
      type: 'permission_error',
      code: 'ip_not_authorized',
    },
    code: 'vendor-not-permitted',
  },
  {
    name: 'bad key of a relay behind it',
    status: 401,
    error: gate('Invalid token (request id: 20260808other)'),
    code: 'vendor-key',
  },
  {
    name: 'no balance at a relay behind it',
    status: 403,
    error: relay('insufficient_user_quota', '用户额度不足 (request id: 20260808other)'),
    code: 'vendor-balance',
  },
  { name: 'user banned', status: 403, error: gate('User has been banned'), code: 'not-permitted' },
  {
    name: 'address not allowed',
    status: 403,
    error: gate('您的 IP 不在令牌允许访问的列表中', 'access_denied'),
    code: 'network-not-allowed',
  },
  { name: 'group removed', status: 403, error: gate('分组 G 已被弃用'), code: 'not-permitted' },
  { name: 'key with a suffix', status: 403, error: gate('普通用户不支持指定渠道'), code: 'not-permitted' },
  {
    name: 'model not on the allow-list',
    status: 403,
    error: gate('This token has no access to model M'),
    code: 'model',
  },
  {
    name: 'unknown model',
    status: 503,
    error: gate('No available channel for model M under group G (distributor)', 'model_not_found'),
    code: 'model',
  },
  {
    name: 'no model given',
    status: 400,
    error: gate('Model name not specified, model name cannot be empty'),
    code: 'request',
  },
  {
    name: 'body not JSON',
    status: 400,
    error: gate('Invalid request: Invalid request: invalid JSON request body'),
    code: 'request',
  },
  {
    name: 'body too large',
    status: 400,
    error: gate('Invalid request: Invalid request: request body exceeds 128 MB: request body too large'),
    code: 'too-large',
  },
  {
    name: 'body too large, later paths',
    status: 413,
    error: relay('read_request_body_failed'),
    code: 'too-large',
  },
  { name: 'body too large for a proxy', status: 413, ...html, code: 'too-large' },
  {
    name: 'no messages',
    status: 500,
    error: relay('invalid_request', 'field messages is required'),
    code: 'request',
  },
  {
    name: 'absurd max_tokens',
    status: 500,
    error: relay('invalid_request', 'max_tokens is invalid'),
    code: 'request',
  },
  { name: 'word filter', status: 500, error: relay('sensitive_words_detected'), code: 'content-filter' },
  {
    name: "a vendor's filter",
    status: 400,
    error: { message: 'The prompt was filtered.', type: '', param: 'prompt', code: 'content_filter' },
    code: 'content-filter',
  },
  { name: 'cannot be translated', status: 500, error: relay('convert_request_failed'), code: 'request' },
  { name: 'no price', status: 400, error: relay('model_price_error'), code: 'request' },
  {
    name: 'balance zero',
    status: 403,
    error: relay('insufficient_user_quota', '用户额度不足, 剩余额度: ＄0.000000'),
    code: 'balance',
  },
  {
    name: 'balance below pre-charge',
    status: 403,
    error: relay('insufficient_user_quota', '预扣费额度失败'),
    code: 'balance',
  },
  {
    name: 'plan used up',
    status: 403,
    error: relay('insufficient_user_quota', '订阅额度不足或未配置订阅: x'),
    code: 'balance',
  },
  {
    name: 'token quota below pre-charge',
    status: 403,
    error: relay('pre_consume_token_quota_failed'),
    code: 'balance',
  },
  {
    name: 'model rate limit',
    status: 429,
    error: gate('您已达到请求数限制：1分钟内最多请求N次'),
    code: 'rate-limit',
  },
  { name: 'rate limit without Redis', status: 429, body: '', code: 'rate-limit' },
  {
    name: "vendor's 401",
    status: 401,
    error: { message: 'Incorrect API key', type: 'invalid_request_error', code: 'invalid_api_key' },
    code: 'vendor-key',
  },
  {
    name: "vendor's 401, type missing",
    status: 401,
    error: { message: 'no', type: 'upstream_error', code: null },
    code: 'vendor-key',
  },
  {
    name: "vendor's 400",
    status: 400,
    error: { message: 'no', type: 'upstream_error', code: 1210 },
    code: 'request',
  },
  {
    name: "vendor's error was not JSON",
    status: 502,
    error: { message: 'openai_error', type: 'bad_response_status_code', code: 'bad_response_status_code' },
    code: 'transient',
  },
  {
    name: 'vendor not reachable',
    status: 500,
    error: relay('do_request_failed', 'upstream error: do request failed'),
    code: 'transient',
  },
  { name: 'vendor answered garbage', status: 500, error: relay('bad_response_body'), code: 'transient' },
  { name: 'vendor answered nothing', status: 500, error: relay('empty_response'), code: 'transient' },
  { name: 'vendor broke off', status: 500, error: relay('read_response_body_failed'), code: 'transient' },
  {
    name: 'retries used up',
    status: 503,
    error: relay('get_channel_failed', '获取渠道失败'),
    code: 'transient',
  },
  { name: 'retries used up, as 500', status: 500, error: relay('get_channel_failed'), code: 'transient' },
  { name: 'overloaded', status: 503, error: relay('system_cpu_overloaded'), code: 'transient' },
  {
    name: 'crashed',
    status: 500,
    error: { message: 'Panic detected', type: 'new_api_panic' },
    code: 'transient',
  },
  {
    name: 'database',
    status: 500,
    error: gate('Database error, please contact the administrator'),
    code: 'transient',
  },
];

/** relay-api.md 3.3: versions of before 2026, and One API. */
const oldVersions: Row[] = [
  { name: 'no key', status: 401, error: old('未提供令牌'), code: 'key' },
  { name: 'unknown key', status: 401, error: old('无效的令牌'), code: 'key' },
  { name: 'expired', status: 401, error: { message: '该令牌已过期', type: 'new_api_error' }, code: 'key' },
  { name: 'used up', status: 401, error: old('该令牌额度已用尽 !token.UnlimitedQuota'), code: 'balance' },
  { name: 'model not allowed', status: 403, error: old('该令牌无权使用模型：M'), code: 'model' },
  {
    name: 'no channel',
    status: 503,
    error: { message: '当前分组 G 下对于模型 M 无可用渠道', type: 'new_api_error' },
    code: 'model',
  },
  {
    name: 'no channel, One API',
    status: 503,
    error: old('当前分组 G 下对于模型 M 无可用渠道'),
    code: 'model',
  },
  {
    name: 'balance',
    status: 403,
    error: { message: 'user quota is not enough', type: 'new_api_error', code: 'insufficient_user_quota' },
    code: 'balance',
  },
  { name: 'balance by text', status: 403, error: old('user quota is not enough'), code: 'balance' },
  { name: 'balance by Chinese text', status: 403, error: old('用户额度不足'), code: 'balance' },
  { name: "vendor's 429", status: 429, error: old('当前分组上游负载已饱和，请稍后再试'), code: 'rate-limit' },
];

/** relay-api.md 3.4: other servers, which don't send the relay's headers. */
const elsewhere: Row[] = [
  {
    name: 'OpenAI, bad key',
    status: 401,
    error: {
      message: 'Incorrect API key',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    },
    code: 'key',
  },
  {
    name: 'OpenAI, no money',
    status: 429,
    error: { message: 'You exceeded', type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
    code: 'balance',
  },
  {
    name: 'OpenAI, unknown model',
    status: 404,
    error: {
      message: 'The model `m` does not exist or you do not have access to it.',
      type: 'invalid_request_error',
      code: 'model_not_found',
    },
    code: 'model',
  },
  {
    name: 'OpenAI, rate limit',
    status: 429,
    error: { message: 'Rate limit', type: 'requests', code: 'rate_limit_exceeded' },
    code: 'rate-limit',
  },
  {
    name: 'OpenAI, context',
    status: 400,
    error: {
      message: "This model's maximum context length is 8192 tokens.",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
    code: 'context-too-long',
  },
  {
    name: 'OpenAI, down',
    status: 500,
    error: { message: 'x', type: 'server_error', code: null },
    code: 'transient',
  },
  {
    name: 'OpenAI, down, 503',
    status: 503,
    error: { message: 'x', type: 'server_error', code: null },
    code: 'transient',
  },
  {
    name: 'LiteLLM, bad key',
    status: 401,
    error: {
      message: 'Authentication Error, Invalid proxy server token passed',
      type: 'token_not_found_in_db',
      param: 'key',
      code: '401',
    },
    code: 'key',
  },
  {
    name: 'LiteLLM, no key',
    status: 401,
    error: {
      message: 'Authentication Error, No api key passed in.',
      type: 'auth_error',
      param: 'None',
      code: '401',
    },
    code: 'key',
  },
  {
    name: 'LiteLLM, expired',
    status: 401,
    error: { message: 'Authentication Error - Expired Key', type: 'expired_key', param: 'None', code: '401' },
    code: 'key',
  },
  {
    name: 'LiteLLM, budget',
    status: 400,
    error: { message: 'Budget has been exceeded!', type: 'budget_exceeded', param: null, code: '400' },
    code: 'balance',
  },
  {
    name: 'LiteLLM, budget, newer',
    status: 429,
    error: { message: 'Budget has been exceeded!', type: 'budget_exceeded', param: null, code: '429' },
    code: 'balance',
  },
  {
    name: 'LiteLLM, model not permitted',
    status: 401,
    error: { message: 'key not allowed', type: 'key_model_access_denied', param: 'model', code: '401' },
    code: 'model',
  },
  {
    name: 'LiteLLM, model not permitted, 403',
    status: 403,
    error: { message: 'key not allowed', type: 'key_model_access_denied', param: 'model', code: '403' },
    code: 'model',
  },
  {
    name: 'LiteLLM, unknown model',
    status: 400,
    error: {
      message: '/chat/completions: Invalid model name passed in model=m. Call `/v1/models`',
      type: 'invalid_request_error',
      param: 'None',
      code: '400',
    },
    code: 'model',
  },
  {
    name: 'LiteLLM, cooling down',
    status: 429,
    error: {
      message: 'No deployments available for selected model, Try again in 5 seconds.',
      type: 'None',
      param: 'None',
      code: '429',
    },
    code: 'rate-limit',
  },
  {
    name: 'LiteLLM, context',
    status: 400,
    error: {
      message: "litellm.ContextWindowExceededError: This model's maximum context length is 8192 tokens",
      type: 'None',
      code: '400',
    },
    code: 'context-too-long',
  },
  {
    name: 'LiteLLM, vendor down',
    status: 504,
    error: { message: 'timeout', type: 'None', code: '504' },
    code: 'transient',
  },
  {
    name: 'LiteLLM, full context in words of another vendor',
    status: 400,
    error: {
      message: 'litellm.ContextWindowExceededError: BadRequestError: VendorException - Request exceeds 8k.',
      type: 'invalid_request_error',
      code: '400',
    },
    code: 'context-too-long',
  },
  { name: 'LiteLLM, wrong path', status: 404, body: '{"detail":"Not Found"}', code: 'wrong-address' },
  { name: 'OpenRouter, bad key', status: 401, error: { code: 401, message: 'User not found.' }, code: 'key' },
  {
    name: 'OpenRouter, no money',
    status: 402,
    error: { code: 402, message: 'Insufficient credits' },
    code: 'balance',
  },
  {
    name: 'OpenRouter, key budget',
    status: 403,
    error: { code: 403, message: 'Key limit exceeded (total limit).' },
    code: 'balance',
  },
  {
    name: 'OpenRouter, moderation',
    status: 403,
    error: {
      code: 403,
      message: 'Your chosen model requires moderation and your input was flagged',
      metadata: { reasons: ['x'] },
    },
    code: 'content-filter',
  },
  {
    name: 'OpenRouter, unknown model',
    status: 400,
    error: { code: 400, message: 'm is not a valid model ID' },
    code: 'model',
  },
  {
    name: 'OpenRouter, no endpoint',
    status: 404,
    error: { code: 404, message: 'No endpoints found for m.' },
    code: 'model',
  },
  {
    name: 'OpenRouter, none available',
    status: 503,
    error: { code: 503, message: 'No instances available' },
    code: 'transient',
  },
  {
    name: 'OpenRouter, timed out',
    status: 408,
    error: { code: 408, message: 'Request timed out' },
    code: 'transient',
  },
  {
    name: 'OpenRouter, rate limit',
    status: 429,
    error: { code: 429, message: 'Rate limited' },
    code: 'rate-limit',
  },
  {
    name: 'OpenRouter, vendor down',
    status: 502,
    error: { code: 502, message: 'Provider returned error', metadata: { provider_code: 'x' } },
    code: 'transient',
  },
  {
    name: 'OpenRouter, context',
    status: 400,
    error: { code: 400, message: "This endpoint's maximum context length is 128000 tokens." },
    code: 'context-too-long',
  },
];

/** Account at fault, and verdicts based on the message. */
const accounts: Row[] = [
  {
    name: 'LiteLLM, no database',
    status: 400,
    error: { message: 'No connected db.', type: 'no_db_connection', param: null, code: '400' },
    code: 'key',
  },
  {
    name: 'LiteLLM, budget, 422',
    status: 422,
    error: { message: 'Budget has been exceeded!', type: 'budget_exceeded', param: null, code: '422' },
    code: 'balance',
  },
  {
    name: 'LiteLLM, team without the model',
    status: 403,
    error: { message: 'team not allowed', type: 'team_model_access_denied', param: 'model', code: '403' },
    code: 'model',
  },
  {
    name: 'LiteLLM, address not allowed',
    status: 403,
    error: { message: 'Access forbidden: IP address not allowed.', type: 'auth_error', code: '403' },
    code: 'network-not-allowed',
  },
  {
    name: 'DeepSeek without money, behind new-api',
    status: 402,
    headers: relayHeaders,
    error: {
      message: 'Insufficient Balance',
      type: 'unknown_error',
      param: '',
      code: 'invalid_request_error',
    },
    code: 'vendor-balance',
  },
  {
    name: 'Anthropic without money, behind new-api',
    status: 400,
    headers: relayHeaders,
    error: {
      message: 'Your credit balance is too low to access the Anthropic API.',
      type: '<nil>',
      code: '',
    },
    code: 'vendor-balance',
  },
  {
    name: 'Anthropic without money, called directly',
    status: 400,
    error: {
      message: 'Your credit balance is too low to access the Anthropic API.',
      type: 'invalid_request_error',
    },
    code: 'balance',
  },
  {
    name: "Google's limit by the minute, in the words of an empty account",
    status: 429,
    headers: relayHeaders,
    error: {
      message: 'You exceeded your current quota. Please retry in 34.07s.',
      type: 'upstream_error',
      code: 429,
    },
    code: 'rate-limit',
  },
  {
    name: "OpenRouter's provider, in its own words",
    status: 429,
    error: {
      code: 429,
      message: 'Provider returned error',
      metadata: { raw: '{"error":{"message":"Slow down"}}' },
    },
    code: 'rate-limit',
  },
  {
    name: 'no images',
    status: 400,
    error: {
      message: 'This model does not support image inputs.',
      type: 'invalid_request_error',
      param: 'messages',
    },
    code: 'images',
  },
  {
    name: 'no images, Rust',
    status: 422,
    error: { message: 'messages[0]: unknown variant `image_url`, expected `text`' },
    code: 'images',
  },
  {
    name: "a vendor's 404 behind new-api",
    status: 404,
    headers: relayHeaders,
    error: { message: 'Not found', type: 'upstream_error', code: '' },
    code: 'model',
  },
];

/** The rest of relay-api.md 3.5, and vendors' messages behind a relay. */
const further: Row[] = [
  {
    name: 'http to a TLS port, nginx',
    status: 400,
    body: '<html><title>400 The plain HTTP request was sent to HTTPS port</title></html>',
    contentType: 'text/html',
    code: 'wrong-address',
  },
  {
    name: 'http to a TLS port, Go',
    status: 400,
    body: 'Client sent an HTTP request to an HTTPS server.\n',
    contentType: '',
    code: 'wrong-address',
  },
  {
    name: 'Anthropic, prompt too long',
    status: 400,
    error: { message: 'prompt is too long: 213462 tokens > 200000 maximum', type: 'invalid_request_error' },
    code: 'context-too-long',
  },
  {
    name: 'Gemini, prompt too long',
    status: 400,
    error: {
      message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    },
    code: 'context-too-long',
  },
  {
    name: 'too many output tokens asked',
    status: 400,
    error: {
      message: 'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens',
      type: 'invalid_request_error',
    },
    code: 'request',
  },
  {
    name: 'prompt too long, 413',
    status: 413,
    error: { message: 'context length exceeded' },
    code: 'context-too-long',
  },
  {
    name: 'unprocessable',
    status: 422,
    error: { message: 'Input should be a valid dictionary' },
    code: 'request',
  },
  {
    name: 'Anthropic overloaded',
    status: 529,
    error: { message: 'Overloaded', type: 'overloaded_error' },
    code: 'transient',
  },
  { name: 'a proxy in between', status: 502, ...html, code: 'transient' },
  { name: 'Cloudflare', status: 524, ...html, code: 'transient' },
  { name: 'error as text', status: 404, body: '{"error":"model \'x\' not found"}', code: 'model' },
  { name: 'error without anything', status: 418, body: '', code: 'request' },
];

/** Failures that arrive with status 200. */
const inside: Row[] = [
  {
    name: "vendor's error",
    status: 200,
    error: { message: 'x', type: 'server_error', code: 'internal_error' },
    code: 'transient',
  },
  { name: 'OpenRouter, number', status: 200, error: { code: 429, message: 'x' }, code: 'rate-limit' },
  {
    name: 'OpenRouter, word',
    status: 200,
    error: { code: 'server_error', message: 'Provider disconnected' },
    code: 'transient',
  },
  {
    name: 'LiteLLM, text',
    status: 200,
    error: { message: 'x', type: 'None', param: 'None', code: '500' },
    code: 'transient',
  },
  {
    name: 'Anthropic',
    status: 200,
    body: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    code: 'transient',
  },
  {
    name: 'bad request',
    status: 200,
    error: { message: 'x', type: 'invalid_request_error', code: null },
    code: 'request',
  },
  { name: 'rate limit', status: 200, error: { message: 'x', type: 'rate_limit_error' }, code: 'rate-limit' },
  {
    name: 'model',
    status: 200,
    error: { message: 'x', type: 'invalid_request_error', code: 'model_not_found' },
    code: 'model',
  },
  { name: 'balance', status: 200, error: { message: 'x', code: 'insufficient_quota' }, code: 'balance' },
  {
    name: 'success: false',
    status: 200,
    body: '{"success":false,"message":"get user group failed"}',
    code: 'transient',
  },
  { name: 'another service', status: 200, body: '{"hello":"world"}', code: 'wrong-address' },
  { name: 'plain text', status: 200, body: 'It works!', contentType: 'text/plain', code: 'wrong-address' },
];

describe('toRelayError', () => {
  const tables: [string, Row[], Record<string, string>][] = [
    ['new-api', newApi, relayHeaders],
    ['old versions', oldVersions, { 'x-oneapi-request-id': '1' }],
    ['elsewhere', elsewhere, {}],
    ['accounts', accounts, {}],
    ['further', further, {}],
    ['inside a 200', inside, {}],
  ];
  for (const [title, rows, headers] of tables) {
    describe(title, () => {
      for (const row of rows) {
        it(`${row.name} (${row.status}): ${row.code}`, () => {
          const error = toRelayError(refusal(row, headers));
          assert.equal(error.code, row.code);
          assert.match(error.message, /^[A-Z].*\.$/);
        });
      }
    });
  }

  const limited = (headers: Record<string, string>) =>
    toRelayError(refusal({ name: '', status: 429, code: 'rate-limit', headers }, {}));

  it('says how long the server asks to wait, in seconds or by date', () => {
    assert.equal(limited({ 'retry-after': '7' }).retryAfterMs, 7000);
    assert.equal(limited({ 'retry-after': '7' }).message, 'Rate limit reached. Try again in 7 s.');
    assert.match(limited({ 'retry-after': '3500' }).message, /about an hour/);
    assert.equal(limited({ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }).retryAfterMs, 30_000);
    assert.equal(limited({}).retryAfterMs, undefined);
  });

  it("quotes the server's words: bounded, on one line, without the key", () => {
    const error = toRelayError(
      refusal(
        {
          name: '',
          status: 401,
          code: 'key',
          error: gate(`Bad\u0000 key\n${key}: \u202E${'x'.repeat(5000)}`),
        },
        relayHeaders,
      ),
    );
    assert.ok(error.why?.startsWith('Bad key ***: xxx'));
    assert.ok((error.why?.length ?? 0) <= 401);
    assert.ok(!`${error.message} ${error.why} ${JSON.stringify(error)}`.includes(key));
    assert.equal(error.requestId, '20260808abc');
  });

  it('quotes nothing of a body that might be an answer, and of a page its title', () => {
    assert.equal(
      toRelayError(refusal({ name: '', status: 200, code: 'wrong-address', body: 'my words' }, {})).why,
      undefined,
    );
    assert.equal(
      toRelayError(refusal({ name: '', status: 200, code: 'wrong-address', ...html }, {})).why,
      'Console',
    );
  });

  it('names the field at fault', () => {
    const row: Row = {
      name: '',
      status: 400,
      code: 'request',
      error: { message: 'x', param: 'temperature' },
    };
    assert.equal(toRelayError(refusal(row, {})).parameter, 'temperature');
  });
});
