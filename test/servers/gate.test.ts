import assert from 'node:assert/strict';
import type { RelayKeyName } from './relay/keys.ts';
import type { DialectName, RelayServer } from './relay/relayServer.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { post, readJson, withSandbox } from './testClient.ts';

interface ErrorBody {
  error: { message: string; type?: string; code?: unknown; param?: unknown };
}

describe('sandbox relay: the gate', () => {
  let sandbox: Sandbox;
  let relay: RelayServer;
  before(async () => {
    sandbox = await startSandbox();
    relay = sandbox.relay;
  });
  after(() => sandbox.stop());

  for (const [what, header] of [
    ['Bearer', (key: string) => `Bearer ${key}`],
    ['no Bearer', (key: string) => key],
    ['extra spaces', (key: string) => `Bearer   ${key}  `],
    ['no sk-', (key: string) => `Bearer ${key.slice(3)}`],
  ] as const) {
    it(`takes a key with ${what}`, async () => {
      const response = await fetch(`${relay.url}/v1/models`, {
        headers: { Authorization: header(relay.key) },
      });
      assert.equal(response.status, 200);
    });
  }

  it('says the same of a missing and a bad key, in the three-field shape', async () => {
    for (const headers of [undefined, { Authorization: 'Bearer nonsense' }]) {
      const response = await fetch(`${relay.url}/v1/models`, headers && { headers });
      assert.equal(response.status, 401);
      assert.ok(response.headers.get('X-Oneapi-Request-Id'));
      assert.ok(response.headers.get('X-New-Api-Version'));
      const { error } = await readJson<ErrorBody>(response);
      assert.match(error.message, /^Invalid token \(request id: \d{17}[0-9a-f]+\)$/);
      assert.deepEqual([error.type, error.code, 'param' in error], ['new_api_error', '', false]);
    }
  });

  const keyCases: readonly [RelayKeyName, number, string][] = [
    ['unknown', 401, ''],
    ['disabled', 401, ''],
    ['expired', 401, ''],
    ['exhausted', 401, ''],
    ['banned', 403, ''],
    ['ipNotAllowed', 403, 'access_denied'],
    ['wrongGroup', 403, ''],
    ['noModels', 403, ''],
    ['noBalance', 403, 'insufficient_user_quota'],
    ['noChannel', 503, 'model_not_found'],
  ];
  for (const [name, status, code] of keyCases) {
    it(`refuses the key ${name} with ${status}`, async () => {
      const headers = { Authorization: `Bearer ${relay.keys[name]}`, 'Content-Type': 'application/json' };
      const response = await post(relay, 'scripted-echo', {}, { headers });
      assert.equal(response.status, status);
      assert.equal((await readJson<ErrorBody>(response)).error.code, code);
    });
  }

  it('refuses a key with a suffix, which would choose a channel', async () => {
    const headers = { Authorization: `Bearer ${relay.key}-12` };
    assert.equal((await fetch(`${relay.url}/v1/models`, { headers })).status, 403);
  });

  it('lets x-api-key win where protocols share a path, and answers in that form', async () => {
    const headers = {
      Authorization: 'Bearer nonsense',
      'x-api-key': relay.key,
      'anthropic-version': '2023-06-01',
    };
    const response = await fetch(`${relay.url}/v1/models`, { headers });
    assert.equal((await readJson<{ has_more: boolean }>(response)).has_more, false);
  });

  it('knows the models of a token', async () => {
    const headers = { Authorization: `Bearer ${relay.keys.oneModel}`, 'Content-Type': 'application/json' };
    const list = await fetch(`${relay.url}/v1/models`, { headers });
    assert.equal((await readJson<{ data: unknown[] }>(list)).data.length, 1);
    assert.equal((await post(relay, 'scripted-echo', {}, { headers })).status, 200);
    assert.equal((await post(relay, 'scripted-tools', {}, { headers })).status, 403);
  });

  it('counts max_tokens into the pre-charge', async () => {
    for (const key of [relay.keys.lowBalance, relay.keys.lowTokenQuota]) {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      assert.equal((await post(relay, 'scripted-echo', { max_tokens: 500 }, { headers })).status, 200);
      assert.equal((await post(relay, 'scripted-echo', { max_tokens: 5000 }, { headers })).status, 403);
    }
  });

  type Init = { body?: string; headers?: Record<string, string> };
  const requestCases: readonly [string, Init, number, string, RegExp][] = [
    [
      'another content type',
      { headers: { 'Content-Type': 'text/plain' } },
      400,
      '',
      /Model name not specified/,
    ],
    ['a body that is not JSON', { body: '{' }, 400, '', /invalid JSON/],
    ['no model', { body: '{"messages":[]}' }, 400, '', /Model name not specified/],
    [
      'an unknown model',
      { body: '{"model":"x"}' },
      503,
      'model_not_found',
      /No available channel for model x/,
    ],
    ['no messages', { body: '{"model":"scripted-echo"}' }, 500, 'invalid_request', /messages is required/],
    [
      'empty messages',
      { body: '{"model":"scripted-echo","messages":[]}' },
      500,
      'invalid_request',
      /messages/,
    ],
  ];
  for (const [
    what,
    { headers = { 'Content-Type': 'application/json' }, ...init },
    status,
    code,
    text,
  ] of requestCases) {
    it(`refuses ${what} with ${status}`, async () => {
      const all = { Authorization: `Bearer ${relay.key}`, ...headers };
      const response = await post(relay, 'scripted-echo', {}, { headers: all, ...init });
      assert.equal(response.status, status);
      const { error } = await readJson<ErrorBody>(response);
      assert.equal(error.code, code);
      assert.match(error.message, text);
    });
  }

  const wrongPaths: readonly [string, string, number, RegExp][] = [
    ['POST', '/chat/completions', 200, /^text\/html/],
    ['GET', '/', 200, /^text\/html/],
    ['POST', '/v1/chat/completion', 404, /^application\/json/],
    ['POST', '/v1/v1/chat/completions', 404, /^application\/json/],
    ['POST', '/v1/messages/count_tokens', 404, /^application\/json/],
    ['GET', '/v1/files', 501, /^application\/json/],
  ];
  for (const [method, path, status, type] of wrongPaths) {
    it(`answers ${method} ${path} with ${status}`, async () => {
      const response = await fetch(relay.url + path, { method });
      assert.equal(response.status, status);
      assert.match(response.headers.get('Content-Type') ?? '', type);
      await response.text();
    });
  }

  it('redirects a base address that has moved within the host', async () => {
    const headers = { Authorization: `Bearer ${relay.key}` };
    const response = await fetch(`${relay.url}/moved/v1/models`, { headers });
    assert.deepEqual([response.status, response.redirected], [200, true]);
  });

  it('lists chat models of several vendors, and others', async () => {
    const headers = { Authorization: `Bearer ${relay.key}` };
    const list = await readJson<{
      success: boolean;
      data: { id: string; owned_by: string; supported_endpoint_types: string[] }[];
    }>(await fetch(`${relay.url}/v1/models`, { headers }));
    assert.equal(list.success, true);
    assert.equal(new Set(list.data.map(({ id }) => id)).size, list.data.length, 'ids are unique');
    assert.ok(new Set(list.data.map((model) => model.owned_by)).size >= 5);
    // As set up: it knows of no model what serves it.
    assert.ok(list.data.every((model) => model.supported_endpoint_types.length === 0));
  });

  it('tells an unknown single model in a 200', async () => {
    const headers = { Authorization: `Bearer ${relay.key}` };
    const response = await fetch(`${relay.url}/v1/models/nobody`, { headers });
    assert.equal(response.status, 200);
    assert.equal((await readJson<ErrorBody>(response)).error.code, 'model_not_found');
  });
});

