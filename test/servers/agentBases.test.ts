import assert from 'node:assert/strict';
import { type PlatformServer, startPlatform } from './sandbox.ts';

const agent = '8d2c6a1e-5b3f-4c7d-9e01-2a3b4c5d6e7f';

describe('agent knowledge bases of the sandbox, as documented', () => {
  let platform: PlatformServer;
  let now = Date.UTC(2026, 0, 1);
  beforeEach(async () => {
    platform = await startPlatform({
      version: '1.18.0',
      now: () => now,
      agentBases: [{ id: agent, sections: [{ path: ['Harbour'], text: 'The harbour opens at six.' }] }],
    });
  });
  afterEach(() => platform.stop());

  const post = async (path: string, token: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${platform.url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, code: /"code":"(\w+)"/.exec(text)?.[1] };
  };
  const admit = (body: object, id = agent, key: string = platform.datasetKey) =>
    post(`/v1/knowledge-fs/spaces/${id}/queries/admission`, key, body);
  async function issued() {
    const { text } = await admit({ query: 'When does the harbour open?', mode: 'fast' });
    return JSON.parse(text) as { token: string; trace_id: string; request: object; expires_at: string };
  }
  const run = (token: string, body: object, trace: string) =>
    post('/v1/knowledge-fs/query-stream', token, body, { 'X-Trace-ID': trace });

  it('answer an admitted query as events, and refuse it after 60 s', async () => {
    const { token, request, trace_id: trace, expires_at: ends } = await issued();
    assert.equal(Date.parse(ends), now + 60_000);
    const { status, text } = await run(token, request, trace);
    assert.equal(status, 200);
    assert.match(
      text,
      /^event: answer\.delta\ndata: \{.*\n\nevent: answer\.done\ndata: \{"finishReason":"retrieval-evidence"/,
    );
    now += 60_000;
    assert.deepEqual((await run(token, request, trace)).code, 'knowledge_fs_invalid_credential');
  });

  it('refuse what is not as issued', async () => {
    const { token, request, trace_id: trace } = await issued();
    const refused = async (...args: Parameters<typeof run>) => {
      const { status, code } = await run(...args);
      return [status, code];
    };
    assert.deepEqual(await refused('', request, trace), [401, 'knowledge_fs_invalid_credential']);
    assert.deepEqual(await refused(platform.datasetKey, request, trace), [
      401,
      'knowledge_fs_invalid_credential',
    ]);
    assert.deepEqual(await refused(token, request, 'other'), [403, 'knowledge_fs_access_denied']);
    assert.deepEqual(await refused(token, { ...request, query: 'x' }, trace), [
      403,
      'knowledge_fs_access_denied',
    ]);
    assert.deepEqual(await refused(token, { ...request, newer: 1 }, trace), [
      400,
      'knowledge_fs_invalid_request',
    ]);
    const large = { ...request, query: 'x'.repeat(65_536) };
    assert.deepEqual(await refused(token, large, trace), [413, 'knowledge_fs_request_too_large']);
  });

  it('give no token for other IDs, keys and fields', async () => {
    const query = { query: 'When?', mode: 'fast' };
    const unknown = await admit(query, '00000000-0000-4000-8000-000000000000');
    assert.deepEqual([unknown.status, unknown.code], [401, 'knowledge_fs_invalid_credential']);
    assert.deepEqual((await admit(query, agent, platform.appKey)).status, 401);
    for (const wrong of [
      { query: ' ' },
      { query: 'x', mode: 'slow' },
      { query: 'x', top_k: 3 },
      { query: 'é'.repeat(9000) },
    ]) {
      assert.equal((await admit(wrong)).status, 400, JSON.stringify(wrong).slice(0, 60));
    }
  });
});
