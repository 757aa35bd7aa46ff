import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/async/promises.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { emptyPrompt } from '../../support/emptyPrompt.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { relayOfSuite } from '../../support/relayOfSuite.ts';

interface Body {
  tools: unknown;
  messages: { role: string; content?: string; tool_call_id?: string; tool_calls?: { id: string }[] }[];
}

describe('chat: what the user says while a model works, against the sandbox', () => {
  const relay = relayOfSuite();

  function open() {
    relay.server().clearRequests();
    const streamModel = relay.streamModel();
    const store = new MemoryChatStore();
    const reads: Deferred[] = [];
    const run = async (input: unknown) => {
      const read = new Deferred();
      reads.push(read);
      await read.promise;
      return `Of ${JSON.stringify(input)}`;
    };
    let minute = 0;
    let ids = 0;
    const create = () =>
      new ChatController(
        chatDependencies({
          streamModel,
          store,
          newId: () => `id${++ids}`,
          options: { instructions: 'Be brief.' },
          prompt: async () => ({ ...emptyPrompt, facts: async () => [`Minute: ${++minute}`] }),
          tools: { read_file: { isRead: false, run } },
          defaultModel: () => 'scripted-tools',
        }),
      );
    const bodies = () => relay.server().requests.map(({ json }) => json as Body);
    const reading = (count: number) => eventuallyEqual(async () => reads.length, count);
    return { chat: create(), bodies, create, reading, reads };
  }

  /** Asserts that each request begins with the previous one, byte for byte. */
  function assertExtends(): void {
    const texts = relay.server().requests.map(({ json }) => {
      const { tools, messages } = json as Body;
      return [JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))];
    });
    texts.forEach((all, index) => {
      const before = texts[index - 1] ?? [];
      assert.deepEqual(all.slice(0, before.length), before, `request ${index + 1}`);
    });
  }

  /** The strictest vendor's rule, which the sandbox enforces, too. */
  function assertAnswered({ messages }: Body): void {
    const made = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    assert.deepEqual(
      messages.flatMap(({ tool_call_id: id }) => id ?? []),
      made,
    );
  }

  const roles = ({ messages }: Body) => messages.map(({ role }) => role[0]).join('');

  it('stands behind the results of the round, with facts of its own, and each request begins with the one before', async () => {
    const { bodies, chat, reading, reads } = open();
    const ended = chat.shown.submit('Read a.txt, b.txt and c.txt then read d.txt');
    await reading(1);
    chat.shown.queue.add({ text: 'Read e.txt', steers: true });
    chat.shown.queue.add({ text: 'Thanks' });
    reads[0]!.resolve();
    await reading(2);
    reads[1]!.resolve();
    assert.equal((await ended)?.reason, 'answered');
    await eventuallyEqual(async () => chat.shown.isRunning, false);
    assert.deepEqual(bodies().map(roles), ['su', 'suatttu', 'suatttuat', 'suatttuatau']);
    const [, steered] = bodies();
    assert.deepEqual(
      steered!.messages.slice(3).map(({ content = '' }) => content.split('\n').at(-1)),
      [
        'Of {"path":"a.txt"}',
        ...Array.from(
          { length: 2 },
          () => 'Not run: the user sent a message before this call began. It follows the results.',
        ),
        'Read e.txt',
      ],
    );
    for (const body of bodies()) assertAnswered(body);
    const said = bodies()
      .at(-1)!
      .messages.filter(({ role }) => role === 'user');
    assert.deepEqual(
      said.map(({ content = '' }) => /Minute: \d/.exec(content)?.[0]),
      ['Minute: 1', 'Minute: 2', 'Minute: 3'],
    );
    assertExtends();
  });

  it('is lost neither with the window nor with what was sent before, and goes on where that ended', async () => {
    const { bodies, chat, create, reading } = open();
    void chat.shown.submit('Read a.txt and b.txt');
    await reading(1);
    chat.shown.queue.add({ text: 'Only a.txt, please', steers: true });
    chat.dispose();
    const again = create();
    await again.openChat(chat.shown.conversation.id);
    const [queued] = again.shown.conversation.queue;
    assert.equal(queued?.text, 'Only a.txt, please');
    assert.equal((await again.shown.queue.send(queued.id))?.reason, 'answered');
    assert.deepEqual(bodies().map(roles), ['su', 'suattu']);
    for (const body of bodies()) assertAnswered(body);
    assertExtends();
  });
});
