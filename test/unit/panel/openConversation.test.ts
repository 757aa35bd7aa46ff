import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import {
  type OpenConversationMemory,
  rememberOpenConversation,
  reopenConversation,
} from '../../../src/panel/openConversation.ts';
import { PanelNotices } from '../../../src/panel/panelNotices.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';

describe('the open conversation', () => {
  it('is remembered from its first message on, and opened again with the next window', async () => {
    const store = new MemoryChatStore();
    const memory: OpenConversationMemory = { chatId: undefined };
    const chat = new ChatController(chatDependencies({ store }));
    rememberOpenConversation(chat, memory);
    chat.shown.choices.selectModel('another');
    assert.equal(memory.chatId, undefined, 'an empty conversation is not there to be opened');
    await chat.shown.submit('Hello');
    assert.equal(memory.chatId, chat.shown.conversation.id);

    const next = new ChatController(chatDependencies({ store, newId: () => 'another' }));
    const notices = new PanelNotices();
    await reopenConversation(next, memory, notices);
    assert.deepEqual(next.shown.conversation.all, chat.shown.conversation.all);
    assert.deepEqual(notices.all, []);
  });

  it('is the new one after New Chat', async () => {
    const memory: OpenConversationMemory = { chatId: undefined };
    const chat = new ChatController(chatDependencies({}));
    const remembered = rememberOpenConversation(chat, memory);
    await chat.shown.submit('Hello');
    const id = await chat.startNewChat();
    assert.equal(memory.chatId, id);
    remembered.dispose();
    await chat.startNewChat();
    assert.equal(memory.chatId, id);
  });

  it('leaves an empty one in its place when it cannot be read, and says why in the panel', async () => {
    const store = new MemoryChatStore();
    store.load = () => Promise.reject(new Error('EACCES: permission denied'));
    const chat = new ChatController(chatDependencies({ store }));
    const notices = new PanelNotices();
    await reopenConversation(chat, { chatId: 'c1' }, notices);
    assert.deepEqual(chat.shown.conversation.all, []);
    assert.deepEqual(
      notices.all.map(({ severity, text }) => [severity, text]),
      [['error', "This conversation couldn't be read: EACCES: permission denied"]],
    );
  });
});
