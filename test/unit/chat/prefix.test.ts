import assert from 'node:assert/strict';
import { createToolBox } from '../../../src/chat/calls/toolBox.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ChatDependencies } from '../../../src/chat/chatDependencies.ts';
import { builtInMode } from '../../../src/chat/modes/mode.ts';
import { systemText } from '../../../src/chat/prompt/systemText.ts';
import { serviceForm } from '../../../src/relay/profile/modelDialect.ts';
import type { ModelEvent, ModelRequest, Protocol } from '../../../src/relay/messages.ts';
import { protocols } from '../../../src/relay/protocols/allProtocols.ts';
import { defineTool } from '../../../src/tools/tool.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import * as z from 'zod/mini';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { emptyPrompt } from '../../support/emptyPrompt.ts';
import { fakeSegments, segment } from '../../support/fakeSegments.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';

interface Body {
  tools: unknown;
  messages: object[];
}

/** A request in the units of a vendor's cache; in the messages protocol those are blocks. */
function sentBy(protocol: Protocol, request: ModelRequest): Body {
  const body = protocols[protocol].toBody(request, serviceForm, { isOn: false });
  const sent = JSON.parse(JSON.stringify(body)) as Body & { system?: object[]; input?: object[] };
  const { tools, system = [], messages } = sent;
  if (protocol === 'responses') return { tools, messages: sent.input ?? [] };
  if (protocol === 'chat-completions') return { tools, messages };
  const blocks = (messages as { role: string; content: object[] }[]).flatMap(({ role, content }) =>
    content.map((block) => ({ role, ...block })),
  );
  return { tools, messages: [...system, ...blocks] };
}

interface Given {
  resultWords?: number;
  contextWindow?: number;
  protocol?: Protocol;
}

/** A conversation whose requests are kept as sent: each turn thinks, reads twice, and answers. */
function open({ resultWords = 200, contextWindow, protocol = 'chat-completions' }: Given = {}) {
  const bodies: Body[] = [];
  let calls = 0;
  let day = 10;
  const streamModel = async function* (request: ModelRequest): AsyncGenerator<ModelEvent> {
    bodies.push(sentBy(protocol, request));
    yield { type: 'requestSent' };
    const asked = request.messages.findLastIndex(({ role }) => role === 'user');
    const isDone = request.messages.length - asked > 4;
    yield { type: 'reasoningAdded', text: `Thought ${++calls}.` };
    const item = { type: 'reasoning', id: `rs_${calls}`, summary: [], encrypted_content: `s${calls}` };
    const signed =
      protocol === 'responses' ? { item } : { text: `Thought ${calls}.`, signature: `s${calls}` };
    yield { type: 'reasoningSigned', blocks: [signed] };
    if (isDone) yield { type: 'textAdded', text: 'Done.' };
    else {
      const call = { id: `c${calls}`, name: 'read_file', arguments: `{"path":"${calls}.ts"}` };
      yield { type: 'toolCallsCompleted', calls: [call] };
    }
    yield { type: 'modelFinished', reason: isDone ? 'stop' : 'tool_calls' };
  };
  const { search } = fakeSegments([segment('tides.md')]);
  const readFile = defineTool({
    name: 'read_file',
    description: 'Reads.',
    input: z.object({ path: z.string() }),
    risk: 'read',
    run: async ({ path }) => ({ content: `${path} ${'word '.repeat(resultWords)}`, isError: false }),
  });
  const parts = chatDependencies({ streamModel, store: new MemoryChatStore() });
  const deps: ChatDependencies = {
    ...parts,
    options: () => ({
      instructions: 'Be brief.',
      stream: true,
      maxToolRounds: 50,
      knowledgeSearch: 'model',
      fallbackModels: [],
    }),
    modelLimits: () => (contextWindow === undefined ? {} : { contextWindow }),
    hasPlatform: () => true,
    searchSegments: search,
    prompt: async () => ({
      ...emptyPrompt,
      systemText,
      facts: async () => [`Date: 2026-11-${++day}`, `Active file: ${day}.ts`],
    }),
    tools: async ({ groundingTool, permissions }) =>
      createToolBox(
        () => new ToolSet([readFile, groundingTool()].filter((tool) => tool !== undefined)),
        { ruleFor: () => undefined, ask: async () => ({ allow: true }) },
        permissions,
        (signal) => ({ signal }),
      ),
  };
  return { bodies, chat: new ChatController(deps), reload: () => new ChatController(deps) };
}

/** Number of requests that don't begin with the previous one; always includes the first. */
function breaks(bodies: readonly Body[]): number {
  return bodies.filter(({ messages }, index) => {
    const before = bodies[index - 1]?.messages ?? [];
    return before.some((message, at) => JSON.stringify(message) !== JSON.stringify(messages[at]));
  }).length;
}

function assertExtends(bodies: readonly Body[]): void {
  bodies.forEach(({ tools, messages }, index) => {
    const before = bodies[index - 1];
    if (!before) return;
    assert.equal(JSON.stringify(tools), JSON.stringify(before.tools), `tools of request ${index + 1}`);
    assert.deepEqual(messages.slice(0, before.messages.length), before.messages, `request ${index + 1}`);
  });
}

