import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ChatDependencies } from '../../../src/chat/chatDependencies.ts';
import { createToolBox } from '../../../src/chat/calls/toolBox.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { fakeSegments, segment } from '../../support/fakeSegments.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { asAgent } from '../../support/builtInModes.ts';
import { relayOfSuite } from '../../support/relayOfSuite.ts';

interface Body {
  tools?: { function: { name: string } }[];
  messages: { role: string; content?: string }[];
}
const bases = [
  { id: 'd1', name: 'Harbour' },
  { id: 'd2', name: 'Ships' },
];

describe('chat: answers grounded in knowledge bases, against the sandbox', () => {
  const relay = relayOfSuite();

  const tides = segment('heights.md', { content: '# Heights of tides\nHigh water comes twice a day.' });
  const berths = segment('berths.md', { content: 'Berths and tides.', origin: { path: 'docs/berths.md' } });

  const leftToModel: Pick<ChatDependencies, 'options'> = {
    options: () => ({
      instructions: '',
      stream: true,
      maxToolRounds: 50,
      knowledgeSearch: 'model',
      fallbackModels: [],
    }),
  };

  function open(model: string, parts: Partial<ChatDependencies> = {}, failing: string[] = []) {
    relay.server().clearRequests();
    const streamModel = relay.streamModel();
    const { search, asked } = fakeSegments([tides, berths], failing);
    const consent = { ruleFor: () => undefined, ask: async () => ({ allow: true as const }) };
    const chat = new ChatController({
      ...chatDependencies({ streamModel, defaultModel: () => model }),
      tools: async ({ groundingTool }) =>
        createToolBox(
          () => new ToolSet([groundingTool()].filter((tool) => tool !== undefined)),
          consent,
          asAgent,
          (signal) => ({ signal }),
        ),
      searchSegments: search,
      ...parts,
    });
    chat.shown.choices.chooseKnowledge(bases);
    const bodies = () => relay.server().requests.map(({ json }) => json as Body);
    const kinds = () =>
      chat.shown.conversation.all.map((item) => (item.type === 'notice' ? item.kind : item.type));
    const last = () => {
      const item = chat.shown.conversation.all.findLast(({ type }) => type === 'answer');
      assert.ok(item?.type === 'answer');
      return { text: item.text, ...chat.shown.conversation.sourcesOf(item.id) };
    };
    return { asked, bodies, chat, kinds, last };
  }

  it('searches for the question first, and a model that calls tools searches on, in one numbering', async () => {
    const { asked, bodies, chat, kinds, last } = open('scripted-tools');
    await chat.shown.submit('Please search the knowledge base for "berths.md" to explain heights.md');
    assert.deepEqual(
      asked.map(({ query }) => query),
      ['Please search the knowledge base for "berths.md" to explain heights.md', 'berths.md'],
    );
    assert.deepEqual(kinds(), ['user', 'search', 'answer', 'tool', 'answer']);
    const [first, second] = bodies();
    assert.deepEqual(
      first?.tools?.map((tool) => tool.function.name),
      ['search_knowledge'],
    );
    assert.match(
      first?.messages[0]?.content ?? '',
      /^<context-(\w+)>\n.*"Harbour", "Ships"\n<\/context-\1>\n\n<knowledge-(\w+)>\n[^]*cite="\[1\]" document="heights\.md"[^]*<\/knowledge-\2>\n\nPlease/,
    );
    assert.deepEqual(second?.messages.slice(0, 1), first?.messages);
    assert.match(
      second?.messages.at(-1)?.content ?? '',
      /^<segment-[0-9a-f]+ cite="\[2\]" document="berths\.md"/,
    );
    assert.match(last().text, /Berths and tides\. \[2\]/);
    assert.deepEqual(
      last().found.map(({ n }) => n),
      [1, 2],
    );
  });

  it('leaves the search to a model that calls tools where the setting says so', async () => {
    const { asked, bodies, chat, kinds, last } = open('scripted-tools', leftToModel);
    await chat.shown.submit('Please search the knowledge base for tides.');
    assert.deepEqual(asked, [{ query: 'tides', datasetIds: ['d1', 'd2'], topK: undefined }]);
    assert.match(bodies()[0]?.messages[0]?.content ?? '', /^<context-.*"Harbour", "Ships"/s);
    assert.deepEqual(kinds(), ['user', 'answer', 'tool', 'answer']);
    assert.match(last().text, /Heights of tides \[1\]\n- Berths and tides\. \[2\]/);
    assert.deepEqual(
      last().found.map(({ n, documentName }) => [n, documentName]),
      [
        [1, 'heights.md'],
        [2, 'berths.md'],
      ],
    );
    await chat.shown.submit('Hello');
    assert.deepEqual(kinds().slice(4), ['user', 'answer']);
    await chat.shown.submit('Who is the harbour master?');
    assert.deepEqual(kinds().slice(6), ['user', 'answer', 'knowledge-not-searched']);
  });

  it('searches first for a model that was said not to call tools', async () => {
    const { asked, bodies, chat, kinds, last } = open('scripted-echo', {
      refusesTools: new Set(['scripted-echo']),
    });
    await chat.shown.submit('What about the tides?');
    assert.deepEqual(
      asked.map(({ query }) => query),
      ['What about the tides?'],
    );
    assert.equal(bodies()[0]?.tools, undefined);
    const sent = bodies()[0]?.messages.at(-1)?.content ?? '';
    const search = chat.shown.conversation.all.find(({ type }) => type === 'search');
    assert.ok(search?.type === 'search');
    assert.ok(sent.endsWith(`\n\n${search.outcome.content}\n\nWhat about the tides?`));
    assert.match(search.outcome.content, /Cite what you use.*\[1\]/);
    assert.deepEqual(kinds(), ['user', 'search', 'answer']);
    assert.match(last().text, /Heights of tides \[1\]/);
  });

  it('searches first, once, when a model turns out to refuse tools', async () => {
    const { asked, bodies, chat, kinds, last } = open('fault/refuses-tools');
    await chat.shown.submit('And the tides?');
    assert.deepEqual(kinds(), ['user', 'search', 'tools-refused', 'answer']);
    assert.equal(asked.length, 1);
    assert.equal(bodies().length, 2);
    assert.match(last().text, /\[1\]/);
    await chat.shown.submit('And the berths.md?');
    assert.equal(asked.length, 2);
    assert.deepEqual(kinds().slice(4), ['user', 'search', 'answer']);
    assert.deepEqual(
      last().found.map(({ n }) => n),
      [2],
    );
    // Segments found for the previous question are sent with it again.
    const users = bodies()
      .at(-1)
      ?.messages.filter(({ role }) => role === 'user');
    assert.deepEqual(
      users?.map(({ content = '' }) => content.includes('\n\n<knowledge-')),
      [true, true],
    );
  });

  it('says so when nothing was found, or none could be searched', async () => {
    const empty = open('scripted-tools');
    await empty.chat.shown.submit('search the knowledge base for whales');
    assert.deepEqual(empty.kinds().slice(-2), ['answer', 'knowledge-empty']);

    const failed = open('scripted-tools', {}, ['d1', 'd2']);
    await failed.chat.shown.submit('search the knowledge base for tides');
    assert.deepEqual(failed.kinds().slice(-2), ['answer', 'knowledge-failed']);
    const notice = failed.chat.shown.conversation.all.at(-1);
    assert.ok(notice?.type === 'notice');
    assert.equal(notice.detail, 'Harbour: It is down.\nShips: It is down.');

    const partly = open('scripted-tools', {}, ['d2']);
    await partly.chat.shown.submit('search the knowledge base for tides');
    assert.deepEqual(partly.kinds().slice(-2), ['answer', 'knowledge-incomplete']);
    await partly.chat.shown.submit('search the knowledge base for berths');
    assert.equal(partly.kinds().filter((kind) => kind === 'knowledge-incomplete').length, 1);

    const none = open('scripted-tools');
    none.chat.shown.choices.chooseKnowledge([]);
    await none.chat.shown.submit('Hello');
    assert.deepEqual(none.kinds(), ['user', 'answer']);
    assert.equal(none.bodies()[0]?.tools, undefined);
  });

  it('keeps choice and sources with the conversation', async () => {
    const store = new MemoryChatStore();
    const { chat } = open('scripted-tools', { store });
    await chat.shown.submit('search the knowledge base for tides');
    const { chat: again, asked } = open('scripted-tools', { store, newId: randomUUID });
    assert.ok(await again.openChat(chat.shown.conversation.id));
    assert.deepEqual(again.shown.conversation.bases, bases);
    assert.deepEqual(again.shown.conversation.all, chat.shown.conversation.all);
    await again.shown.submit('search the knowledge base for berths.md');
    assert.equal(asked.length, 2);
    const answer = again.shown.conversation.all.findLast(({ type }) => type === 'answer');
    const { found, earlier } = again.shown.conversation.sourcesOf(answer!.id);
    assert.deepEqual([found.map(({ n }) => n), earlier.ranges], [[2], [[1, 2]]]);
  });
});
