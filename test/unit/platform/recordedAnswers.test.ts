import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { AppClient } from '../../../src/apps/client/appClient.ts';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { asObject, type JsonObject, parseJson } from '../../../src/base/json.ts';
import { createPlatformClient, type PlatformClient } from '../../../src/platform/platformClient.ts';
import type { Dataset } from '../../../src/platform/records.ts';
import dify from '../../fixtures/recorded/dify-1.14.2.txt';
import { readRecorded, type RecordedReply } from '../../support/recorded.ts';
import { recordedReply } from '../../support/replies.ts';
import { appNetwork, hear } from '../apps/client/appNetwork.ts';
import { fakePlatform } from './fakePlatform.ts';

interface Exchange {
  /** Ids in the path, in its order. */
  ids: readonly string[];
  /** Sent JSON; empty without one. */
  sent: JsonObject;
}

const never = new AbortController().signal;
const settings = { technique: 'economical', processRule: { mode: 'automatic' }, form: 'text_model' } as const;
const file = { name: 'guide.md', size: 2, open: () => Readable.from([Buffer.from('hi')]) };
const place = ([datasetId = '', documentId = '']: Exchange['ids']) => ({ datasetId, documentId });
const textOf = (sent: JsonObject) => ({
  name: String(sent['name']),
  text: String(sent['text']),
  ...settings,
});

/** The client call behind each recorded request to knowledge bases. */
const knowledge: Record<string, (client: PlatformClient, exchange: Exchange) => Promise<unknown>> = {
  'GET /datasets': ({ datasets }) => datasets.list(never),
  'POST /datasets': ({ datasets }, { sent }) =>
    datasets.create({ name: String(sent['name']), technique: 'economical' }, never),
  'GET /datasets/:id': ({ datasets }, { ids: [id = ''] }) => datasets.get(id, never),
  'PATCH /datasets/:id': ({ datasets }, { ids: [id = ''], sent }) =>
    datasets.update(id, { name: String(sent['name']) }, never),
  'GET /datasets/tags': ({ tags }) => tags.list(never),
  'GET /datasets/:id/tags': ({ tags }, { ids: [id = ''] }) => tags.of(id, never),
  'POST /datasets/:id/document/create_by_file': ({ documents }, { ids: [id = ''] }) =>
    documents.createByFile(id, file, settings, never),
  'POST /datasets/:id/document/create_by_text': ({ documents }, { ids: [id = ''], sent }) =>
    documents.createByText(id, textOf(sent), never),
  'GET /datasets/:id/documents': ({ documents }, { ids: [id = ''] }) =>
    documents.list(id, { page: 1, limit: 100 }, never),
  'GET /datasets/:id/documents/:id': ({ documents }, { ids: [id = '', document = ''] }) =>
    documents.get(id, document, never),
  'DELETE /datasets/:id/documents/:id': ({ documents }, { ids: [id = '', document = ''] }) =>
    documents.delete(id, document, never),
  'POST /datasets/:id/documents/:id/update_by_file': ({ documents }, { ids: [id = '', document = ''] }) =>
    documents.updateByFile(id, document, file, settings, never),
  'POST /datasets/:id/documents/:id/update_by_text': (
    { documents },
    { ids: [id = '', document = ''], sent },
  ) => documents.updateByText(id, document, textOf(sent), never),
  'GET /datasets/:id/documents/:id/indexing-status': ({ documents }, { ids: [id = '', batch = ''] }) =>
    documents.indexingStatus(id, batch, never),
  'GET /datasets/:id/documents/:id/segments': ({ segments }, { ids }) =>
    segments.list(place(ids), { page: 1, limit: 50 }, never),
  'POST /datasets/:id/documents/:id/segments': ({ segments }, { ids, sent }) =>
    segments.create(place(ids), sent['segments'] as { content: string }[], never),
  'POST /datasets/:id/documents/:id/segments/:id': ({ segments }, { ids, sent }) => {
    const { enabled, content } = sent['segment'] as { enabled?: boolean; content?: string };
    const change = content === undefined ? { isEnabled: enabled === true } : { content };
    return segments.update(place(ids), ids[2] ?? '', change, never);
  },
  'DELETE /datasets/:id/documents/:id/segments/:id': ({ segments }, { ids }) =>
    segments.delete(place(ids), ids[2] ?? '', never),
  'GET /datasets/:id/metadata': ({ metadata }, { ids: [id = ''] }) => metadata.list(id, never),
  'POST /datasets/:id/metadata': ({ metadata }, { ids: [id = ''], sent }) =>
    metadata.create(id, sent as { name: string; type: 'string' }, never),
  'POST /datasets/:id/documents/metadata': ({ metadata }, { ids: [id = ''], sent }) => {
    const [operation] = sent['operation_data'] as { document_id: string; metadata_list: never[] }[];
    assert.ok(operation);
    const { document_id: documentId, metadata_list: values } = operation;
    return metadata.setValues(id, [{ documentId, values }], never);
  },
  'POST /datasets/:id/retrieve': ({ datasets }, { ids: [id = ''], sent }) => {
    const dataset: Dataset = {
      ...{
        id,
        name: '',
        description: '',
        isExternal: false,
        wordCount: 0,
        tags: [],
        technique: 'economical',
      },
      retrievalModel: asObject(sent['retrieval_model']) ?? {},
    };
    return datasets.retrieve(id, { query: String(sent['query']), topK: 20, dataset }, never);
  },
  'GET /workspaces/current/models/model-types/text-embedding': (client) =>
    client.models('text-embedding', never),
};