describe('the beginning of requests', () => {
  it('is the request before, from turn to turn, with the reasoning between calls', async () => {
    const { bodies, chat } = open();
    for (const text of ['One', 'Two', 'Three']) await chat.shown.submit(text);
    assert.equal(bodies.length, 9);
    assertExtends(bodies);
    const sent = JSON.stringify(bodies.at(-1));
    assert.match(sent, /"reasoning_content":"Thought 1\."/);
    // Each message keeps the date it was sent with.
    for (const date of ['2026-11-11', '2026-11-12', '2026-11-13']) assert.equal(sent.split(date).length, 2);
  });

  it('is so by the messages protocol, with what the model signed, messages between rounds, and a reload', async () => {
    const { bodies, chat, reload } = open({ protocol: 'messages' });
    chat.onDidChange((change) => {
      if (change.type === 'toolFinished' && bodies.length === 4)
        chat.shown.queue.add({ text: 'Look there', steers: true });
    });
    for (const text of ['One', 'Two', 'Three']) await chat.shown.submit(text);
    const again = reload();
    await again.openChat(chat.shown.conversation.id);
    await again.shown.submit('Four');
    assertExtends(bodies);
    const sent = JSON.stringify(bodies.at(-1));
    assert.match(sent, /"thinking":"Thought 1\.","signature":"s1"/);
    assert.match(sent, /Look there/);
  });

  it('is so by the responses protocol, with the reasoning of every answer, and a reload', async () => {
    const { bodies, chat, reload } = open({ protocol: 'responses' });
    for (const text of ['One', 'Two']) await chat.shown.submit(text);
    const again = reload();
    await again.openChat(chat.shown.conversation.id);
    await again.shown.submit('Three');
    assertExtends(bodies);
    const sent = bodies.at(-1)!.messages.map((item) => item as { type?: string; encrypted_content?: string });
    assert.deepEqual(
      sent.flatMap(({ type, encrypted_content: blob }) => (type === 'reasoning' ? [blob] : [])),
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'],
    );
  });

  it('stays when the user says something between two rounds', async () => {
    const { bodies, chat } = open();
    chat.onDidChange((change) => {
      if (change.type !== 'toolFinished') return;
      if (bodies.length === 1 || bodies.length === 3)
        chat.shown.queue.add({ text: 'Look there', steers: true });
    });
    await chat.shown.submit('One');
    await chat.shown.submit('Two');
    assertExtends(bodies);
    const roles = bodies.at(-1)!.messages.map((message) => (message as { role: string }).role[0]);
    assert.equal(roles.join(''), 'suatuatatuatatauatat');
  });

  it('stays when knowledge bases are chosen in the middle, changed, and chosen no more', async () => {
    const { bodies, chat } = open();
    await chat.shown.submit('One');
    for (const bases of [[{ id: 'd1', name: 'Harbour' }], [{ id: 'd2', name: 'Ships' }], []]) {
      chat.shown.choices.chooseKnowledge(bases);
      await chat.shown.submit('And now?');
    }
    assertExtends(bodies);
    const users = bodies.at(-1)!.messages.map((message) => JSON.stringify(message));
    assert.equal(users.filter((text) => text.includes('Harbour')).length, 1);
    assert.equal(users.filter((text) => text.includes('Ships')).length, 1);
    assert.equal(users.filter((text) => text.includes('No knowledge base is chosen any more')).length, 1);
  });

  it('stays over a change of the mode, and over a retry up to the answer that is replaced', async () => {
    const { bodies, chat } = open();
    await chat.shown.submit('One');
    chat.shown.choices.selectMode(builtInMode('plan').id);
    await chat.shown.submit('Two');
    assertExtends(bodies);
    const { messages } = bodies[3]!;
    const answer = chat.shown.conversation.all.findLast(({ type }) => type === 'answer')!;
    await chat.shown.retry(answer.id);
    assert.deepEqual(bodies[6]!.messages, messages);
  });

  it('is the same after a reload, also of what was shortened', async () => {
    for (const contextWindow of [undefined, 12_000]) {
      const { bodies, chat, reload } = open({ ...(contextWindow && { contextWindow }), resultWords: 1000 });
      chat.shown.choices.chooseKnowledge([{ id: 'd1', name: 'Harbour' }]);
      for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) await chat.shown.submit(text);
      const isShortened = JSON.stringify(bodies.at(-1)).includes('to fit the context');
      assert.equal(isShortened, contextWindow !== undefined);
      const again = reload();
      await again.openChat(chat.shown.conversation.id);
      const before = bodies.length;
      await again.shown.submit('Six');
      assertExtends(bodies.slice(before - 1, before + 1));
    }
  });

  it('changes seldom while results have to be shortened', async () => {
    const { bodies, chat } = open({ contextWindow: 20_000, resultWords: 1000 });
    for (let turn = 0; turn < 14; turn++) await chat.shown.submit(`Turn ${turn}`);
    // A window for 14 results: each compaction makes room for 7 more.
    assert.equal(bodies.length, 42);
    const changes = breaks(bodies);
    assert.ok(changes >= 1 && changes <= 3, `${changes} of ${bodies.length}`);
  });
});
