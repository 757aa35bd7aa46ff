import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation } from '../../../src/chat/conversation.ts';
import { FileChatStore } from '../../../src/host/fileChatStore.ts';
import type { HistoryEntry } from '../../../src/host/history/historySource.ts';
import { keptChatSource } from '../../../src/host/history/keptChatSource.ts';

const { signal } = new AbortController();

describe('the history on this machine', () => {
  let folder: string;
  let store: FileChatStore;
  let conversation: Conversation;
  const opened: string[] = [];

  const chat = {
    get conversation() {
      return conversation;
    },
    openChat(id: string) {
      opened.push(id);
      conversation = new Conversation(id);
      return Promise.resolve(true);
    },
    startNewChat() {
      // As the last words of the old one, which are written half a second later.
      store.append(conversation.id, { type: 'textAdded', id: 'a', text: 'too late' });
      conversation = new Conversation('fresh');
      return Promise.resolve('fresh');
    },
  };
  const source = () =>
    keptChatSource({
      folder,
      chat,
      flush: () => store.flush(),
      nameOf: (id) => `the model ${id}`,
      show: () => Promise.resolve(opened.push('shown')),
    });
  async function entry(title: string): Promise<HistoryEntry> {
    const { entries } = await source().load(signal);
    return entries.find((each) => each.title === title) ?? assert.fail(`${title} is not listed`);
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
    store = new FileChatStore(folder, (error) => assert.fail(String(error)));
    conversation = new Conversation('open');
    opened.length = 0;
    for (const id of ['open', 'other']) {
      store.append(id, { type: 'userSaid', id: 'u', text: `Hello ${id}` });
      store.append(id, { type: 'answerStarted', id: 'a', model: 'm' });
    }
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('lists what was said a moment ago, with the name of whom it was said to', async () => {
    const { isOpen, by } = await entry('Hello open');
    assert.deepEqual({ isOpen, by }, { isOpen: true, by: 'the model m' });
    assert.equal((await entry('Hello other')).isOpen, false);
  });

  it('opens another chat, and only shows the open one', async () => {
    await (await entry('Hello open')).open();
    assert.deepEqual(opened, ['shown']);
    await (await entry('Hello other')).open();
    assert.deepEqual(opened, ['shown', 'other', 'shown']);
  });

  it('deletes the open chat for good: a new one is begun first, and nothing is written after it', async () => {
    await (await entry('Hello open')).delete();
    assert.equal(conversation.id, 'fresh');
    await store.flush();
    assert.deepEqual(await readdir(folder), ['other.jsonl']);
  });
});
