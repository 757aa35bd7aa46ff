import assert from 'node:assert/strict';
import type { RelayServer } from './relay/relayServer.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { post, readJson } from './testClient.ts';

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

  it('refuses a key with a suffix, which would choose a channel', async () => {
    const headers = { Authorization: `Bearer ${relay.key}-12` };
    assert.equal((await fetch(`${relay.url}/v1/models`, { headers })).status, 403);
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
    // new-api's default: it lists no endpoints.
    assert.ok(list.data.every((model) => model.supported_endpoint_types.length === 0));
  });
});