const apps: Record<string, (client: AppClient, exchange: Exchange) => Promise<unknown>> = {
  'GET /info': (client) => client.info(never),
  'GET /parameters': (client) => client.parameters(never),
  'GET /conversations': (client) => client.conversations(undefined, never),
  'DELETE /conversations/:id': (client, { ids: [id = ''] }) => client.deleteConversation(id, never),
  'POST /conversations/:id/name': (client, { ids: [id = ''], sent }) =>
    client.renameConversation(id, String(sent['name']), never),
  'GET /messages': (client, { ids: [id = ''] }) => client.messages(id, undefined, never),
  'POST /messages/:id/feedbacks': (client, { ids: [id = ''] }) => client.rate(id, 'like', undefined, never),
  'POST /files/upload': (client) => client.upload(file, never),
};

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b\d{20}\b/g;

/** The request without its ids: `GET /datasets/:id`. */
const askedOf = ({ method, path }: RecordedReply) =>
  `${method} ${path.replace('/v1', '').replace(/\?.*/, '').replaceAll(uuid, ':id')}`;

const isCut = ({ body }: RecordedReply) => body.endsWith('…');

/** Streams and their end are tested in `test/unit/apps/client`. */
const isOfAnswer = (asked: string) => /^POST \/(chat-messages|workflows)\b/.test(asked);

const accepted = (id: string, name: string, batch: string) => ({
  document: { id, name, state: 'waiting', display: 'queuing', isEnabled: true, isArchived: false },
  batch,
});
const code = accepted('8a8f30fe-f405-4948-8244-5231b540a08e', 'ws/code.ts', '20261121194211547915');
const indexing = (documentId: string, totalSegments: number) => [
  { documentId, state: 'indexing', completedSegments: 0, totalSegments },
];

