import assert from 'node:assert/strict';
import {
  type Accepted,
  answer,
  type ErrorAnswer,
  PlatformCalls,
  settings,
} from './platform/platformCalls.ts';
import type { PlatformOptions } from './platform/platformOptions.ts';
import { type PlatformServer, startPlatform } from './sandbox.ts';

const nowhere = '00000000-0000-4000-8000-000000000000';

/** Runs with a platform of its own, with one knowledge base. */
async function withPlatform(
  options: PlatformOptions,
  use: (calls: PlatformCalls, dataset: string, platform: PlatformServer) => Promise<void>,
): Promise<void> {
  const platform = await startPlatform({ indexing: 'instant', ...options });
  try {
    const calls = new PlatformCalls(platform);
    await use(calls, await calls.createDataset('Docs'), platform);
  } finally {
    await platform.stop();
  }
}

function isHtml(response: Response): boolean {
  return /html/.test(response.headers.get('Content-Type') ?? '');
}

describe('sandbox platform: versions', () => {
  const economical = { indexing_technique: 'economical' };

  for (const [version, expected] of [
    [
      '1.14.2',
      {
        code: 'invalid_param',
        message:
          "1 validation error for KnowledgeConfig\nindexing_technique\n  Input should be 'high_quality' or 'economy' " +
          "[type=literal_error, input_value='economical', input_type=str]\n" +
          '    For further information visit https://errors.pydantic.dev/2.12/v/literal_error',
        status: 400,
      },
    ],
    [
      '1.10.1',
      {
        errors: {
          indexing_technique: "The value 'economical' is not a valid choice for 'indexing_technique'.",
        },
        message: 'Input payload validation failed',
      },
    ],
    [
      '1.4.3',
      { code: 'invalid_param', message: 'economical is not a valid choice', params: 'indexing_technique' },
    ],
  ] as const) {
    it(`${version} refuses economical in its own shape`, () =>
      withPlatform({ version }, async (calls, dataset) => {
        const refused = await calls.createByText(dataset, 'a.md', 'Text', economical);
        assert.equal(refused.status, 400);
        assert.deepEqual(await refused.json(), expected);
        const file = await calls.createByFile(dataset, 'a.md', 'Text', { ...settings, ...economical });
        assert.equal(file.status, 400);
        assert.match(
          ((await file.json()) as ErrorAnswer).message ?? '',
          /KnowledgeConfig|Indexing technique/,
        );
      }));
  }

  it('says that a technique is required only while the knowledge base has none', () =>
    withPlatform({}, async (calls, dataset) => {
      const bare = { indexing_technique: undefined };
      const first = await calls.createByText(dataset, 'a.md', 'Text', bare);
      assert.equal(((await first.json()) as ErrorAnswer).message, 'indexing_technique is required.');
      await calls.indexed(dataset, 'a.md', 'Text');
      const second = await calls.createByText(dataset, 'a.md', 'Text', bare);
      assert.match(((await second.json()) as ErrorAnswer).message ?? '', /Field required/);
    }));

  for (const [version, status, message] of [
    ['1.14.2', 404, /^Dataset not found\./],
    ['1.9.0', 400, /^Dataset does not exist\.$/],
  ] as const) {
    it(`${version} answers ${status} for a document sent to no knowledge base`, () =>
      withPlatform({ version }, async (calls) => {
        const response = await calls.createByText(nowhere, 'a.md', 'Text');
        assert.equal(response.status, status);
        assert.match(((await response.json()) as ErrorAnswer).message ?? '', message);
      }));
  }

  for (const [version, status, body] of [
    ['0.15.8', 200, '{"result":"success"}'],
    ['1.3.0', 204, ''],
    ['1.10.1', 200, '204\n'],
    ['1.14.2', 204, ''],
  ] as const) {
    it(`${version} deletes a document with ${status} and ${JSON.stringify(body)}`, () =>
      withPlatform({ version }, async (calls, dataset) => {
        const { document } = await calls.indexed(dataset, 'a.md', 'Text');
        const deleted = await calls.send('DELETE', `/datasets/${dataset}/documents/${document.id}`);
        assert.deepEqual([deleted.status, await deleted.text()], [status, body]);
      }));
  }

  for (const [method, path, since, before] of [
    ['GET', '/datasets/:dataset', '1.3', '1.2.9'],
    ['GET', '/datasets/:dataset/metadata', '1.2', '1.1.3'],
    ['GET', '/workspaces/current/models/model-types/text-embedding', '1.2', '1.1.3'],
    ['GET', '/datasets/tags', '1.4.2', '1.4.1'],
    ['GET', '/datasets/:dataset/documents/:document', '1.6', '1.5.1'],
    ['GET', '/datasets/:dataset/documents/:document/download', '1.13', '1.11.0'],
  ] as const) {
    it(`has ${method} ${path} from ${since} on`, async () => {
      for (const [version, isThere] of [
        [since, true],
        [before, false],
      ] as const) {
        await withPlatform({ version }, async (calls, dataset) => {
          const { document } = await calls.indexed(dataset, 'a.md', 'Text');
          const filled = path.replace(':dataset', dataset).replace(':document', document.id);
          const response = await calls.send(method, filled);
          assert.equal(response.ok, isThere);
          if (!isThere) assert.ok(response.status === 405 || (response.status === 404 && isHtml(response)));
        });
      }
    });
  }

  it('gives the query back as a text from 1.14 on, as an object before', async () => {
    for (const [version, query] of [
      ['1.14.2', 'text'],
      ['1.13.3', { content: 'text' }],
    ] as const) {
      await withPlatform({ version }, async (calls, dataset) => {
        const response = calls.post(`/datasets/${dataset}/retrieve`, { query: 'text' });
        assert.deepEqual((await answer<{ query: unknown }>(response)).query, query);
      });
    }
  });

  it('tells all of a document, or its metadata alone, or all but that', () =>
    withPlatform({}, async (calls, dataset) => {
      const { document } = await calls.indexed(dataset, 'a.md', 'Text');
      const path = `/datasets/${dataset}/documents/${document.id}`;
      const all = await answer<Record<string, unknown>>(calls.get(path));
      assert.deepEqual([all['name'], all['display_status'], all['segment_count']], ['a.md', 'available', 1]);
      assert.ok('doc_metadata' in all);
      assert.deepEqual(Object.keys(await answer<object>(calls.get(`${path}?metadata=only`))), [
        'id',
        'doc_type',
        'doc_metadata',
      ]);
      assert.ok(!('doc_metadata' in (await answer<object>(calls.get(`${path}?metadata=without`)))));
      const refused = await calls.get(`${path}?metadata=some`);
      assert.equal(((await refused.json()) as ErrorAnswer).code, 'invalid_metadata');
    }));

  it('gives a signed address for a download', () =>
    withPlatform({}, async (calls, dataset) => {
      const { document } = await calls.indexed(dataset, 'a.md', 'Häfen');
      const path = `/datasets/${dataset}/documents/${document.id}/download`;
      const { url } = await answer<{ url: string }>(calls.get(path));
      assert.equal(await (await fetch(url)).text(), 'Häfen');
      assert.equal((await fetch(url.replace(/sign=.*/, 'sign=no'))).status, 404);
    }));
});

