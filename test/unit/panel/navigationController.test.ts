import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { NavigationController } from '../../../src/panel/navigationController.ts';
import type { ToPage } from '../../../src/shared/protocol.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { longConversation } from '../../support/longConversation.ts';
import { handleCommand } from '../../../src/panel/commandHandlers.ts';

describe('NavigationController', () => {
  /** Indices of the messages found from an entry of three turns: a message, a search, and an answer each. */
  async function found(from: number, direction: 'next' | 'previous') {
    const chat = new ChatController(chatDependencies({}));
    Object.defineProperty(chat.shown, 'conversation', { value: longConversation(3) });
    const posted: ToPage[] = [];
    const { commands } = new NavigationController(chat, (message) => posted.push(message));
    await handleCommand(commands, { type: 'findMessage', from, direction });
    return posted.map((message) => (message.type === 'messageFound' ? message.index : message.type));
  }

  it("finds the user's message before or after an entry", async () => {
    assert.deepEqual(await found(9, 'previous'), [6]);
    assert.deepEqual(await found(4, 'previous'), [3]);
    assert.deepEqual(await found(3, 'previous'), [0]);
    assert.deepEqual(await found(0, 'next'), [3]);
  });

  it('finds the outermost message itself, which may be in view without the focus', async () => {
    assert.deepEqual(await found(0, 'previous'), [0]);
    assert.deepEqual(await found(6, 'next'), [6]);
    assert.deepEqual(await found(8, 'next'), []);
  });
});
