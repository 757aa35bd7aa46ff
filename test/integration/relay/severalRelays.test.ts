import assert from 'node:assert/strict';
import { relayKeys } from '../../servers/relay/keys.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { openRelayWindow } from '../../support/relayWindow.ts';

const { good: keyOfFirst, oneModel: keyOfSecond } = relayKeys;

function openWindow(values: Record<string, unknown>) {
  const window = openRelayWindow(values);
  return {
    ...window,
    async ask(model: string): Promise<string> {
      let text = '';
      const messages = [{ role: 'user' as const, content: 'Hello there' }];
      const { signal } = new AbortController();
      await window.models.ask({ model, messages, stream: true }, signal, (event) => {
        if (event.type === 'textAdded') text += event.text;
      });
      return text;
    },
  };
}

describe('two relays at once', () => {
  let first: RelayServer;
  let second: RelayServer;

  before(async () => {
    [first, second] = await Promise.all([startRelay(), startRelay()]);
  });
  after(() => Promise.all([first.stop(), second.stop()]));
  beforeEach(() => {
    first.clearRequests();
    second.clearRequests();
  });

  const keysSeenBy = (server: RelayServer) => [
    ...new Set(server.requests.map(({ headers }) => headers.authorization)),
  ];

  async function connectBoth() {
    const window = openWindow({
      ...{ 'relay.baseUrl': '', 'relay.connections': [], 'relay.headers': { 'X-Team': 'of the first' } },
      ...{ 'relay.models': [], 'relay.protocol': 'auto', 'chat.model': '' },
    });
    for (const [server, key] of [
      [first, keyOfFirst],
      [second, keyOfSecond],
    ] as const) {
      const origin = new URL(server.url).origin;
      const place = window.relayEditor.place();
      const access = await place.accessFor({ baseUrl: server.url, origin, key });
      await window.models.list(access, new AbortController().signal);
      await place.save(access);
    }
    await window.models.catalog.ensure();
    return window;
  }

  it('are listed together and answer each for itself, with the key and the headers of each', async () => {
    const { models, ask, close } = await connectBoth();
    const further = `relay:${new URL(second.url).origin}/scripted-echo`;
    const ids = models.catalog.state.models.map(({ id }) => id);
    assert.ok(ids.includes('scripted-echo') && ids.includes(further));
    assert.match(await ask('scripted-echo'), /Hello there/);
    assert.match(await ask(further), /Hello there/);
    assert.deepEqual(keysSeenBy(first), [`Bearer ${keyOfFirst}`]);
    assert.deepEqual(keysSeenBy(second), [`Bearer ${keyOfSecond}`]);
    const posted = second.requests.find(({ path }) => path === '/v1/chat/completions');
    assert.deepEqual((posted?.json as { model: string } | undefined)?.model, 'scripted-echo');
    assert.ok(first.requests.every(({ headers }) => headers['x-team'] === 'of the first'));
    assert.ok(second.requests.every(({ headers }) => headers['x-team'] === undefined));
    close();
  });

  it('may be two keys of one server, each asked for what it lists', async () => {
    const { relayEditor, models, ask, close } = await connectBoth();
    const { origin } = new URL(first.url);
    await relayEditor.saveBeside({ baseUrl: first.url, origin, key: keyOfSecond });
    await models.catalog.load();
    const listed = (at: string) => models.catalog.ofRelay(at)?.state.models.length ?? 0;
    assert.ok(listed(origin) > listed(`${origin}#2`) && listed(`${origin}#2`) > 0);
    first.clearRequests();
    assert.match(await ask(`relay:${origin}#2/scripted-echo`), /Hello there/);
    assert.deepEqual(keysSeenBy(first), [`Bearer ${keyOfSecond}`]);
    assert.ok(first.requests.every(({ headers }) => headers['x-team'] === undefined));
    first.clearRequests();
    assert.match(await ask('scripted-echo'), /Hello there/);
    assert.deepEqual(keysSeenBy(first), [`Bearer ${keyOfFirst}`]);
    assert.deepEqual([...new Set(first.requests.map(({ path }) => path.includes('#')))], [false]);
    close();
  });

  it('fail each for itself: what the other lists and answers stays', async () => {
    const { relays, relayEditor, models, ask, close } = await connectBoth();
    const [, known] = relays.known;
    const place = relayEditor.place(known);
    const { baseUrl = '', origin = '' } = known ?? {};
    await place.save({ baseUrl, origin, key: relayKeys.unknown });
    await models.catalog.load();
    const { state, error, failedRelay } = models.catalog.state;
    assert.deepEqual([state, error?.code, failedRelay], ['ready', 'key', new URL(second.url).host]);
    assert.match(await ask('scripted-echo'), /Hello there/);
    await relayEditor.remove(relays.known[1]!);
    second.clearRequests();
    await assert.rejects(ask(`relay:${origin}/scripted-echo`), {
      code: 'key',
      message: `The relay ${new URL(origin).host} isn't connected.`,
    });
    assert.deepEqual(second.requests, []);
    close();
  });
});