/** Results of complete answers in recorded order; undefined if there is nothing to read. */
const answers: Record<string, readonly unknown[]> = {
  'GET /datasets': [[]],
  'GET /datasets/tags': [[]],
  'GET /datasets/:id/tags': [[]],
  'GET /workspaces/current/models/model-types/text-embedding': [[]],
  'POST /datasets/:id/document/create_by_file': [
    accepted('6367c6dc-fb0f-4422-852e-5398f41ba84d', 'ws∕guide.md', '20261121194211283543'),
    accepted('84c76c8f-a23e-4cbb-890e-deee652d3c03', 'ws∕notes.txt', '20261121194211361216'),
  ],
  'POST /datasets/:id/document/create_by_text': [
    code,
    accepted('b16db679-97f8-4379-8723-8668dc509f70', 'ws/data.json', '20261121194212464735'),
  ],
  'POST /datasets/:id/documents/:id/update_by_file': [
    accepted('828bd0af-1b7c-4f43-aaae-2de5046565c3', 'ws∕docs∕page-01.md', '20261121195104581117'),
    accepted('a359fc2a-7d33-481e-99a5-f4f2d345a15b', 'ws∕docs∕page-00.md', '20261121195104801897'),
  ],
  'POST /datasets/:id/documents/:id/update_by_text': [code],
  'GET /datasets/:id/documents': [{ items: [], hasMore: false, total: 0 }],
  'DELETE /datasets/:id/documents/:id': [undefined],
  'GET /datasets/:id/documents/:id/indexing-status': [
    indexing('eb72c0af-f882-42fc-9e99-8fc2cbac4706', 2),
    indexing('8a8f30fe-f405-4948-8244-5231b540a08e', 1),
  ],
  'POST /datasets/:id/documents/:id/segments': [
    [{ content: 'Water taps are at the southern mole, key number 77.', isEnabled: true, wordCount: 51 }],
  ],
  'POST /datasets/:id/documents/:id/segments/:id': [
    { id: '9e1a864f-6040-4ef1-8949-96f8a0766229', position: 1, isEnabled: false },
    { id: '418507d8-0869-408a-9b4f-697fa6f261cc', position: 2, isEnabled: true },
  ],
  'DELETE /datasets/:id/documents/:id/segments/:id': [undefined],
  'GET /datasets/:id/metadata': [
    { fields: [], isBuiltInOn: false },
    {
      fields: [
        { id: 'db8a8180-d531-4b09-8a69-5fdda46d90a5', name: 'owner', type: 'string', count: 0 },
        { id: 'ee9f98df-5eb0-4fe7-9f95-5810cb2a8441', name: 'year', type: 'number', count: 0 },
      ],
      isBuiltInOn: false,
    },
  ],
  'POST /datasets/:id/metadata': [
    { id: 'db8a8180-d531-4b09-8a69-5fdda46d90a5', name: 'owner', type: 'string' },
  ],
  'POST /datasets/:id/documents/metadata': [undefined],
  'POST /datasets/:id/retrieve': [[]],
  'GET /info': [{ name: 'Echo everything', kind: 'chatflow', tags: [], author: 'admin' }],
  'GET /parameters': [{ openingStatement: '', suggestedQuestions: [], suggestsAfterAnswer: false, form: [] }],
  'GET /conversations': [
    { conversations: [], hasMore: false },
    {
      conversations: [{ name: 'alpha **bold** 日本 🚀', inputs: {}, createdAtMs: 1_795_290_820_000 }],
      hasMore: false,
    },
  ],
  'DELETE /conversations/:id': [undefined],
  'POST /conversations/:id/name': [{ name: 'Renamed ünï', updatedAtMs: 1_795_290_869_000 }],
  'GET /messages': [
    {
      messages: [
        { query: 'from elsewhere', answer: 'Echo: from elsewhere', createdAtMs: 1_795_290_843_000 },
        { query: 'second elsewhere', answer: 'Echo: second elsewhere' },
      ],
      hasMore: false,
    },
    { messages: [{ query: 'echo elsewhere', attached: [], files: [] }], hasMore: false },
  ],
  'POST /messages/:id/feedbacks': [undefined],
  'POST /files/upload': ['554ee8bb-8cbf-4ffb-bce4-1b724a15953c', '6d0a9007-2239-4bef-a540-adb1fc92d8f4'],
};

/** The part of a value that the pattern names; lists have the same length. */
function likeness(value: unknown, pattern: unknown): unknown {
  if (Array.isArray(pattern) && Array.isArray(value)) {
    return value.map((item, at) => likeness(item, pattern[at]));
  }
  const fields = asObject(pattern);
  const object = asObject(value);
  if (!fields || !object) return value;
  return Object.fromEntries(Object.keys(fields).map((name) => [name, likeness(object[name], fields[name])]));
}

