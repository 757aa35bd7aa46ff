import assert from 'node:assert/strict';
import type { Message } from '../../../src/relay/messages.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { relayUnderTest } from '../../support/relayUnderTest.ts';

const system: Message = { role: 'system', content: 'Be brief. '.repeat(2000) };

describe('cache marks through sockets', () => {
  // New for each test: they remember prompts.
  let servers: RelayServer[] = [];
  beforeEach(async () => void (servers = [await startRelay(), await startRelay()]));
  afterEach(() => Promise.all(servers.map((server) => server.stop())));

  const connect = (server: RelayServer) => relayUnderTest({ baseUrl: server.url, key: server.key });
  type Relay = ReturnType<typeof connect>;
  const isMarked = (server: RelayServer) =>
    server.requests.map(({ json }) => JSON.stringify(json).includes('"cache_control":{"type":"ephemeral"}'));

  async function converse(relay: Relay, model: string, turns: number): Promise<number[]> {
    const messages: Message[] = [system];
    const shares: number[] = [];
    for (let turn = 1; turn <= turns; turn++) {
      messages.push({ role: 'user', content: `Turn ${turn}` });
      const { events, text, failure } = await relay.ask({ model, messages: [...messages] });
      assert.equal(failure, undefined);
      const end = events.find((event) => event.type === 'modelFinished');
      const { promptTokens = 0, cachedTokens = 0 } = end?.usage ?? {};
      shares.push(cachedTokens / promptTokens);
      messages.push({ role: 'assistant', model, content: text });
    }
    return shares;
  }

  it('have all but the newest words of a prompt come from the cache', async () => {
    const [server] = servers;
    const relay = connect(server!);
    const [first = 1, ...rest] = await converse(relay, 'fault/claude-caches-marked', 6);
    assert.equal(first, 0);
    assert.ok(
      rest.every((share) => share > 0.95),
      rest.join(),
    );
    assert.deepEqual(
      isMarked(server!),
      Array.from({ length: 6 }, () => true),
    );
    relay.http.dispose();
  });

  it('are given up where nothing comes from the cache', async () => {
    const [server] = servers;
    const relay = connect(server!);
    await converse(relay, 'fault/claude-caches-nothing', 6);
    assert.deepEqual(isMarked(server!), [true, true, true, true, false, false]);
    relay.http.dispose();
  });

  it('are learnt of each model and relay apart', async () => {
    const [one, other] = servers;
    const strict = connect(one!);
    const honouring = connect(other!);
    await converse(strict, 'fault/claude-refuses-marks', 1);
    await converse(strict, 'fault/claude-refuses-marks', 1);
    await converse(strict, 'fault/claude-caches-marked', 1);
    await converse(honouring, 'fault/claude-caches-marked', 1);
    assert.deepEqual(isMarked(one!), [true, false, false, true]);
    assert.deepEqual(isMarked(other!), [true]);
    for (const { http } of [strict, honouring]) http.dispose();
  });
});
