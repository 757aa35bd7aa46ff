import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { ChatController } from '../../../src/chat/chatController.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';

describe('a turn of another window', () => {
  afterEach(() => mock.timers.reset());

  /** A conversation that is answered in another window, whose end nobody tells. */
  async function followed() {
    mock.timers.enable({ apis: ['setInterval'] });
    const store = new MemoryChatStore();
    let [isRunning, looks] = [true, 0];
    store.isRunningElsewhere = () => {
      looks++;
      return isRunning;
    };
    const chat = new ChatController(chatDependencies({ store }));
    await chat.shown.windows.update();
    const looksAfter = async (seconds: number) => {
      const before = looks;
      mock.timers.tick(seconds * 1000);
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
      return looks - before;
    };
    return { chat, store, looksAfter, end: () => void (isRunning = false) };
  }

  it('is looked at every five seconds until it has ended, and no more', async () => {
    const { chat, looksAfter, end } = await followed();
    assert.equal(chat.shown.windows.isRunning, true);
    assert.equal(await looksAfter(4.9), 0);
    assert.equal(await looksAfter(0.1), 1);
    end();
    assert.equal(await looksAfter(5), 1);
    assert.equal(chat.shown.windows.isRunning, false);
    assert.equal(await looksAfter(60), 0);
  });

  it('is looked at again after its file could not be read', async () => {
    const { chat, store, looksAfter, end } = await followed();
    const { newsOf } = store;
    store.newsOf = () => Promise.reject(new Error('EIO'));
    assert.equal(await looksAfter(5), 1);
    store.newsOf = newsOf;
    end();
    await looksAfter(5);
    assert.equal(chat.shown.windows.isRunning, false);
  });

  it('is looked at no more in a window that closes the conversation', async () => {
    const { chat, looksAfter } = await followed();
    chat.dispose();
    assert.equal(await looksAfter(60), 0);
  });
});
