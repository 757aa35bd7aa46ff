import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { readQueryStream } from '../../../src/platform/agentBases.ts';
import { createPlatformClient } from '../../../src/platform/platformClient.ts';
import { type Answer, fakePlatform, refusal } from './fakePlatform.ts';

const never = new AbortController().signal;
const key = 'dataset-averysecretkey';
const token = 'query-token-of-a-minute';
const frame = (event: string, data: unknown) =>
  `event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const item = (text: string, score?: number, more: object = {}) => ({
  nodeId: `node ${text}`,
  text,
  score,
  citations: [{ documentAssetId: 'asset', documentVersion: 1, sectionPath: ['A', 'B'], pageNumber: 2 }],
  ...more,
});
const done = (items: unknown, finishReason = 'retrieval-evidence') =>
  frame('answer.done', { finishReason, metadata: { mode: 'fast', evidenceBundle: { items } }, traceId: 't' });
const delta = (text: unknown) => frame('answer.delta', { delta: text, traceId: 't' });

function inPieces(text: string, sizes: readonly number[] = [text.length || 1]) {
  const bytes = Buffer.from(text);
  let read = 0;
  async function* body() {
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
      yield bytes.subarray(at, at + size);
      at += size;
      read = Math.min(at, bytes.length);
    }
  }
  const response = { body: body(), onFirstByte() {}, onProgress() {} };
  return { response, read: () => read, found: () => foundIn(response) };
}
const foundIn = (response: Parameters<typeof readQueryStream>[0]) =>
  readQueryStream(response, { baseId: 'base', secrets: [token, key] });
const textsOf = async (text: string, sizes?: number[]) =>
  (await inPieces(text, sizes).found()).map(({ segment }) => segment.content);

describe('the answer of an agent knowledge base', () => {
  it('is its evidence, best first, with section and page', async () => {
    const [first, second] = await inPieces(
      delta('Digest') + done([item('low', 0.2), item('high', 0.9), item('unscored')]),
    ).found();
    assert.deepEqual(first, {
      segment: { id: 'node high', documentId: 'asset', content: 'high', keywords: [], isEnabled: true },
      documentName: 'A › B, page 2',
      score: 0.9,
      childChunks: [],
    });
    assert.equal(second?.segment.content, 'low');
    const [bare] = await inPieces(done([item('x', 1, { citations: [] })])).found();
    assert.deepEqual([bare?.documentName, bare?.segment.documentId], ['Without a section', 'node x']);
  });

  it('is the same however the network cuts it', async () => {
    const text = `: ping\n\n${delta('é')}${frame('answer.new', { a: 1 })}${done([item('Tür', 0.5), item('b', 0.1)])}`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
        async (sizes) => assert.deepEqual(await textsOf(text, sizes), ['Tür', 'b']),
      ),
    );
  });

  it('is nothing before its last event: cut off anywhere, it fails', async () => {
    const text = delta('Digest') + done([item('a', 0.5)]);
    const whole = text.length - 2;
    for (let length = 0; length < whole; length++) {
      await assert.rejects(textsOf(text.slice(0, length)), { code: 'truncated' }, `${length}`);
    }
  });

  it('is discarded by an error, whose words tell no secret', async () => {
    const error = frame('answer.error', {
      code: 'KNOWLEDGE_FS_UNAVAILABLE',
      error: `No ${token} ${key}`,
      traceId: 't',
    });
    await assert.rejects(
      textsOf(delta('Digest') + error + done([item('a', 1)])),
      (thrown: SwitchboardError) => {
        const { message, why, serverCode } = thrown;
        const told = JSON.stringify([message, why, serverCode]);
        assert.match(told, /KNOWLEDGE_FS_UNAVAILABLE/);
        return !told.includes(token) && !told.includes(key);
      },
    );
  });

  it('is the digest where the evidence is not as documented, and nothing where nothing was found', async () => {
    for (const items of [undefined, null, 'x', [], [{}], [item('')], [{ ...item('a'), nodeId: 5 }]]) {
      assert.deepEqual(await textsOf(delta('The ') + delta('digest') + done(items)), ['The digest']);
    }
    assert.deepEqual(await textsOf(delta('None.') + done([], 'no-retrieval-evidence')), []);
    assert.deepEqual(await textsOf(done([])), []);
  });

  it('leaves out what is malformed, and never throws anything but its own errors', async () => {
    assert.deepEqual(
      await textsOf(
        frame('answer.delta', '{"delta":') +
          delta(5) +
          frame('answer.done', 'null') +
          done([5, item('a', 1), null]),
      ),
      ['a'],
    );
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom('delta', 'done', 'error'), async (value, name) => {
        const data = JSON.stringify(value);
        await textsOf(frame(`answer.${name}`, data)).catch((error: { code?: unknown }) =>
          assert.ok(['truncated', 'transient'].includes(String(error.code))),
        );
      }),
    );
  });

  it('that never ends is left after 32 MB', async () => {
    const piece = Buffer.from(delta('x'.repeat(1024 * 1024)));
    let sent = 0;
    async function* body() {
      for (;;) {
        sent += piece.length;
        yield piece;
      }
    }
    await assert.rejects(foundIn({ body: body(), onFirstByte() {}, onProgress() {} }), { code: 'truncated' });
    assert.ok(sent < 35 * 1024 * 1024, `${sent}`);
  });

  it('is not read on after its last event', async () => {
    const { read, found } = inPieces(done([item('a', 1)]) + delta('x'.repeat(10_000)), [100]);
    await found();
    assert.ok(read() < 1000, `${read()}`);
  });
});

describe('searching an agent knowledge base', () => {
  const issued = (more: object = {}): Answer => ({
    json: {
      ...{ expires_at: '2026-09-06T08:31:07Z', operation_id: 'createQuery', token, trace_id: 'trace' },
      request: {
        activeDocumentIds: [],
        knowledgeSpaceId: 'inner',
        mode: 'fast',
        query: 'q',
        newer: { a: 1 },
      },
      url: 'https://platform.example/base/v1/knowledge-fs/query-stream',
      ...more,
    },
  });
  const stream: Answer = { body: done([item('a', 1)]), contentType: 'text/event-stream' };
  const search = (answers: readonly Answer[]) => {
    const { context, asked, log } = fakePlatform(answers);
    return { asked, log, found: () => createPlatformClient(context).agentBases.search('b 1', 'q', never) };
  };

  it('asks for a token with the key, and runs the query with the token alone, unchanged', async () => {
    const { asked, log, found } = search([issued(), stream]);
    assert.equal((await found()).length, 1);
    const [admission, run] = asked;
    assert.deepEqual(
      [admission?.path, admission?.json],
      ['/base/v1/knowledge-fs/spaces/b%201/queries/admission', { query: 'q', mode: 'fast' }],
    );
    assert.equal(admission?.headers['authorization'], `Bearer ${key}`);
    assert.equal(run?.path, '/base/v1/knowledge-fs/query-stream');
    assert.deepEqual(run?.json, (issued().json as { request: object }).request);
    const { authorization, 'x-trace-id': trace } = run?.headers ?? {};
    assert.deepEqual([authorization, trace], [`Bearer ${token}`, 'trace']);
    assert.ok(!JSON.stringify(run).includes(key));
    assert.ok(!log.join('\n').includes(token));
  });

  it('sends token and question to no address but the platform’s', async () => {
    for (const url of [
      'https://evil.example/base/v1/knowledge-fs/query-stream',
      'https://platform.example.evil.example/base/v1/x',
      'https://platform.example@evil.example/base/v1/x',
      'http://platform.example/base/v1/x',
      'https://platform.example/base/v1/../../other',
      'https://platform.example/base/v1evil/x',
      'https://platform.example/base/v1/x?next=https://evil.example',
      'javascript:alert(1)',
      '/v1/knowledge-fs/query-stream',
      '',
    ]) {
      const { asked, found } = search([issued({ url }), stream]);
      await assert.rejects(found(), { code: 'wrong-address' }, url);
      assert.equal(asked.length, 1, url);
    }
  });

  it('takes no token that a header cannot carry', async () => {
    for (const bad of [
      { token: 'a\r\nx: y' },
      { token: '' },
      { trace_id: 'a b' },
      { request: [] },
      { url: 5 },
    ]) {
      const { asked, found } = search([issued(bad), stream]);
      await assert.rejects(found(), { name: 'SwitchboardError' });
      assert.equal(asked.length, 1);
    }
  });

  it('runs a query once where starting again would not help', async () => {
    for (const [status, code] of [
      [403, 'knowledge_fs_access_denied'],
      [400, 'knowledge_fs_invalid_request'],
      [502, 'knowledge_fs_upstream_unavailable'],
    ] as const) {
      const { asked, found } = search([issued(), refusal(status, code, 'No.')]);
      await assert.rejects(found(), { status });
      assert.equal(asked.length, 2, code);
    }
  });
});