describe('sandbox platform: dialects', () => {
  it('by the description takes economical, and refuses economy', () =>
    withPlatform({ dialect: 'description' }, async (calls, dataset, platform) => {
      const refused = await calls.createByText(dataset, 'a.md', 'Text');
      assert.equal(refused.status, 400);
      assert.match(
        ((await refused.json()) as ErrorAnswer).message ?? '',
        /Input should be 'high_quality' or 'economical'/,
      );
      await calls.indexed(dataset, 'a.md', 'Text', { indexing_technique: 'economical' });
      assert.equal(platform.datasets[0]?.technique, 'economical');
    }));

  it('by the description wants the part data to be plain text', () =>
    withPlatform({ dialect: 'description' }, async (calls, dataset) => {
      const refused = await calls.createByFile(dataset, 'a.md', 'Text');
      assert.equal(refused.status, 400);
      assert.match(((await refused.json()) as ErrorAnswer).message ?? '', /text\/plain/);
    }));

  const text = { name: 'a.md', text: 'Text', ...settings };
  for (const [options, missing, present] of [
    [{ paths: 'hyphen' }, 'create_by_text', 'create-by-text'],
    [{ paths: 'underscore' }, 'create-by-text', 'create_by_text'],
    [{ version: '0.10.2' }, 'create-by-text', 'create_by_text'],
  ] as const) {
    it(`with ${JSON.stringify(options)} has ${present} and not ${missing}`, () =>
      withPlatform(options, async (calls, dataset) => {
        const lacking = await calls.post(`/datasets/${dataset}/document/${missing}`, text);
        assert.equal(lacking.status, 404);
        assert.ok(isHtml(lacking));
        await answer<Accepted>(calls.post(`/datasets/${dataset}/document/${present}`, text));
      }));
  }
});