/** Replays an answer to the client's request; returns the result and the request. */
async function replay(reply: RecordedReply, asked: string) {
  const exchange: Exchange = {
    ids: `${reply.path} `.match(uuid) ?? [],
    sent: asObject(parseJson(reply.sent)) ?? {},
  };
  const ofKnowledge = knowledge[asked];
  if (ofKnowledge) {
    const answer = { status: reply.status ?? 0, body: reply.body, contentType: 'application/json' };
    // Values are added to the document's own, which are read first.
    const first = asked.endsWith('/documents/metadata') ? [{ json: { id: 'd', name: 'a.md' } }] : [];
    const fake = fakePlatform([...first, answer], { dialect: { economy: 'economy' } });
    const result = await settled(ofKnowledge(createPlatformClient(fake.context), exchange));
    const sent = fake.asked.slice(first.length).map(({ method, path, json }) => ({
      call: `${method} ${path.replace('/base', '')}`,
      body: json,
    }));
    return { exchange, result, sent };
  }
  const network = appNetwork(recordedReply(reply));
  const ofApp = apps[asked] ?? assert.fail(`Nothing of ours asks ${asked}.`);
  return { exchange, result: await settled(ofApp(network.client, exchange)), sent: network.sent };
}

const settled = (result: Promise<unknown>) => result.catch((error: unknown) => error);

/** Removes fields that differ for each user. */
function sentForm(body: unknown): unknown {
  const { user: _user, ...fields } = asObject(body) ?? {};
  return fields;
}

describe('what the client reads in the recorded answers of a platform', () => {
  const seen = new Map<string, number>();
  const successes = readRecorded(dify)
    .filter(({ status }) => status !== undefined && status < 400)
    .map((reply) => ({ reply, asked: askedOf(reply) }))
    .filter(({ asked }) => !isOfAnswer(asked));

  for (const { reply, asked } of successes) {
    const nth = seen.get(asked) ?? 0;
    if (!isCut(reply)) seen.set(asked, nth + 1);
    it(isCut(reply) ? `${asked}, cut off` : `${asked}, ${nth + 1}`, async () => {
      const { exchange, result, sent } = await replay(reply, asked);
      assert.deepEqual(
        sent.map(({ call }) => call.replace(/\?.*/, '')),
        [`${reply.method} ${reply.path.replace(/\?.*/, '')}`],
      );
      assert.deepEqual(sentForm(sent[0]?.body), sentForm(exchange.sent));
      if (isCut(reply)) {
        assert.ok(result instanceof SwitchboardError);
        assert.equal(result.code, 'truncated');
      } else {
        const expected = answers[asked]?.[nth];
        assert.deepEqual(likeness(result, expected), expected);
      }
    });
  }

  it('has an answer for each that is whole, and no others', () =>
    assert.deepEqual(
      Object.fromEntries(seen),
      Object.fromEntries(Object.entries(answers).map(([asked, all]) => [asked, all.length])),
    ));
});

describe('what the client hears in the recorded answers of chatflows, which were not written down to their end', () => {
  const streams = readRecorded(dify).filter(
    ({ status, path }) => status === 200 && path.endsWith('/chat-messages'),
  );
  const heard: readonly { types: string[]; text: string }[] = [
    { types: ['requestSent', 'started', 'stepChanged'], text: '' },
    { types: ['requestSent', 'started', 'stepChanged', 'textAdded', 'stepChanged'], text: 'Waited: ' },
  ];

  it('are two', () => assert.equal(streams.length, heard.length));
  for (const [nth, expected] of heard.entries()) {
    it(`${nth + 1}: what came, and that the rest is missing`, async () => {
      const network = appNetwork(recordedReply(streams[nth] ?? assert.fail()));
      const sent = asObject(parseJson(streams[nth]?.sent ?? '')) ?? {};
      const question = { query: String(sent['query']), inputs: asObject(sent['inputs']) ?? {}, stream: true };
      const { types, events, failure } = await hear(network, network.client.chat(question, never));
      const text = events.map((event) => (event.type === 'textAdded' ? event.text : '')).join('');
      assert.deepEqual([types, text, failure?.code], [expected.types, expected.text, 'truncated']);
      assert.deepEqual(sentForm(network.sent[0]?.body), sentForm(sent));
    });
  }
});
