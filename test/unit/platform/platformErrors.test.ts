import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import { isMissingOnServer, toPlatformError } from '../../../src/platform/platformErrors.ts';
import { type PlatformService, readError, type Refusal } from '../../../src/platform/platformRefusal.ts';

const key = 'dataset-averysecretkey';

interface Row {
  name: string;
  status: number;
  code: ErrorCode;
  /** `code` and `message` of the normal shape. */
  says?: [string, string];
  body?: string;
  contentType?: string;
  service?: PlatformService;
  key?: string;
  isUpload?: boolean;
  why?: string;
  sentence?: RegExp;
  parameter?: string;
}

function refusal(row: Row): Refusal {
  const [code, message] = row.says ?? [];
  return {
    status: row.status,
    headers: {},
    body: row.body ?? (row.says ? JSON.stringify({ code, message, status: row.status }) : ''),
    contentType: row.contentType ?? 'application/json',
    address: 'https://platform.example/v1/datasets',
    key: row.key ?? key,
    service: row.service ?? 'knowledge',
    isUpload: row.isUpload ?? false,
    nowMs: Date.parse('2026-11-21T10:00:00Z'),
  };
}

const html = { body: '<!DOCTYPE html><html><title>Console</title></html>', contentType: 'text/html' };

const validation = (fields: string) =>
  JSON.stringify({ code: 'invalid_param', message: fields, status: 400 });

/** platform-api.md 2: the same refusal in the shapes of all versions. */
const shapes: Row[] = [
  {
    name: 'validation from 1.11 on',
    status: 400,
    body: validation(
      "1 validation error for KnowledgeConfig\nindexing_technique\n  Input should be 'high_quality' or 'economy' [type=literal_error, input_value='economical', input_type=str]\n    For further information visit https://errors.pydantic.dev/2.11/v/literal_error",
    ),
    code: 'request',
    why: "indexing_technique: Input should be 'high_quality' or 'economy'",
    parameter: 'indexing_technique',
  },
  {
    name: 'validation that repeats what was sent',
    status: 400,
    body: validation(
      "1 validation error for DocumentTextCreatePayload\ntext\n  Input should be a valid string [type=string_type, input_value=['my private words'], input_type=list]\n    For further information visit …",
    ),
    code: 'request',
    why: 'text: Input should be a valid string',
    parameter: 'text',
  },
  {
    name: 'validation of 1.8 to 1.10',
    status: 400,
    body: JSON.stringify({
      errors: { name: 'Missing required parameter', text: 'is too long' },
      message: 'Input payload validation failed',
    }),
    code: 'request',
    why: 'Missing required parameter is too long',
    parameter: 'name',
  },
  {
    name: 'validation up to 1.7',
    status: 400,
    body: JSON.stringify({
      code: 'invalid_param',
      message: 'x is not a valid choice',
      params: 'response_mode',
    }),
    code: 'request',
    why: 'x is not a valid choice',
    parameter: 'response_mode',
  },
  {
    name: 'a 404 with routes suggested',
    status: 404,
    says: [
      'not_found',
      'Dataset not found. You have requested this URI [/v1/datasets/x] but did you mean /v1/datasets or /v1/meta ?',
    ],
    code: 'request',
    why: 'Dataset not found.',
  },
  {
    name: 'segments missing',
    status: 400,
    body: '{"error":"Segments is required"}',
    code: 'request',
    why: 'Segments is required',
  },
  {
    name: 'an unhandled failure',
    status: 500,
    says: ['unknown', 'Internal Server Error'],
    code: 'transient',
    why: 'Internal Server Error',
  },
  { name: 'a code alone', status: 400, body: '{"code":"bad_request"}', code: 'request', why: 'bad_request' },
  { name: 'no body', status: 400, body: '', code: 'request', why: 'HTTP 400' },
  {
    name: 'a key repeated',
    status: 400,
    says: ['invalid_param', `Token ${key} is odd`],
    code: 'request',
    why: 'Token dataset-*** is odd',
  },
];

