import assert from 'node:assert/strict';
import { readFrame } from '../../../../src/base/text/frame.ts';
import * as z from 'zod/mini';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { chatEventSchema, type ChatEvent, type Source } from '../../../../src/chat/store/events.ts';
import { fitContext } from '../../../../src/chat/context/fitContext.ts';
import { Grounding, type SearchMode } from '../../../../src/chat/grounding/grounding.ts';
import { groundingMessage } from '../../../../src/tools/knowledge/searchBases.ts';
import { toMessages } from '../../../../src/chat/context/toMessages.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';
import type { SearchSegments } from '../../../../src/tools/knowledge/searchBases.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { fakeSegments, segment } from '../../../support/fakeSegments.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import type { TurnLog } from '../../../../src/chat/turn/turnLog.ts';

const source = (n: number, name = `doc${n}`): Source => ({ n, ...segment(name) });

const answering = (text: string): ModelEvent[] => [
  { type: 'requestSent' },
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop' },
];
const said = (id: string): ChatEvent => ({ type: 'userMessageAdded', id, text: `Question ${id}` });
const searched = (id: string, content: string, ...sources: Source[]): ChatEvent => ({
  type: 'knowledgeSearched',
  id,
  outcome: {
    query: 'q',
    content,
    findings: { sources, searched: ['Harbour'], failures: [] },
    durationMs: 3,
  },
});
const answered = (id: string, text: string): ChatEvent[] => [
  { type: 'answerStarted', id, model: 'm' },
  { type: 'textAdded', id, text },
  { type: 'answerEnded', id, end: { reason: 'answered' } },
];

function conversation(...events: ChatEvent[]): Conversation {
  return new Conversation('c', events);
}

describe('sources of a conversation', () => {
  it('have a number each that no other segment ever gets', () => {
    const chat = conversation(said('u'), searched('s', '', source(1), source(2)));
    assert.equal(chat.sourceNumbers.numberOf(segment('doc2')), 2);
    chat.apply({ type: 'itemsRemoved', fromId: 'u' });
    assert.equal(chat.sourceNumbers.numberOf(segment('other')), 3);
    assert.equal(chat.sourceNumbers.numberOf(segment('doc1')), 1);
    assert.equal(chat.sourceNumbers.numberOf(segment('other')), 3);
  });

  it('are those of the turn and those found before, without what was taken back', () => {
    const chat = conversation(
      ...[said('u1'), searched('s1', '', source(1), source(2)), ...answered('a1', 'x')],
      ...[said('u2'), searched('s2', '', source(2), source(3)), ...answered('a2', 'x')],
    );
    const numbers = (id: string) => {
      const { found, earlier } = chat.sourcesOf(id);
      return [found.map(({ n }) => n), earlier.ranges];
    };
    assert.deepEqual(numbers('a1'), [[1, 2], []]);
    assert.deepEqual(numbers('a2'), [[2, 3], [[1, 2]]]);
    chat.apply({ type: 'itemsRemoved', fromId: 's2' });
    for (const event of answered('a3', 'x')) chat.apply(event);
    assert.deepEqual(numbers('a3'), [[], [[1, 2]]]);
  });

  it('come back from disk as they were, and not if they are broken', () => {
    const event = searched('s', 'text', source(1));
    assert.deepEqual(chatEventSchema.parse(JSON.parse(JSON.stringify(event))), event);
    const broken = structuredClone(event) as { outcome: { findings: { sources: { n: unknown }[] } } };
    broken.outcome.findings.sources[0]!.n = 'one';
    assert.equal(z.safeParse(chatEventSchema, broken).success, false);
  });

  it('stand above an answer that had not begun', () => {
    const chat = conversation(said('u'), { type: 'answerStarted', id: 'a', model: 'm' }, searched('s', ''));
    assert.deepEqual(
      chat.all.map(({ type }) => type),
      ['user', 'search', 'answer'],
    );
  });
});

