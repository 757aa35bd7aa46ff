import assert from 'node:assert/strict';
import type { AppRecord } from '../../../src/apps/appRegistry.ts';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { appConversationSource } from '../../../src/history/appConversationSource.ts';
import { ConversationCache } from '../../../src/history/conversationCache.ts';
import type { AppClient } from '../../../src/apps/client/appClient.ts';
import type { AppConversation } from '../../../src/apps/app.ts';

const { signal } = new AbortController();
const app: AppRecord = {
  ...{ id: 'guide', name: 'Guide', kind: 'chatflow', description: '', addedAtMs: 0 },
  ...{ origin: 'https://p.example', baseUrl: 'https://p.example' },
};
const named = (id: string, name = id): AppConversation => ({ id, name, inputs: {} });

function fakeClient(pages: readonly (readonly string[])[]) {
  const asked: (string | undefined)[] = [];
  const client: Partial<AppClient> = {
    async conversations(after) {
      asked.push(after);
      const index = after === undefined ? 0 : pages.findIndex((page) => page.at(-1) === after) + 1;
      return {
        conversations: (pages[index] ?? []).map((id) => named(id)),
        hasMore: index < pages.length - 1,
      };
    },
    renameConversation: async (id, name = '') => named(id, name),
    deleteConversation: async () => {},
  };
  return { client: client as AppClient, asked };
}

const sourceOf = (
  client: AppClient | Error,
  cache = new ConversationCache(),
  open: () => Promise<unknown> = async () => {},
) =>
  appConversationSource({
    app,
    cache,
    client: async () => {
      if (client instanceof Error) throw client;
      return client;
    },
    chatOf: () => undefined,
    open,
  });

describe('the conversations of an app in the history', () => {
  it('end at a page that brings nothing new, and none is listed twice', async () => {
    const client: Partial<AppClient> = {
      conversations: async () => ({ conversations: [named('a'), named('b')], hasMore: true }),
    };
    const cache = new ConversationCache();
    const source = sourceOf(client as AppClient, cache);
    const first = await source.load(signal);
    const second = await first.next?.(signal);
    assert.deepEqual([second?.entries, second?.next], [[], undefined]);
    const known = await source.cached?.();
    assert.deepEqual([known?.entries.length, known?.next], [2, undefined]);
  });

  it('are asked for when they are wanted, and known from then on, page by page', async () => {
    const { client, asked } = fakeClient([['a', 'b'], ['c']]);
    const cache = new ConversationCache();
    const titles = async () => (await sourceOf(client, cache).cached?.())?.entries.map(({ title }) => title);
    assert.equal(await titles(), undefined);
    assert.deepEqual(asked, []);
    const first = await sourceOf(client, cache).load(signal);
    assert.deepEqual(await titles(), ['a', 'b']);
    await first.next?.(signal);
    assert.deepEqual(await titles(), ['a', 'b', 'c']);
    assert.deepEqual(asked, [undefined, 'b']);
    assert.equal((await sourceOf(client, cache).cached?.())?.next, undefined);
    // The newest page replaces everything known.
    await sourceOf(client, cache).load(signal);
    assert.deepEqual(await titles(), ['a', 'b']);
    assert.ok((await sourceOf(client, cache).cached?.())?.next);
  });

  it('are known as they were renamed and deleted', async () => {
    const { client } = fakeClient([['a', 'b', 'c']]);
    const cache = new ConversationCache();
    const source = sourceOf(client, cache);
    const [a, b] = (await source.load(signal)).entries;
    await a?.rename?.('Tides');
    await b?.delete();
    assert.deepEqual(
      (await source.cached?.())?.entries.map(({ title }) => title),
      ['Tides', 'c'],
    );
  });

  it('stay listed where the platform does not delete them', async () => {
    const { client } = fakeClient([['a']]);
    const cache = new ConversationCache();
    const refused = async () => Promise.reject(new SwitchboardError('transient', 'Busy.'));
    const source = sourceOf({ ...client, deleteConversation: refused }, cache);
    const [a] = (await source.load(signal)).entries;
    await assert.rejects(a?.delete() ?? Promise.resolve(), /Busy/);
    assert.equal((await source.cached?.())?.entries.length, 1);
  });

  it('are listed no more once the platform does not have them, which is told', async () => {
    const { client } = fakeClient([['a', 'b']]);
    const cache = new ConversationCache();
    const failures = [
      new SwitchboardError('transient', 'Busy.'),
      new SwitchboardError('conversation-over', 'Gone.'),
    ];
    const source = sourceOf(client, cache, () => Promise.reject(failures.shift() ?? new Error()));
    const [a] = (await source.load(signal)).entries;
    const titles = async () => (await source.cached?.())?.entries.map(({ title }) => title);
    await assert.rejects(a?.open() ?? Promise.resolve(), /Busy/);
    assert.deepEqual(await titles(), ['a', 'b']);
    await assert.rejects(a?.open() ?? Promise.resolve(), /Gone/);
    assert.deepEqual(await titles(), ['b']);
  });

  it('are those of another user no more, and of an app without its key none', async () => {
    const cache = new ConversationCache();
    const mine = fakeClient([['a']]).client;
    await sourceOf(mine, cache).load(signal);
    assert.equal(await sourceOf(fakeClient([['b']]).client, cache).cached?.(), undefined);
    assert.equal(await sourceOf(new Error('no key'), cache).cached?.(), undefined);
  });
});