/** platform-api.md 1, 2 and 7. */
const verdicts: Row[] = [
  { name: 'a bad key', status: 401, says: ['unauthorized', 'Access token is invalid'], code: 'key' },
  {
    name: 'an app key for knowledge bases',
    status: 401,
    says: ['unauthorized', 'Access token is invalid'],
    key: 'app-averysecretkey',
    code: 'key',
    sentence: /an app key/,
  },
  {
    name: 'a dataset key for an app',
    status: 401,
    says: ['unauthorized', 'Access token is invalid'],
    service: 'app',
    code: 'key',
    sentence: /a knowledge base key/,
  },
  {
    name: 'an archived workspace',
    status: 403,
    says: ['forbidden', "The workspace's status is archived."],
    code: 'not-permitted',
    sentence: /workspace's state/,
  },
  {
    name: 'API access off',
    status: 403,
    says: ['forbidden', 'Dataset api access is not enabled.'],
    code: 'not-permitted',
    sentence: /is off/,
  },
  {
    name: 'the rate limit of a plan',
    status: 403,
    says: [
      'forbidden',
      'Sorry, you have reached the knowledge base request rate limit of your subscription.',
    ],
    code: 'rate-limit',
  },
  {
    name: 'the document limit of a plan',
    status: 403,
    says: ['forbidden', 'The number of documents has reached the limit of your subscription.'],
    code: 'not-permitted',
  },
  {
    name: 'a record that is gone',
    status: 404,
    says: ['not_found', 'Document Not Exists.'],
    code: 'request',
    sentence: /Not found on the platform/,
  },
  {
    name: 'a dataset that is gone, in old words',
    status: 400,
    says: ['invalid_param', 'Dataset is not exist.'],
    code: 'request',
    sentence: /no longer exists on the platform/,
  },
  {
    name: 'a taken name',
    status: 409,
    says: ['dataset_name_duplicate', 'Exists.'],
    code: 'request',
    sentence: /with this name/,
  },
  {
    name: 'a dataset in use',
    status: 409,
    says: ['dataset_in_use', 'In use.'],
    code: 'request',
    sentence: /An app uses/,
  },
  {
    name: 'an update too large',
    status: 413,
    says: ['file_too_large', 'File size exceeded. {message}'],
    code: 'too-large',
  },
  { name: 'a proxy limit', status: 413, ...html, code: 'too-large' },
  {
    name: 'a type refused',
    status: 415,
    says: ['unsupported_file_type', 'File type not allowed.'],
    code: 'request',
    sentence: /this file type/,
  },
  {
    name: 'a file refused without a word',
    status: 400,
    says: ['invalid_param', ''],
    isUpload: true,
    code: 'request',
    sentence: /15 MB/,
  },
  {
    name: 'anything else refused without a word',
    status: 400,
    says: ['invalid_param', ''],
    code: 'request',
    why: 'invalid_param',
    sentence: /rejected the request/,
  },
  { name: 'too many requests', status: 429, says: ['rate_limit_error', 'Slow down'], code: 'rate-limit' },
  {
    name: 'too many at once',
    status: 400,
    service: 'app',
    says: ['invalid_param', 'Too many requests. Please try again later.'],
    code: 'rate-limit',
  },
  {
    name: 'no provider',
    status: 400,
    says: ['provider_not_initialize', 'No credentials.'],
    code: 'app-unavailable',
  },
  {
    name: 'no default model',
    status: 400,
    says: ['invalid_param', 'Default model not found for text-embedding'],
    code: 'app-unavailable',
  },
  { name: 'a quota used up', status: 400, says: ['provider_quota_exceeded', 'Quota.'], code: 'balance' },
  {
    name: 'a model not allowed',
    status: 400,
    says: ['model_currently_not_support', 'No.'],
    code: 'app-unavailable',
  },
  {
    name: 'a search of an external knowledge base',
    status: 500,
    says: ['internal_server_error', "'reranking_enable'"],
    code: 'request',
    sentence: /no index to search/,
  },
  {
    name: 'a search of an external knowledge base with settings',
    status: 400,
    says: ['invalid_param', 'relation "embedding_vector_index_a_node" does not exist'],
    code: 'request',
    sentence: /no index to search/,
  },
  {
    name: "a knowledge base outside the key's scope",
    status: 403,
    says: ['forbidden', 'The API key does not cover this resource.'],
    code: 'not-permitted',
    sentence: /refused this key here: it was probably made for other/,
  },
  {
    name: 'API access switched off',
    status: 403,
    says: ['forbidden', 'Dataset api access is not enabled.'],
    code: 'not-permitted',
    sentence: /API access to this knowledge base is off/,
  },
  {
    name: 'a knowledge base of others',
    status: 403,
    says: ['forbidden', 'You do not have permission to access this dataset.'],
    code: 'not-permitted',
    sentence: /Ask the knowledge base's owner/,
  },
  {
    name: "the embedding model's rate limit",
    status: 400,
    says: ['invalid_param', '[stub] Rate limit reached for embeddings'],
    code: 'rate-limit',
    sentence: /embedding model failed\. Its provider's rate limit/,
  },
  {
    name: "the embedding model's key",
    status: 400,
    says: ['invalid_param', '[stub] Incorrect model credentials provided'],
    code: 'app-unavailable',
    sentence: /embedding model failed\. Check the model's key/,
  },
  {
    name: 'an embedding model behind a plugin service that is down',
    status: 400,
    says: ['invalid_param', '[Stub AI] Error: '],
    code: 'app-unavailable',
    sentence: /plugin service may be down/,
  },
  {
    name: 'a plugin service that is down',
    status: 400,
    service: 'app',
    says: ['invalid_param', 'Request to Plugin Daemon Service failed-500'],
    code: 'transient',
    sentence: /plugin service is down/,
  },
  {
    name: "an app's words in brackets",
    status: 400,
    service: 'app',
    says: ['invalid_param', '[stub] Rate limit reached for embeddings'],
    code: 'request',
  },
  {
    name: 'a workflow that was never published',
    status: 400,
    service: 'app',
    says: ['invalid_param', 'Workflow not published'],
    code: 'app-unavailable',
    sentence: /Publish it on the platform/,
  },
  {
    name: 'a model that failed',
    status: 400,
    says: ['completion_request_error', '[openai] Error'],
    code: 'app-unavailable',
    why: '[openai] Error',
  },
  {
    name: 'an empty knowledge base',
    status: 400,
    says: ['dataset_not_initialized', 'Wait.'],
    code: 'request',
    sentence: /no indexed document/,
  },
  {
    name: 'a busy document',
    status: 400,
    says: ['document_indexing', 'Busy.'],
    code: 'request',
    sentence: /still indexing/,
  },
  {
    name: 'an archived document',
    status: 403,
    says: ['archived_document_immutable', 'No.'],
    code: 'request',
    sentence: /archive/,
  },
  {
    name: 'an app that is not set up',
    status: 400,
    service: 'app',
    says: ['app_unavailable', 'App unavailable'],
    code: 'app-unavailable',
  },
  {
    name: 'an agent not published',
    status: 400,
    service: 'app',
    says: ['agent_not_published', 'x'],
    code: 'app-unavailable',
  },
  {
    name: 'a workflow not published',
    status: 400,
    service: 'app',
    says: ['bad_request', 'Workflow not published'],
    code: 'app-unavailable',
  },
  ...(['not_chat_app', 'not_completion_app', 'not_workflow_app'] as const).map((code): Row => ({
    name: code,
    status: 400,
    service: 'app',
    says: [code, 'Please check if your app mode matches the right API route.'],
    code: 'app-unavailable',
    sentence: /different type/,
  })),
  ...(
    [
      ['pipeline_run_error', 'knowledge', /pipeline couldn't be run/],
      ['human_input_form_expired', 'app', /form has expired/],
      ['human_input_form_submitted', 'app', /already submitted/],
      ['invalid_form_data', 'app', /rejected the form's values/],
    ] as const
  ).map(([code, service, sentence]): Row => ({
    name: code,
    status: 400,
    service,
    says: [code, 'No.'],
    code: 'request',
    sentence,
  })),
  {
    name: 'a closed conversation',
    status: 400,
    service: 'app',
    says: ['conversation_completed', 'Ended.'],
    code: 'conversation-over',
    sentence: /new one/,
  },
  {
    name: 'an unknown conversation',
    status: 404,
    service: 'app',
    says: ['not_found', 'Conversation Not Exists.'],
    code: 'conversation-over',
    sentence: /deleted there.*new one/,
  },
  {
    name: 'a deleted app',
    status: 403,
    service: 'app',
    says: ['forbidden', 'The app no longer exists.'],
    code: 'app-unavailable',
  },
  {
    name: "an app's API off",
    status: 403,
    service: 'app',
    says: ['forbidden', "The app's API service has been disabled."],
    code: 'app-unavailable',
  },
  { name: 'the console page', status: 200, ...html, code: 'wrong-address', why: 'Console' },
  { name: 'a page of another type', status: 200, body: html.body, contentType: '', code: 'wrong-address' },
  { name: 'a missing page', status: 404, ...html, code: 'wrong-address' },
  { name: 'a method that a page does not accept', status: 405, ...html, code: 'wrong-address' },
  {
    name: "the framework's own 404",
    status: 404,
    says: [
      'not_found',
      'The requested URL was not found on the server. If you entered the URL manually please check your spelling.',
    ],
    code: 'wrong-address',
  },
  {
    name: 'a relay',
    status: 404,
    body: '{"error":{"message":"Invalid URL (GET /v1/datasets)"}}',
    code: 'wrong-address',
  },
  { name: 'another service', status: 404, body: '{"detail":"Not Found"}', code: 'wrong-address' },
  { name: 'another answer', status: 200, body: '{"object":"list"}', code: 'wrong-address' },
  { name: 'an answer that was cut off', status: 200, body: '{"data": [{"id": ', code: 'truncated' },
  { name: 'a refusal that was cut off', status: 502, body: '{"message": "Int', code: 'transient' },
  { name: 'an error inside a 200', status: 200, says: ['unknown', 'Oops'], code: 'transient' },
  {
    name: 'http to a TLS port',
    status: 400,
    body: '<html>The plain HTTP request was sent to HTTPS port</html>',
    contentType: 'text/html',
    code: 'wrong-address',
  },
  {
    name: 'an outage in plain text',
    status: 500,
    body: 'Internal Server Error',
    code: 'transient',
    why: 'HTTP 500',
  },
  { name: 'a redirect', status: 302, body: '', code: 'wrong-address' },
  { name: 'no server behind the proxy', status: 502, ...html, code: 'transient' },
  { name: 'a proxy that gave up', status: 504, ...html, code: 'transient' },
];

describe('toPlatformError', () => {
  for (const row of [...shapes, ...verdicts]) {
    it(`reads ${row.name}`, () => {
      const error = toPlatformError(refusal(row));
      assert.equal(error.code, row.code);
      assert.equal(error.status, row.status);
      assert.match(error.message, row.sentence ?? /^[A-Z].*\.$/);
      if (row.why !== undefined) assert.equal(error.why, row.why);
      if (row.parameter !== undefined) assert.equal(error.parameter, row.parameter);
    });
  }

  it('tells how long the server asks to wait', () => {
    const error = toPlatformError({
      ...refusal({ name: '', status: 429, code: 'rate-limit' }),
      headers: { 'retry-after': '7' },
    });
    assert.equal(error.retryAfterMs, 7000);
    assert.match(error.message, /7 s/);
  });

  it('throws for no body, and never repeats the key', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        fc.oneof(
          fc.json(),
          fc.string(),
          fc
            .record({ code: fc.string(), message: fc.string().map((text) => `${text}${key}\n${text}`) })
            .map((fields) => JSON.stringify(fields)),
        ),
        fc.boolean(),
        (status, body, isUpload) => {
          const error = toPlatformError(refusal({ name: '', status, body, isUpload, code: 'request' }));
          assert.ok(!`${error.message} ${error.why}`.includes(key));
        },
      ),
    );
  });
});

describe('readError', () => {
  it('reads any JSON without throwing', () => {
    fc.assert(fc.property(fc.json(), (body) => void readError(body)));
  });
});

describe('isMissingOnServer', () => {
  const missing = (row: Partial<Row>) =>
    isMissingOnServer(
      toPlatformError({ ...refusal({ name: '', status: 404, code: 'request', ...row }), isNewerRoute: true }),
    );

  it('tells a route that the version lacks from a record that is gone', () => {
    assert.ok(missing(html));
    assert.ok(missing({ ...html, status: 405 }));
    assert.ok(
      missing({
        status: 405,
        says: ['method_not_allowed', 'The method is not allowed for the requested URL.'],
      }),
    );
    assert.ok(!missing({ says: ['not_found', 'Document Not Exists.'] }));
    assert.ok(!missing({ ...html, status: 200 }));
    assert.ok(!missing({ ...html, status: 502 }));
  });

  it('concerns only routes that not all versions have', () => {
    const error = toPlatformError(refusal({ name: '', status: 404, code: 'wrong-address', ...html }));
    assert.ok(!isMissingOnServer(error));
    assert.ok(!isMissingOnServer(undefined));
  });
});