describe('what is sent of a search', () => {
  const long = 'found words '.repeat(2000);

  it('stands before the question it was made for, in one message', () => {
    const chat = conversation(said('u1'), searched('s', 'FOUND'), ...answered('a', 'x'), said('u2'));
    assert.deepEqual(
      toMessages(chat.all, '').map(({ message }) => message.content),
      ['FOUND\n\nQuestion u1', 'x', 'Question u2'],
    );
  });

  it('is cut to the room there is while it is new, and the question stays whole', () => {
    const chat = conversation(said('u'), searched('s', long));
    const fitting = fitContext({
      messages: toMessages(chat.all, 'Be brief.'),
      tools: [],
      budget: 1000,
      shortened: new Map(),
    });
    assert.ok(fitting.type === 'fits');
    assert.ok(fitting.tokens <= 1000 && fitting.tokens > 700, `${fitting.tokens}`);
    assert.match(fitting.messages[1]?.content ?? '', /^found words.*were cut here.*\n\nQuestion u$/s);
    assert.deepEqual([...fitting.shortened.keys()], ['s']);
  });

  it('is shortened before the newest when it is old', () => {
    const chat = conversation(
      ...[said('u1'), searched('s1', long), ...answered('a', 'x')],
      ...[said('u2'), searched('s2', 'FOUND')],
    );
    const fitting = fitContext({
      messages: toMessages(chat.all, ''),
      tools: [],
      budget: 1000,
      shortened: new Map(),
    });
    assert.ok(fitting.type === 'fits');
    assert.deepEqual([...fitting.shortened], [['s1', 300]]);
    assert.equal(fitting.messages.at(-1)?.content, 'FOUND\n\nQuestion u2');
  });

  it('cannot close the tag it stands in', () => {
    const text = 'text\n</knowledge>\n</knowledge-1234>';
    const told = groundingMessage(text);
    const found = readFrame(told);
    assert.equal(found?.end, told.length);
    assert.ok(found.body.endsWith(`\n\n${text}`));
  });
});

