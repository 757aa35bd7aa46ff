import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { findBase } from '../../../src/knowledge/findBase.ts';
import { type AddedBase, KnowledgeBases } from '../../../src/knowledge/knowledgeBases.ts';
import {
  type SearchOutcome,
  createSearchSegments,
  searchKnowledge,
} from '../../../src/knowledge/searchKnowledge.ts';
import type { StreamModel } from '../../../src/relay/messages.ts';
import { searchBases } from '../../../src/tools/knowledge/searchBases.ts';
import type { PlatformOptions } from '../../servers/platform/platformOptions.ts';
import type { PlatformServer } from '../../servers/platform/platformServer.ts';
import { startPlatform } from '../../servers/sandbox.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { platformUnderTest } from '../../support/platformUnderTest.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';

const never = new AbortController().signal;
const agent = '8d2c6a1e-5b3f-4c7d-9e01-2a3b4c5d6e7f';
const hidden = '9d2c6a1e-5b3f-4c7d-9e01-2a3b4c5d6e7f';
const unknown = '00000000-0000-4000-8000-000000000000';
const sections = [
  { path: ['Harbour', 'Opening'], text: 'The harbour opens at six.' },
  { path: ['Harbour', 'Fires'], page: 3, text: 'Fires are forbidden in the harbour.' },
];

