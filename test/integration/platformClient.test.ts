import assert from 'node:assert/strict';
import { unzip } from '../support/zip.ts';
import { Readable } from 'node:stream';
import { SwitchboardError, type ErrorCode } from '../../src/base/errors/errors.ts';
import { type RefusedInput, runWithInputs, toPipelineError } from '../../src/knowledge/upload/pipelineRun.ts';
import type { PlatformClient } from '../../src/platform/platformClient.ts';
import type { IndexingSettings } from '../../src/platform/documents/documents.ts';
import { isApiAccessOff, isMissingOnServer, isTagFault } from '../../src/platform/platformErrors.ts';
import type { AcceptedDocument, Dataset } from '../../src/platform/records.ts';
import type { PlatformOptions } from '../servers/platform/platformOptions.ts';
import { type PlatformServer, startPlatform } from '../servers/platform/platformServer.ts';
import { platformUnderTest, type PlatformUnderTest } from '../support/platformUnderTest.ts';

const never = new AbortController().signal;
const economical: IndexingSettings = {
  technique: 'economical',
  processRule: { mode: 'automatic' },
  form: 'text_model',
};
const text = 'Run npm ci in pipelines.\n\nIt installs what the lock file says.';
const isCode = (code: ErrorCode) => (error: unknown) =>
  error instanceof SwitchboardError && error.code === code;