async function listOf<T>({ url, key }: RelayServer): Promise<T> {
  return readJson(await fetch(`${url}/v1/models`, { headers: { Authorization: `Bearer ${key}` } }));
}

describe('sandbox relay: variants', () => {
  it('lists nothing', () =>
    withSandbox(
      async ({ relay }) => assert.deepEqual(await listOf(relay), { success: true, object: 'list', data: [] }),
      { list: 'empty' },
    ));

  it('fails to list inside a 200', () =>
    withSandbox(
      async ({ relay }) =>
        assert.deepEqual(await listOf(relay), { success: false, message: 'get user group failed' }),
      { list: 'refused' },
    ));

  it('names what serves a model, once its page of prices was opened', () =>
    withSandbox(
      async ({ relay }) => {
        type List = { data: { id: string; supported_endpoint_types: string[] }[] };
        const { data } = await listOf<List>(relay);
        const others = data.filter((model) => !model.supported_endpoint_types.includes('openai'));
        assert.deepEqual(
          others.map(({ id }) => id),
          ['scripted-embedding', 'scripted-image'],
        );
      },
      { knowsEndpoints: true },
    ));

  it('lists the good models alone', () =>
    withSandbox(
      async ({ relay }) => {
        const { data } = await listOf<{ data: { id: string }[] }>(relay);
        assert.ok(data.every(({ id }) => id.startsWith('scripted-')));
      },
      { list: 'good' },
    ));

  it('redirects to its other front end', () =>
    withSandbox(
      async ({ relay }) => {
        const response = await fetch(`${relay.url}/chat/completions`, { method: 'POST', redirect: 'manual' });
        assert.equal(response.status, 301);
      },
      { console: 'redirect' },
    ));

  it('refuses a body that is too large', () =>
    withSandbox(
      async ({ relay }) => {
        const response = await post(relay, 'scripted-echo', { user: 'x'.repeat(2000) });
        assert.equal(response.status, 400);
        assert.match(await response.text(), /request body too large/);
      },
      { maxBodyBytes: 1000 },
    ));

  it('speaks Chinese', () =>
    withSandbox(
      async ({ relay }) =>
        assert.match(await (await post(relay, 'nobody')).text(), /无可用渠道（distributor）/),
      { language: 'zh' },
    ));

  const badKeys: readonly [DialectName, number, unknown][] = [
    ['one-api', 401, undefined],
    ['openai', 401, 'invalid_api_key'],
    ['litellm', 401, '401'],
    ['openrouter', 401, 401],
  ];
  for (const [dialect, status, code] of badKeys) {
    it(`refuses a bad key as ${dialect} does, and lists and answers`, () =>
      withSandbox(
        async ({ relay }) => {
          const headers = {
            Authorization: `Bearer ${relay.keys.unknown}`,
            'Content-Type': 'application/json',
          };
          const refused = await post(relay, 'scripted-echo', {}, { headers });
          assert.equal(refused.status, status);
          assert.equal((await readJson<ErrorBody>(refused)).error.code, code);
          const { data } = await listOf<{ data: { id: string }[] }>(relay);
          assert.equal((await post(relay, data[0]!.id)).status, 200);
        },
        { dialect },
      ));
  }

  it('tells windows and limits as OpenRouter and LiteLLM do', async () => {
    await withSandbox(
      async ({ relay }) => {
        const { data } = await listOf<{ data: { context_length: number }[] }>(relay);
        assert.equal(data[0]!.context_length, 128_000);
      },
      { dialect: 'openrouter' },
    );
    await withSandbox(
      async ({ relay }) => {
        const { data } = await listOf<{ data: { max_input_tokens: number }[] }>(relay);
        assert.equal(data[0]!.max_input_tokens, 128_000);
      },
      { dialect: 'litellm' },
    );
  });
});
