import assert from 'node:assert/strict';
import { agentBaseIn, agentBaseOf } from '../../../src/platform/datasets.ts';
import { createPlatformClient } from '../../../src/platform/platformClient.ts';
import { describeBase } from '../../../src/knowledge/view/describeBase.ts';
import { type Answer, fakePlatform, htmlMissing, refusal } from './fakePlatform.ts';

const never = new AbortController().signal;
const request = { knowledgeSpaceId: 's', mode: 'fast', query: 'Which port?', activeDocumentIds: [] };
const admission = {
  ...{ expires_at: '2026-09-06T08:31:07Z', operation_id: 'createQuery', request },
  ...{
    token: 'query-token',
    trace_id: 'trace-1',
    url: 'https://platform.example/v1/knowledge-fs/query-stream',
  },
};
const events = (...all: [event: string, data: unknown][]): Answer => ({
  body: all.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
  contentType: 'text/event-stream',
});
const delta = (text: string): [string, unknown] => ['answer.delta', { delta: text }];
const done: [string, unknown] = ['answer.done', { finishReason: 'stop' }];

function query(...answers: Answer[]) {
  const { context, asked, log } = fakePlatform(answers);
  const found = createPlatformClient(context).datasets.retrieve(
    'knowledge-fs:base-1',
    { query: 'Which port?', topK: 5 },
    never,
  );
  return { found, asked, log };
}

describe('an agent knowledge base', () => {
  it('is queried with a token, to which alone the query goes, and gives its digest', async () => {
    const { found, asked, log } = query(
      { json: admission },
      events(delta('The east '), delta('port.'), done),
    );
    const [one, ...more] = await found;
    assert.deepEqual([one?.segment.content, one?.segment.documentId, more], ['The east port.', 'base-1', []]);
    assert.deepEqual(
      asked.map(({ method, path, json }) => [method, path, json]),
      [
        [
          ...['POST', '/base/v1/knowledge-fs/spaces/base-1/queries/admission'],
          { query: 'Which port?', mode: 'fast' },
        ],
        ['POST', '/v1/knowledge-fs/query-stream', request],
      ],
    );
    assert.deepEqual(
      [asked[1]?.headers['authorization'], asked[1]?.headers['x-trace-id']],
      ['Bearer query-token', 'trace-1'],
    );
    assert.doesNotMatch(log.join(), /query-token/);
  });

  it('has no result where its digest is empty', async () => {
    assert.deepEqual(await query({ json: admission }, events(delta(' '), done)).found, []);
  });

  it('gives nothing of an answer that failed or broke off', async () => {
    const failed: [string, unknown] = ['answer.error', { message: 'Out of query-token.' }];
    await assert.rejects(query({ json: admission }, events(delta('x'), failed)).found, (error: Error) => {
      assert.match(error.message, /couldn't answer this query/);
      assert.doesNotMatch(JSON.stringify(error), /query-token/);
      return true;
    });
    await assert.rejects(query({ json: admission }, events(delta('x'))).found, { code: 'truncated' });
    const long = delta('x'.repeat(500_000));
    await assert.rejects(query({ json: admission }, events(long)).found, { code: 'too-large' });
    await assert.rejects(query({ json: admission }, refusal(403, 'forbidden', 'No.')).found, { status: 403 });
  });

  it('sends its token to no other origin', async () => {
    const elsewhere = { ...admission, url: 'https://other.example/v1/knowledge-fs/query-stream' };
    const { found, asked } = query({ json: elsewhere }, events(delta('x'), done));
    await assert.rejects(found, /another address \(other\.example\), so nothing was sent/);
    assert.equal(asked.length, 1);
    const relative = { ...admission, url: '/v1/knowledge-fs/query-stream' };
    assert.equal((await query({ json: relative }, events(delta('x'), done)).found).length, 1);
  });

  it('is told as missing where the platform has none, and refused as the platform does', async () => {
    await assert.rejects(query(htmlMissing).found, /Not supported by this platform version/);
    await assert.rejects(query(refusal(403, 'knowledge_fs_access_denied', 'Denied.')).found, {
      code: 'not-permitted',
    });
    await assert.rejects(query({ json: { ...admission, token: '' } }).found, Error);
  });

  it('is known by the address of its API or of its page', () => {
    const id = '8d2c6a1e-5b3f-4c7d-9e01-2a3b4c5d6e7f';
    for (const address of [
      `https://api.dify.ai/v1/knowledge-fs/spaces/${id}`,
      ` https://cloud.dify.ai/datasets/new/${id}/documents?page=1 `,
    ]) {
      assert.equal(agentBaseOf(agentBaseIn(address) ?? ''), id);
    }
    for (const other of [`https://cloud.dify.ai/datasets/${id}/documents`, id, '']) {
      assert.equal(agentBaseIn(other), undefined);
    }
    assert.equal(agentBaseOf(id), undefined);
  });

  it('is described as what it is', () => {
    const base = { name: 'Ports', description: '', isExternal: true, wordCount: 0, tags: [] };
    assert.equal(describeBase({ ...base, id: 'knowledge-fs:1' }), 'agent knowledge base, search only');
    assert.equal(describeBase({ ...base, id: '1' }), 'external, read-only');
  });
});