describe('the platform client', () => {
  const toClean: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of toClean.splice(0)) await clean();
  });

  async function start(
    options: PlatformOptions = {},
  ): Promise<PlatformUnderTest & { server: PlatformServer; dataset: Dataset }> {
    const server = await startPlatform({ indexing: 'instant', ...options });
    const tested = platformUnderTest({ baseUrl: server.url, key: server.datasetKey });
    toClean.push(
      () => server.stop(),
      () => tested.http.dispose(),
    );
    const dataset = await tested.client.datasets.create({ name: 'Docs', technique: 'economical' }, never);
    return { ...tested, server, dataset };
  }

  async function add(client: PlatformClient, datasetId: string, name = 'ci.md'): Promise<AcceptedDocument> {
    return client.documents.createByText(datasetId, { name, text, ...economical }, never);
  }

  const servers: PlatformOptions[] = [
    { version: '0.15.8' },
    { version: '1.4.3' },
    { version: '1.10.1' },
    { version: '1.14.2' },
    { dialect: 'description' },
    { paths: 'hyphen' },
  ];
  for (const options of servers) {
    it(`goes from nothing to a found segment: ${JSON.stringify(options)}`, async () => {
      const { client, server, dataset } = await start(options);
      assert.deepEqual(
        (await client.datasets.list(never)).map(({ id, name }) => ({ id, name })),
        [{ id: dataset.id, name: 'Docs' }],
      );
      const { document, batch } = await add(client, dataset.id);
      const progress = await client.documents.indexingStatus(dataset.id, batch, never);
      assert.deepEqual(
        progress?.map(({ documentId, state }) => [documentId, state]),
        [[document.id, 'completed']],
      );
      const page = await client.documents.list(dataset.id, { page: 1, limit: 10 }, never);
      assert.deepEqual(
        page.items.map(({ id, display }) => [id, display]),
        [[document.id, 'available']],
      );
      assert.equal((await client.documents.get(dataset.id, document.id, never)).name, 'ci.md');
      assert.equal((await client.datasets.get(dataset.id, never)).technique, 'economical');

      for (const query of [{ query: 'pipelines' }, { query: 'pipelines', topK: 1 }]) {
        const [found] = await client.datasets.retrieve(dataset.id, query, never);
        assert.equal(found?.documentName, 'ci.md');
        assert.match(found?.segment.content ?? '', /npm ci/);
      }

      await client.documents.delete(dataset.id, document.id, never);
      assert.deepEqual(server.datasets[0]?.documents, []);
      await client.datasets.delete(dataset.id, never);
      assert.deepEqual(server.datasets, []);
    });
  }

  it('learns the words and paths of a server once', async () => {
    const { client, server, dataset, dialect } = await start({ paths: 'hyphen' });
    await add(client, dataset.id, 'one.md');
    assert.deepEqual(dialect(), { economy: 'economy', paths: 'hyphen' });
    server.clearRequests();
    await add(client, dataset.id, 'two.md');
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      [`/v1/datasets/${dataset.id}/document/create-by-text`],
    );
  });

  it('learns nothing of a server that speaks as described', async () => {
    const { client, server, dataset, dialect } = await start({ dialect: 'description' });
    await add(client, dataset.id);
    assert.deepEqual(dialect(), {});
    assert.equal(server.requests.length, 2);
  });

  it('may learn twice at the same time', async () => {
    const { client, server, dataset, dialect } = await start({ paths: 'hyphen' });
    await Promise.all(['a.md', 'b.md', 'c.md'].map((name) => add(client, dataset.id, name)));
    assert.deepEqual(dialect(), { economy: 'economy', paths: 'hyphen' });
    assert.equal(server.datasets[0]?.documents.length, 3);
  });

  it('replaces the document of the same name, and tells that its old batch is gone', async () => {
    const { client, dataset } = await start();
    const first = await add(client, dataset.id);
    const second = await add(client, dataset.id);
    assert.equal(second.document.id, first.document.id);
    assert.equal(await client.documents.indexingStatus(dataset.id, first.batch, never), undefined);
    const { datasets, documents } = client;
    await datasets.delete(dataset.id, never);
    await assert.rejects(documents.indexingStatus(dataset.id, second.batch, never), isCode('request'));
  });

  it('updates a document, switches it, and finds its address', async () => {
    const { client, server, dataset } = await start();
    const { document } = await add(client, dataset.id);
    const update = { name: 'new.md', text: 'Other words.', ...economical };
    const accepted = await client.documents.updateByText(dataset.id, document.id, update, never);
    assert.deepEqual([accepted.document.id, accepted.document.name], [document.id, 'new.md']);
    await client.documents.setStatus(dataset.id, [document.id], 'disable', never);
    assert.equal((await client.documents.get(dataset.id, document.id, never)).isEnabled, false);
    assert.equal(server.datasets[0]?.documents[0]?.text, 'Other words.');
    const url = await client.documents.downloadUrl(dataset.id, document.id, never);
    assert.equal(await (await fetch(url)).text(), 'Other words.');
  });

  it('downloads the files of several documents as one archive', async () => {
    const { client, dataset } = await start();
    const names = ['one.md', 'app/zwei∕ä.md'];
    const ids: string[] = [];
    for (const name of names) {
      const { document } = await client.documents.createByText(
        dataset.id,
        { name, text: `This is ${name}.`, ...economical },
        never,
      );
      ids.push(document.id);
    }
    const pieces: Uint8Array[] = [];
    for await (const piece of client.documents.downloadArchive(dataset.id, ids, never)) pieces.push(piece);
    assert.deepEqual(
      [...unzip(Buffer.concat(pieces))].map(([name, content]) => [name, content.toString()]),
      names.map((name) => [name, `This is ${name}.`]),
    );
    await assert.rejects(client.documents.downloadArchive(dataset.id, [], never).next(), { status: 400 });
  });

  it('changes a knowledge base', async () => {
    const { client, server, dataset } = await start();
    const changed = await client.datasets.update(dataset.id, { description: 'All of it' }, never);
    assert.equal(changed.description, 'All of it');
    assert.equal(server.datasets[0]?.description, 'All of it');
    await assert.rejects(client.datasets.create({ name: 'Docs' }, never), /with this name/);
  });

  it('writes, reads and deletes segments', async () => {
    const { client, dataset } = await start();
    const { document } = await add(client, dataset.id);
    const place = { datasetId: dataset.id, documentId: document.id };
    const [created] = await client.segments.create(
      place,
      [{ content: 'One more.', keywords: ['more'] }],
      never,
    );
    assert.deepEqual([created?.content, created?.keywords], ['One more.', ['more']]);
    const segmentId = created?.id ?? '';
    await client.segments.update(place, segmentId, { content: 'Another.', isEnabled: false }, never);
    const read = await client.segments.get(place, segmentId, never);
    assert.deepEqual([read.content, read.isEnabled], ['Another.', false]);
    await client.segments.delete(place, segmentId, never);
    const { items } = await client.segments.list(place, { page: 1, limit: 100 }, never);
    assert.ok(items.length > 0 && items.every(({ id }) => id !== segmentId));
  });

  it('writes, reads and deletes child chunks', async () => {
    const { client, dataset } = await start();
    const { document } = await client.documents.createByText(
      dataset.id,
      {
        name: 'h.md',
        text,
        technique: 'high_quality',
        form: 'hierarchical_model',
        processRule: {
          mode: 'hierarchical',
          rules: {
            pre_processing_rules: [],
            parent_mode: 'paragraph',
            segmentation: { separator: '\n\n', max_tokens: 500 },
            subchunk_segmentation: { separator: '\n', max_tokens: 200 },
          },
        },
      },
      never,
    );
    const place = { datasetId: dataset.id, documentId: document.id };
    const [segment] = (await client.segments.list(place, { page: 1, limit: 1 }, never)).items;
    const at = { ...place, segmentId: segment?.id ?? '' };
    const chunk = await client.childChunks.create(at, 'A piece.', never);
    await client.childChunks.update(at, chunk.id, 'A better piece.', never);
    const contents = async () =>
      (await client.childChunks.list(at, { page: 1, limit: 100 }, never)).items.map(({ content }) => content);
    assert.ok((await contents()).includes('A better piece.'));
    await client.childChunks.delete(at, chunk.id, never);
    assert.ok(!(await contents()).includes('A better piece.'));
  });

  it('sets metadata and leaves the other values', async () => {
    const { client, server, dataset } = await start();
    const { document } = await add(client, dataset.id);
    const path = await client.metadata.create(dataset.id, { name: 'path', type: 'string' }, never);
    const year = await client.metadata.create(dataset.id, { name: 'year', type: 'number' }, never);
    const set = (id: string, name: string, value: string | number) =>
      client.metadata.setValues(
        dataset.id,
        [{ documentId: document.id, values: [{ id, name, value }] }],
        never,
      );
    await set(path.id, 'path', 'src/a.ts');
    await set(year.id, 'year', 2026);
    assert.deepEqual(server.datasets[0]?.documents[0]?.metadata, { path: 'src/a.ts', year: 2026 });
    await client.metadata.setBuiltIn(dataset.id, true, never);
    assert.ok((await client.metadata.builtIn(dataset.id, never)).length > 0);
    // Fields filled in by the server are listed with the document, and must not be sent back.
    await set(path.id, 'path', 'src/b.ts');
    await client.metadata.rename(dataset.id, year.id, 'since', never);
    const { fields, isBuiltInOn } = await client.metadata.list(dataset.id, never);
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['path', 'since'],
    );
    assert.ok(isBuiltInOn);
    await client.metadata.delete(dataset.id, year.id, never);
    assert.deepEqual(server.datasets[0]?.documents[0]?.metadata, { path: 'src/b.ts' });
  });

  it('runs the pipeline of a knowledge base over files', async () => {
    const seed = [
      { dataset: 'Piped', isPipeline: true },
      { dataset: 'Crawled', isPipeline: true },
    ];
    const { client, server, dataset } = await start({ seed });
    const bases = await client.datasets.list(never);
    const idOf = (name: string) => bases.find((base) => base.name === name)?.id ?? '';
    const sources = await client.pipelines.sources(idOf('Piped'), never);
    assert.deepEqual(sources, [
      { id: 'site', title: 'Website', takesLocalFiles: false },
      { id: 'files', title: 'File', takesLocalFiles: true },
    ]);
    const bytes = Buffer.from('# Tides\n\nTwice a day.');
    const file = { name: 'tides.md', size: bytes.length, open: () => Readable.from([bytes]) };
    const files = [{ id: await client.pipelines.upload(file, never), name: 'ws∕tides.md' }];
    const { documents } = await client.pipelines.run(idOf('Piped'), { sourceId: 'files', files }, never);
    const listed = await client.documents.list(idOf('Piped'), { page: 1, limit: 20 }, never);
    assert.deepEqual(
      listed.items.map(({ id, name, state }) => [id, name, state]),
      [[documents[0]?.id, 'ws∕tides.md', 'completed']],
    );
    const { json } = server.requests.find(({ path }) => path.endsWith('/pipeline/run')) ?? {};
    const { id = '' } = files[0] ?? {};
    assert.deepEqual(json, {
      ...{ inputs: {}, datasource_type: 'local_file', start_node_id: 'files' },
      datasource_info_list: [
        { related_id: id, reference: id, name: 'ws∕tides.md', transfer_method: 'local_file' },
      ],
      ...{ is_published: true, response_mode: 'blocking' },
    });
    const wrong = client.pipelines.run(idOf('Piped'), { sourceId: 'gone', files }, never);
    await assert.rejects(wrong, /pipeline couldn't be run/);
    await assert.rejects(client.pipelines.sources(dataset.id, never), isCode('request'));
  });

  it('asks for the inputs that a pipeline names, with the files that are there', async () => {
    const form = [
      { kind: 'number', variable: 'size', label: 'Chunk Size', required: true },
      { kind: 'select', variable: 'tone', label: 'Tone', required: true, options: ['sea', 'land'] },
    ];
    const { client, server } = await start({
      seed: [{ dataset: 'Piped', isPipeline: true, pipelineInputs: form }],
    });
    const [base] = (await client.datasets.list(never)).filter(({ name }) => name === 'Piped');
    assert.ok(base);
    const upload = async (name: string) => {
      const bytes = Buffer.from(name);
      const file = { name, size: bytes.length, open: () => Readable.from([bytes]) };
      return { id: await client.pipelines.upload(file, never), name };
    };
    const files = [await upload('a.md'), await upload('b.md'), await upload('c.md')];
    const asked: RefusedInput[] = [];
    const answers = ['many', '500', 'sky', 'sea'];
    const inputs = new Map<string, string>();
    const started = await runWithInputs({
      files,
      inputs,
      run: (some, given) =>
        client.pipelines.run(base.id, { sourceId: 'files', files: some, inputs: given }, never),
      ask: async (input) => {
        asked.push(input);
        return answers.shift();
      },
    });
    assert.deepEqual(asked, [
      { variable: 'size', why: 'size is required in input form' },
      { variable: 'size', answer: 'many', why: 'size in input form must be a valid number' },
      { variable: 'tone', why: 'tone is required in input form' },
      {
        ...{ variable: 'tone', answer: 'sky', options: ['sea', 'land'] },
        why: "tone in input form must be one of the following: ['sea', 'land']",
      },
    ]);
    assert.equal(started?.documents.length, 3);
    assert.deepEqual(Object.fromEntries(inputs), { size: '500', tone: 'sea' });
    const stored = server.datasets.find(({ name }) => name === 'Piped')?.documents ?? [];
    assert.deepEqual(
      stored.map(({ name, status }) => `${name} ${status}`),
      [
        ...Array.from({ length: 4 }, () => 'a.md waiting'),
        ...['a', 'b', 'c'].map((n) => `${n}.md completed`),
      ],
    );
    assert.equal(server.count('uploadPipelineFile'), 3);
  });

  it('says that a pipeline is not published', async () => {
    const seed = [{ dataset: 'Drawn', isPipeline: true, isPublished: false }];
    const { client } = await start({ seed });
    const id = (await client.datasets.list(never)).find(({ name }) => name === 'Drawn')?.id ?? '';
    const failures = [
      client.pipelines.sources(id, never),
      client.pipelines.run(id, { sourceId: 'files', files: [] }, never),
    ];
    for (const failing of failures) {
      const error: unknown = await failing.catch((thrown: unknown) => toPipelineError(thrown, 'Drawn'));
      assert.ok(error instanceof SwitchboardError);
      assert.match(error.message, /^The pipeline of "Drawn" isn't published\./);
    }
  });

  it('tells of a platform that runs no pipelines', async () => {
    const { client } = await start({ version: '1.4.3', seed: [{ dataset: 'Piped', isPipeline: true }] });
    const [base] = await client.datasets.list(never);
    await assert.rejects(client.pipelines.sources(base?.id ?? '', never), (error) =>
      isMissingOnServer(error),
    );
  });

  it('tags a knowledge base', async () => {
    const { client, server, dataset } = await start({ version: '1.13.0' });
    const tag = await client.tags.create('team', never);
    await client.tags.rename(tag.id, 'squad', never);
    await client.tags.bind(dataset.id, [tag.id], never);
    assert.deepEqual(server.datasets[0]?.tags, ['squad']);
    assert.deepEqual(await client.tags.of(dataset.id, never), [{ id: tag.id, name: 'squad' }]);
    await client.tags.unbind(dataset.id, tag.id, never);
    assert.deepEqual(await client.tags.of(dataset.id, never), []);
    await client.tags.delete(tag.id, never);
    assert.deepEqual(await client.tags.list(never), []);
  });

  it('tells the fault of 1.14 with tags: created and not returned, and never listed again', async () => {
    const { client, server, dataset } = await start({ version: '1.14.2' });
    assert.deepEqual(await client.tags.list(never), []);
    await assert.rejects(
      client.tags.create('team', never),
      (error) => isTagFault(error) && /"team" was created/.test(String(error)),
    );
    await assert.rejects(
      client.tags.list(never),
      (error) => isTagFault(error) && /known issue/.test(String(error)) && !/try again/i.test(String(error)),
    );
    assert.equal(server.count('createTag'), 1);
    assert.equal(server.count('listTags'), 2);
    assert.deepEqual(await client.tags.of(dataset.id, never), []);
  });

  it('tells that the API access of one knowledge base is off, in its record and by its refusals', async () => {
    const { client, server, dataset } = await start();
    assert.equal((await client.datasets.list(never))[0]?.isApiEnabled, true);
    server.others.switchApi(dataset.id, false);
    assert.equal((await client.datasets.list(never))[0]?.isApiEnabled, false);
    await assert.rejects(client.documents.list(dataset.id, { page: 1, limit: 10 }, never), isApiAccessOff);
    await assert.rejects(client.datasets.retrieve(dataset.id, { query: 'q' }, never), isApiAccessOff);
  });

  it('tells the models, and what a version lacks', async () => {
    const { client } = await start();
    assert.deepEqual(
      (await client.models('text-embedding', never)).map(({ model, isActive }) => [model, isActive]),
      [['scripted-embedding', true]],
    );
    const old = await start({ version: '0.15.8' });
    assert.deepEqual(await old.client.models('text-embedding', never), []);
    await assert.rejects(old.client.tags.list(never), isMissingOnServer);
    await assert.rejects(old.client.metadata.list(old.dataset.id, never), isMissingOnServer);
  });

  it('tells the wrong key from the wrong address', async () => {
    const { server } = await start();
    const listing = (baseUrl: string, key: string) => {
      const { client, http } = platformUnderTest({ baseUrl, key });
      toClean.push(() => http.dispose());
      return client.datasets.list(never);
    };
    await assert.rejects(listing(server.url, server.appKey), /an app key/);
    await assert.rejects(listing(server.url, 'dataset-unknown'), isCode('key'));
    await assert.rejects(listing(server.url, server.keys.archived), isCode('not-permitted'));
    await assert.rejects(listing(`${server.url}/elsewhere`, server.datasetKey), isCode('wrong-address'));
  });

  for (const does of ['rate-limit', 'knowledge-rate-limit'] as const) {
    it(`leaves it to a caller that sends many documents to wait after ${does}`, async () => {
      const { client, server, dataset } = await start();
      server.misbehave({ does });
      server.clearRequests();
      await assert.rejects(add(client, dataset.id), isCode('rate-limit'));
      assert.equal(server.requests.length, 1);
    });
  }

  for (const does of ['server-error', 'bad-gateway', 'lose-answer', 'proxy-too-large'] as const) {
    it(`sends a document once when there is ${does}`, async () => {
      const { client, server, dataset } = await start();
      server.misbehave({ does });
      server.clearRequests();
      const code = does === 'proxy-too-large' ? 'too-large' : 'transient';
      await assert.rejects(add(client, dataset.id), isCode(code));
      assert.equal(server.count('createByText'), 1);
    });
  }

  it('says that there is nothing to search yet, and that an app uses a knowledge base', async () => {
    const { client, server, dataset } = await start();
    server.misbehave({ does: 'not-initialized' });
    server.misbehave({ does: 'dataset-in-use' });
    await assert.rejects(client.datasets.retrieve(dataset.id, { query: 'x' }, never), /no indexed document/);
    await assert.rejects(client.datasets.delete(dataset.id, never), /An app uses/);
  });

  it('leaves at once when it is aborted', async () => {
    const { client, server, dataset } = await start();
    const gate = server.hold();
    const stop = new AbortController();
    const adding = client.documents.createByText(
      dataset.id,
      { name: 'x.md', text, ...economical },
      stop.signal,
    );
    await gate.waitFor(1);
    stop.abort();
    await assert.rejects(adding, isCode('cancelled'));
    await server.requests.at(-1)?.ended;
    assert.deepEqual(server.datasets[0]?.documents, []);
  });
});
