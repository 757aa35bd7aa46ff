import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { createOpenapiClient, type OpenapiClient } from '../../../src/platform/openapi/openapiClient.ts';
import { replayNetwork } from '../../support/replayNetwork.ts';
import { silentLog } from '../../support/silentLog.ts';

const { signal } = new AbortController();

/** Result of a call that gets this reply, and its request. */
async function read<T>(body: object, call: (client: OpenapiClient) => Promise<T>) {
  const http = replayNetwork({ type: 'application/json', pieces: [JSON.stringify(body)] });
  const client = createOpenapiClient({
    ...{ http, log: silentLog, dialects: { get: () => ({}), learn: () => undefined } },
    connection: { baseUrl: 'https://dify.example', key: 'dfoa_1' },
    timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 },
    retry: { retries: 0, firstMs: 1, maxMs: 1, maxAskedMs: 1 },
  });
  const value = await call(client);
  const { method, url } = http.sent.at(-1)!;
  return { value, line: `${method} ${new URL(url).pathname}${new URL(url).search}` };
}

async function pageOf<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  for await (const items of pages) return items;
  return [];
}

describe('createOpenapiClient', () => {
  it('names the members of a workspace, whatever is not said of them', async () => {
    const data = [{ id: 'a', name: 'Ann', email: 'ann@example.com' }, { id: 'b' }, { name: 'no id' }];
    const { value, line } = await read({ data, has_more: false }, (client) =>
      pageOf(client.members('w1', signal)),
    );
    assert.deepEqual(value, [data[0], { id: 'b', name: '', email: '' }]);
    assert.match(line, /^GET \/openapi\/v1\/workspaces\/w1\/members\?page=1&limit=\d+$/);
  });

  it('takes the times of apps for UTC, which they are without saying so', async () => {
    const times = ['2026-01-02T03:04:05', '2026-01-02T03:04:05Z', '2026-01-02T05:04:05+02:00', 'soon'];
    const data = times.map((updated_at) => ({ id: 'a', mode: 'chat', updated_at }));
    const timeOf = async (item: object) => {
      const { value } = await read({ data: [item], has_more: false }, (client) =>
        pageOf(client.apps('w1', signal)),
      );
      return value[0]?.updatedAtMs;
    };
    const at = Date.UTC(2026, 0, 2, 3, 4, 5);
    assert.deepEqual(await Promise.all(data.map(timeOf)), [at, at, at, undefined]);
  });

  it('describes an app without parameters, and none without an app', async () => {
    const info = { id: 'a', name: 'Helper', mode: 'hologram' };
    const described = await read({ info, parameters: null }, (client) => client.describe('a', signal));
    assert.deepEqual(described.value, {
      ...{ app: { id: 'a', name: 'Helper', description: '', mode: 'unknown' }, parameters: {} },
    });
    assert.equal(described.line, 'GET /openapi/v1/apps/a?fields=info%2Cparameters');
    await assert.rejects(
      read({ parameters: {} }, (client) => client.describe('a', signal)),
      SwitchboardError,
    );
  });

  it('names the plugins that an import lacks', async () => {
    const plugin = (value: unknown) => ({ type: 'marketplace', value });
    const leaked_dependencies = [
      plugin({ version: null, marketplace_plugin_unique_identifier: 'langgenius/openai:0.2.7@abc' }),
      plugin({ plugin_unique_identifier: 'ann/tides' }),
      plugin({ github: 'x' }),
      plugin('x'),
      'x',
    ];
    const { value } = await read({ leaked_dependencies }, (client) => client.missingPlugins('a', signal));
    assert.deepEqual(value, ['langgenius/openai', 'ann/tides']);
  });

  it('gives the warnings of an import as text, and the versions that it compares', async () => {
    const body = {
      ...{ id: 'i', status: 'completed-with-warnings', app_id: 'a', app_mode: 'workflow' },
      ...{ current_dsl_version: '0.4.0', imported_dsl_version: '0.3.0', warnings: ['Old.', { code: 1 }] },
    };
    const importing = (client: OpenapiClient) => client.importDsl('w1', { yaml: 'app: {}' }, signal);
    assert.deepEqual((await read(body, importing)).value, {
      ...{ id: 'i', status: 'completed-with-warnings', appId: 'a', mode: 'workflow' },
      ...{ serverVersion: '0.4.0', importedVersion: '0.3.0', warnings: ['Old.', '{"code":1}'] },
    });
    assert.deepEqual((await read({ id: 'i', status: 'pending' }, importing)).value, {
      ...{ id: 'i', status: 'pending', serverVersion: '', importedVersion: '', warnings: [] },
    });
  });
});
