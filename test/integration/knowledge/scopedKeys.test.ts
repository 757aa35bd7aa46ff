import assert from 'node:assert/strict';
import { type AddedBase, KnowledgeBases } from '../../../src/knowledge/knowledgeBases.ts';
import type { PlatformServer } from '../../servers/platform/platformServer.ts';
import { startPlatform } from '../../servers/sandbox.ts';
import { diagnosed } from '../../support/diagnosed.ts';
import { platformUnderTest } from '../../support/platformUnderTest.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';

const never = new AbortController().signal;

describe('a key made for some knowledge bases', () => {
  const { started } = stopsOfTest();
  const toClean: (() => unknown)[] = [];
  afterEach(() => {
    for (const clean of toClean.splice(0)) clean();
  });
  const documents = [{ name: 'rules.md', text: 'No fires.' }];
  const start = () =>
    started(
      startPlatform({
        version: '1.17.0',
        scope: ['Harbour', 'Ships'],
        seed: ['Harbour', 'Ships', 'Payroll'].map((dataset) => ({ dataset, documents })),
      }),
    );
  const idOf = (platform: PlatformServer, name: string) =>
    platform.datasets.find((dataset) => dataset.name === name)?.id ?? '';

  function open(platform: PlatformServer, key: string, added: () => readonly AddedBase[]) {
    const { client, http } = platformUnderTest({ baseUrl: platform.url, key });
    toClean.push(() => http.dispose());
    const bases = new KnowledgeBases({
      ...{ client, added, closing: never, onChange() {} },
      onDeleted: () => Promise.resolve(),
    });
    return { client, bases };
  }

  it('is connected, and opens what was added, with the reason for what it does not open', async () => {
    const platform = await start();
    const added = ['Harbour', 'Ships', 'Payroll'].map((name) => ({ id: idOf(platform, name), name }));
    platform.others.switchApi('Ships', false);
    const gone = { id: '00000000-0000-4000-8000-000000000000', name: 'Gone' };
    const { client, bases } = open(platform, platform.keys.scoped, () => [...added, gone]);
    assert.equal(await client.testConnection(never), 'scoped');
    await bases.load(never);
    assert.deepEqual([bases.state.type, bases.state.isScoped], ['ready', true]);
    const refused =
      'The platform refused this key here: it was probably made for other knowledge bases. ' +
      'Server response: The API key does not cover this resource.';
    const shown = bases.state.datasets.map(({ name, documentCount, isApiEnabled, problem }) => {
      return [name, documentCount, isApiEnabled, problem];
    });
    assert.deepEqual(shown, [
      ['Harbour', 1, true, undefined],
      ['Ships', undefined, false, undefined],
      ['Payroll', undefined, undefined, refused],
      ['Gone', undefined, undefined, refused],
    ]);
    const found = await client.datasets.retrieve(added[0]!.id, { query: 'fires', topK: 1 }, never);
    assert.equal(found.length, 1);
    await assert.rejects(client.datasets.create({ name: 'New' }, never), { code: 'not-permitted' });
  });

  it('shows all knowledge bases again with a wider key, and fails as a whole when the platform is down', async () => {
    const platform = await start();
    const added = [{ id: idOf(platform, 'Harbour'), name: 'Harbour' }];
    const wide = open(platform, platform.datasetKey, () => added);
    await wide.bases.load(never);
    assert.deepEqual([wide.bases.state.datasets.length, wide.bases.state.isScoped], [3, undefined]);

    const scoped = open(platform, platform.keys.scoped, () => added);
    await scoped.bases.load(never);
    platform.misbehave({ does: 'outage', on: 'getDataset' });
    await assert.rejects(scoped.bases.load(never), { code: 'transient' });
    const { type, isScoped, datasets } = scoped.bases.state;
    assert.deepEqual([type, isScoped, datasets.map(({ name }) => name)], ['failed', true, ['Harbour']]);
  });

  it('is diagnosed as such', async () => {
    const platform = await start();
    const key = platform.keys.scoped;
    const lines = (await diagnosed({ kind: 'platform', baseUrl: platform.url, key })).slice(6);
    assert.deepEqual(
      lines[0],
      "[OK] Key: The platform accepts the key, but doesn't let it list knowledge bases: it was probably made for some of them.",
    );
    assert.match(lines[1] ?? '', /^\[Skipped\] Embeddings: A key made for some/);
  });
});