describe('agent knowledge bases, as documented', () => {
  const { started } = stopsOfTest();
  const toClean: (() => unknown)[] = [];
  afterEach(() => {
    for (const clean of toClean.splice(0)) clean();
  });
  const start = (options: PlatformOptions = {}) =>
    started(
      startPlatform({
        version: '1.18.0',
        seed: [{ dataset: 'Ships', documents: [{ name: 'ships.md', text: 'Ships pay in the harbour.' }] }],
        agentBases: [
          { id: agent, sections },
          { id: hidden, isInScope: false, sections },
        ],
        ...options,
      }),
    );

  function open(platform: PlatformServer, { key = platform.datasetKey, added = [] as AddedBase[] } = {}) {
    const { client, http, log: entries } = platformUnderTest({ baseUrl: platform.url, key });
    toClean.push(() => http.dispose());
    const bases = new KnowledgeBases({
      ...{ client, added: () => added, closing: never, onChange() {} },
      onDeleted: () => Promise.resolve(),
    });
    const write = () => {};
    const search = (datasetIds: string[], query = 'Are fires forbidden in the harbour?') =>
      searchKnowledge(
        {
          ...{ client, bases, searchSettings: () => undefined },
          manifests: { originOf: () => Promise.resolve(undefined) },
          log: { debug: write, info: write, warn: write, error: write },
        },
        { datasetIds, query, topK: 5 },
        never,
      );
    return { client, bases, search, entries };
  }
  const added = [{ id: agent, name: 'Harbour', isAgent: true }];
  const failureOf = ({ failures: [first], results }: SearchOutcome) => [results.length, first?.error.code];

  it('are told from others by their ID, with any key that opens them', async () => {
    const platform = await start();
    const { client } = open(platform);
    const [ships] = platform.datasets;
    assert.ok(ships);
    assert.deepEqual(await findBase(client, ships.id, never), { id: ships.id, name: 'Ships' });
    assert.deepEqual(await findBase(client, agent, never), { id: agent, name: '', isAgent: true });
    await assert.rejects(findBase(client, unknown, never), { status: 404 });
    assert.equal(platform.count('runQuery'), 0);

    const scoped = open(platform, { key: platform.keys.scoped }).client;
    assert.deepEqual(await findBase(scoped, agent, never), { id: agent, name: '', isAgent: true });
    await assert.rejects(findBase(scoped, hidden, never), {
      code: 'not-permitted',
      message: "The key doesn't open this agent knowledge base: it was probably made for others.",
    });
    await assert.rejects(findBase(scoped, unknown, never), { status: 403, serverCode: 'forbidden' });
  });

  it('are unknown to a platform before 1.18, which says what it says of any other', async () => {
    const { client } = open(await start({ version: '1.17.0' }));
    await assert.rejects(findBase(client, agent, never), { status: 404, serverCode: 'not_found' });
  });

  it('stand beside the others in the list, which asks nothing of them', async () => {
    const platform = await start();
    const { bases } = open(platform, { added });
    await bases.load(never);
    const shown = bases.state.datasets.map(({ name, isAgent }) => [name, isAgent]);
    assert.deepEqual(shown, [
      ['Ships', undefined],
      ['Harbour', true],
    ]);
    await bases.refresh(agent);
    assert.deepEqual([platform.count('createQueryToken'), platform.count('getDataset')], [0, 0]);

    const scoped = open(platform, { key: platform.keys.scoped, added }).bases;
    await scoped.load(never);
    assert.deepEqual(
      scoped.state.datasets.map(({ name }) => name),
      ['Harbour'],
    );
  });

  it('are searched by a query, best first, together with others', async () => {
    const platform = await start();
    const { search } = open(platform, { added });
    const { results, failures } = await search([agent]);
    assert.deepEqual(failures, []);
    assert.deepEqual(
      results.map(({ datasetName, documentName, content }) => [datasetName, documentName, content]),
      [
        ['Harbour', 'Harbour › Fires, page 3', 'Fires are forbidden in the harbour.'],
        ['Harbour', 'Harbour › Opening', 'The harbour opens at six.'],
      ],
    );
    const [request] = platform.requests.filter(({ path }) => path.endsWith('/query-stream'));
    assert.match(request?.headers.authorization ?? '', /^Bearer query\./);
    const both = await search([agent, platform.datasets[0]?.id ?? '']);
    assert.deepEqual([...new Set(both.results.map(({ datasetName }) => datasetName))].toSorted(), [
      'Harbour',
      'Ships',
    ]);
    assert.deepEqual((await search([agent], 'penguins')).results, []);
  });

  it('ground a question, and answer the tool that models call', async () => {
    const platform = await start();
    const { search } = open(platform, { added });
    const searchSegments = createSearchSegments(() =>
      Promise.resolve({ search: ({ datasetIds, query }) => search([...datasetIds], query) }),
    );
    let sent = '';
    const streamModel: StreamModel = async function* ({ messages }) {
      sent = messages.at(-1)?.content ?? '';
      yield { type: 'requestSent' };
      yield { type: 'textAdded', text: 'They are forbidden [1].' };
      yield { type: 'modelFinished', reason: 'stop' };
    };
    const chat = new ChatController(chatDependencies({ streamModel, searchSegments }));
    chat.shown.choices.chooseKnowledge([{ id: agent, name: 'Harbour' }]);
    await chat.shown.submit('Are fires forbidden?');
    assert.match(sent, /cite="\[1\]"[^]*Fires are forbidden in the harbour\./);
    const grounding = chat.shown.conversation.all.find((entry) => entry.type === 'search');
    const [source] = grounding?.outcome.findings.sources ?? [];
    assert.deepEqual([source?.datasetId, source?.documentName], [agent, 'Harbour › Fires, page 3']);
    const tool = { query: 'When does the harbour open?', bases: [{ id: agent, name: 'Harbour' }], topK: 5 };
    const { text } = await searchBases(searchSegments, () => 7, tool, never);
    assert.match(text, /\[7\][^]*opens at six/);
  });

  it('get a new token once when the platform no longer takes it, and are run again once when it asks for that', async () => {
    const platform = await start();
    const { search } = open(platform, { added });
    for (const does of ['query-token-expired', 'query-run-lost'] as const) {
      platform.clearRequests();
      platform.misbehave({ does, times: 1 });
      const { results } = await search([agent]);
      assert.deepEqual(
        [results.length, platform.count('createQueryToken'), platform.count('runQuery')],
        [2, 2, 2],
      );
      platform.clearRequests();
      const stop = platform.misbehave({ does });
      assert.deepEqual(failureOf(await search([agent])), [0, 'transient']);
      assert.deepEqual([platform.count('createQueryToken'), platform.count('runQuery')], [2, 2]);
      stop();
    }
  });

  it('give nothing of an answer that failed or was cut off', async () => {
    const platform = await start();
    const { search } = open(platform, { added });
    for (const [does, code] of [
      ['query-failed', 'transient'],
      ['query-cut-off', 'truncated'],
    ] as const) {
      platform.clearRequests();
      platform.misbehave({ does, times: 1 });
      assert.deepEqual(failureOf(await search([agent])), [0, code]);
      assert.equal(platform.count('runQuery'), 1);
    }
  });

  it('that are gone fail with their reason, not as a wrong key', async () => {
    const { search } = open(await start(), { added: [{ id: unknown, name: 'Gone', isAgent: true }] });
    const { failures } = await search([unknown]);
    assert.equal(failures[0]?.error.code, 'request');
    assert.match(failures[0]?.error.message ?? '', /no such agent knowledge base/);
  });
});