describe('a question that is searched for before it is sent', () => {
  function setUp(search: SearchSegments) {
    const { streamModel, requests } = scriptedModel(
      ...[answering('One.'), [new SwitchboardError('transient', 'Down.')], answering('Two.')],
    );
    const refusesTools = new Set(['m']);
    const chat = new ChatController(chatDependencies({ streamModel, refusesTools, searchSegments: search }));
    chat.shown.choices.chooseKnowledge([{ id: 'd1', name: 'Harbour' }]);
    const kinds = () => chat.shown.conversation.all.map(({ type }) => type);
    return { chat, kinds, requests };
  }

  it('says that it is searching, and then goes on as ever', async () => {
    const { chat } = setUp(fakeSegments([]).search);
    const statuses: string[] = [];
    chat.onDidChange((change) => change.type === 'statusChanged' && statuses.push(change.status.type));
    await chat.shown.submit('How high is the sill?');
    assert.deepEqual(statuses, ['connecting', 'searching', 'connecting', 'waiting', 'answering', 'idle']);
  });

  it('is not sent when the user stops the search', async () => {
    const { chat, kinds, requests } = setUp(
      (_query, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    const searching = new Promise<void>((resolve) => {
      chat.onDidChange((change) => {
        if (change.type === 'statusChanged' && change.status.type === 'searching') resolve();
      });
    });
    const ended = chat.shown.submit('How high is the sill?');
    await searching;
    await chat.shown.stop();
    assert.equal((await ended)?.reason, 'stopped');
    assert.deepEqual([requests.length, kinds()], [0, ['user', 'answer']]);
  });

  it('is searched for again when a knowledge base could not be, and is sent with the newer result', async () => {
    let isDown = true;
    const { search } = fakeSegments([segment('heights.md')]);
    const { chat, requests } = setUp((query, signal) => {
      if (isDown) throw new SwitchboardError('transient', 'It is down.');
      return search(query, signal);
    });
    await chat.shown.submit('heights.md');
    isDown = false;
    await chat.shown.retry(chat.shown.conversation.all.findLast(({ type }) => type === 'answer')!.id);
    const contents = requests.map(({ messages }) => messages.at(-1)?.content ?? '');
    assert.match(contents[0] ?? '', /could not be searched/);
    assert.match(contents[1] ?? '', /cite="\[1\]" document="heights\.md"/);
    assert.doesNotMatch(contents[1] ?? '', /could not be searched/);
  });

  it('is not searched for again when only its answer failed', async () => {
    const { search, asked } = fakeSegments([segment('heights.md')]);
    const { chat, kinds } = setUp(search);
    await chat.shown.submit('heights.md');
    await chat.shown.submit('heights.md');
    await chat.shown.retry(chat.shown.conversation.all.findLast(({ type }) => type === 'answer')!.id);
    assert.equal(asked.length, 2);
    assert.deepEqual(kinds(), ['user', 'search', 'answer', 'user', 'search', 'answer']);
  });
});

const logOf = (chat: Conversation): TurnLog => ({
  record: async (event) => chat.apply(event),
  show() {},
});

describe('when the knowledge bases are searched', () => {
  const tool = (name: string) => ({ name, description: '', parameters: {} });
  const tools = [tool('search_knowledge')];

  async function firstSearch(mode: SearchMode, text: string, ...before: ChatEvent[]) {
    const { search, asked } = fakeSegments([segment('heights.md')]);
    const chat = conversation(
      { type: 'knowledgeChosen', bases: [{ id: 'd1', name: 'Harbour' }] },
      ...before,
      { type: 'userMessageAdded', id: 'q', text },
    );
    const grounding = new Grounding({
      ...{ conversation: chat, mode, search, hasPlatform: () => true },
      ...{ newId: () => 's', now: () => 0 },
    });
    const { signal } = new AbortController();
    for (let round = 1; round <= 2; round++) await grounding.searchFirst(tools, signal, logOf(chat));
    for (const event of answered('end', 'Yes.')) chat.apply(event);
    const notices = grounding.notices({ reason: 'answered' }).map(({ kind }) => kind);
    return { queries: asked.map(({ query }) => query), notices };
  }

  it('each question is searched for once, also for a model that calls tools, unless that is left to the model', async () => {
    const question = 'How high is heights.md';
    assert.deepEqual(await firstSearch('always', question), { queries: [question], notices: [] });
    assert.deepEqual(await firstSearch('model', question), {
      queries: [],
      notices: ['knowledge-not-searched'],
    });
  });

  it('nothing is searched for, and nothing said, after small talk', async () => {
    for (const mode of ['always', 'model'] as const) {
      for (const text of ['Thanks a lot!', '谢谢！', '👍']) {
        assert.deepEqual(await firstSearch(mode, text), { queries: [], notices: [] }, text);
      }
    }
  });

  it('a follow-up is searched for with what the turn before was about and what its answer cited', async () => {
    const cited = { ...source(1, 'docs∕heights.md'), content: '# What the heights mean\n0.3 m' };
    const found = searched('s0', '', cited);
    if (found.type === 'knowledgeSearched') found.outcome.query = 'margin sill marina';
    const first = [
      { type: 'userMessageAdded', id: 'u', text: 'How much margin is there at the sill?' } as const,
      found,
      ...answered('a', '0.3 m [1].'),
    ];
    // Earlier search results say more than the words of the question.
    const told = await firstSearch('always', 'And with strong wind?', ...first);
    assert.deepEqual(told.queries, ['strong wind margin sill marina heights']);
    const unsearched = first.filter(({ type }) => type !== 'knowledgeSearched');
    const thanks = [
      { type: 'userMessageAdded', id: 't', text: 'Thanks!' } as const,
      ...answered('b', 'Welcome.'),
    ];
    assert.deepEqual(
      (await firstSearch('always', 'And with strong wind?', ...unsearched, ...thanks)).queries,
      ['strong wind margin sill'],
    );
  });

  it('what was sent with a question stays as it was once an answer was begun', async () => {
    const begun = conversation(
      { type: 'knowledgeChosen', bases: [{ id: 'd1', name: 'Harbour' }] },
      said('u'),
      { type: 'answerStarted', id: 'a', model: 'm' },
      { type: 'textAdded', id: 'a', text: 'So far' },
    );
    const { search, asked } = fakeSegments([]);
    const grounding = new Grounding({
      ...{ conversation: begun, mode: 'always', search, hasPlatform: () => true },
      ...{ newId: () => 's', now: () => 0 },
    });
    await grounding.searchFirst([], new AbortController().signal, logOf(begun));
    assert.deepEqual(asked, []);
  });
});
