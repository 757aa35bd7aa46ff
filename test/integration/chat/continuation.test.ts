import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ChatController } from '../../../src/chat/chatController.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { relayOfSuite } from '../../support/relayOfSuite.ts';

describe('chat: an answer that was cut off, against the sandbox', () => {
  const relay = relayOfSuite({ chunkDelayMs: 1 });

  function open(model: string, options: { stream?: boolean; maxTokens?: number } = {}) {
    const streamModel = relay.streamModel();
    const store = new MemoryChatStore();
    const create = () =>
      new ChatController(
        chatDependencies({ store, streamModel, options, defaultModel: () => model, newId: randomUUID }),
      );
    return { chat: create(), create };
  }
  const lastOf = (chat: ChatController) => {
    const item = chat.shown.conversation.all.at(-1);
    return item?.type === 'answer' ? item : assert.fail();
  };

  for (const model of [
    'fault/cut-mid-answer',
    'fault/cut-then-repeats',
    'fault/hang-up-mid-answer',
    'fault/length',
  ]) {
    it(`goes on with ${model} until it is whole`, async () => {
      const { chat } = open(model);
      const first = await chat.shown.submit('Where is the harbour?');
      assert.ok(first && ['failed', 'length'].includes(first.reason));
      const before = lastOf(chat).text;
      const end = await chat.shown.continueAnswer(lastOf(chat).id);
      assert.equal(end?.reason, 'answered');
      const { text } = lastOf(chat);
      assert.ok(text.startsWith(before) && text.length > before.length);
      assert.match(text, /My fault: .*\n$/);
      assert.equal(text.split('My fault').length, 2);
      assert.equal(text.split('I saw **1 message**').length, 2);
      assert.equal(chat.shown.conversation.all.length, 2);
    });
  }

  it('goes on through an output limit again and again', async () => {
    const { chat } = open('scripted-writer', { maxTokens: 150 });
    let end = await chat.shown.submit('Write 40 lines');
    let rounds = 0;
    while (end?.reason === 'length' && ++rounds < 20) end = await chat.shown.continueAnswer(lastOf(chat).id);
    assert.equal(end?.reason, 'answered');
    const whole = open('scripted-writer');
    await whole.chat.shown.submit('Write 40 lines');
    assert.equal(lastOf(chat).text, lastOf(whole.chat).text);
    assert.equal(lastOf(chat).requests?.length, rounds + 1);
  });

  it('goes on after the window was closed in the middle', async () => {
    const { chat, create } = open('scripted-writer');
    const seen = new Promise<void>((resolve) => {
      chat.onDidChange((change) => change.type === 'textAdded' && resolve());
    });
    const ended = chat.shown.submit('Write 40 lines');
    await seen;
    chat.dispose();
    await ended;
    const again = create();
    await again.openChat(chat.shown.conversation.id);
    assert.equal(lastOf(again).end?.reason, 'interrupted');
    assert.equal((await again.shown.continueAnswer(lastOf(again).id))?.reason, 'answered');
    const whole = open('scripted-writer');
    await whole.chat.shown.submit('Write 40 lines');
    assert.equal(lastOf(again).text, lastOf(whole.chat).text);
  });
});
