import assert from 'node:assert/strict';
import { SwitchboardError, type ErrorCode } from '../../../src/base/errors/errors.ts';
import type { Model } from '../../../src/relay/messages.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { relayKeys } from '../../servers/relay/keys.ts';
import { relayUnderTest } from '../../support/relayUnderTest.ts';
import { startHttp } from '../../support/tinyServers.ts';

type Dialect = 'new-api' | 'one-api' | 'openai' | 'litellm' | 'openrouter';

async function withRelay<T>(
  options: Parameters<typeof startRelay>[0],
  use: (server: RelayServer, relay: ReturnType<typeof relayUnderTest>) => Promise<T>,
  client: { key?: string; path?: string; headers?: Record<string, string> } = {},
): Promise<T> {
  const server = await startRelay(options);
  const relay = relayUnderTest({
    baseUrl: server.url + (client.path ?? ''),
    key: client.key ?? server.key,
    ...(client.headers && { headers: client.headers }),
  });
  try {
    return await use(server, relay);
  } finally {
    relay.http.dispose();
    await server.stop();
  }
}

async function codeOf(asking: Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await asking;
    return undefined;
  } catch (error) {
    if (error instanceof SwitchboardError) return error.code;
    throw error;
  }
}

describe('keys and model lists', () => {
  const dialects: Dialect[] = ['new-api', 'one-api', 'openai', 'litellm', 'openrouter'];

  for (const dialect of dialects) {
    it(`lists the models of a relay like ${dialect}, and what they are for`, async () => {
      const models = await withRelay({ dialect, list: 'good' }, (_, relay) => relay.list());
      const ids = models.map(({ id }) => id);
      assert.ok(
        ids.some((id) => id.endsWith('scripted-echo')),
        ids.join(),
      );
      assert.equal(new Set(ids).size, ids.length);
      const others = models
        .filter(({ kind }) => kind === 'other')
        .map(({ id }) => id.slice(id.indexOf('/') + 1));
      // OpenRouter lists all other models as answering with text.
      const byName = dialect !== 'openrouter';
      assert.deepEqual(others, [
        ...(byName ? ['scripted-embedding'] : []),
        ...(['litellm', 'openrouter'].includes(dialect) ? ['scripted-image'] : []),
        ...(byName ? ['scripted-whisper-1'] : []),
      ]);
    });

    it(`knows a bad key of a relay like ${dialect}, by the list and by a question`, async () => {
      await withRelay(
        { dialect },
        async (_, relay) => {
          assert.equal(await codeOf(relay.list()), 'key');
          assert.equal((await relay.ask({})).failure?.code, 'key');
        },
        { key: 'sk-sandboxunknown' },
      );
    });
  }

  it('folds what new-api says is not for chat, and by its name what it says nothing of', async () => {
    const others = async (knowsEndpoints: boolean) =>
      (await withRelay({ list: 'good', knowsEndpoints }, (_, relay) => relay.list()))
        .filter(({ kind }) => kind === 'other')
        .map(({ id }) => id);
    assert.deepEqual(await others(false), ['scripted-embedding', 'scripted-whisper-1']);
    assert.deepEqual(await others(true), ['scripted-embedding', 'scripted-image', 'scripted-whisper-1']);
  });

  it('asks new-api once why it rejected a key', async () => {
    for (const [name, says] of [
      ['expired', /^The key expired on .*2026/],
      ['exhausted', /^The key's quota is used up\./],
      ['disabled', /^The key is disabled\./],
      ['unknown', /^The relay doesn't know this key\./],
    ] as const) {
      const key = relayKeys[name];
      await withRelay(
        {},
        async (server, relay) => {
          assert.match((await relay.ask({})).failure?.message ?? '', says);
          assert.deepEqual(
            server.requests.map(({ path }) => path),
            ['/v1/chat/completions', '/api/usage/token/'],
          );
          assert.equal(server.requests[1]?.headers.authorization, `Bearer ${key}`);
        },
        { key },
      );
    }
  });

  it('sends a rejected key nowhere else to ask about it', async () => {
    const elsewhere = await startHttp((_, response) => void response.end('{}'));
    const refusal = { error: { message: 'Invalid token', type: 'new_api_error', code: '' } };
    const server = await startHttp((request, response) => {
      if (request.url?.startsWith('/api/')) {
        response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/api/usage/token/` }).end();
      } else {
        response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
      }
    });
    const relay = relayUnderTest({ baseUrl: `http://127.0.0.1:${server.port}`, key: 'sk-x' });
    try {
      assert.match((await relay.ask({})).failure?.message ?? '', /^The relay rejected the key\./);
      assert.equal(elsewhere.connections, 0);
    } finally {
      relay.http.dispose();
      await Promise.all([server.stop(), elsewhere.stop()]);
    }
  });

  it('takes windows and limits from lists that have them, and leaves them open otherwise', async () => {
    const echo = (models: Model[]) => models.find(({ id }) => id.endsWith('scripted-echo'));
    const rich = echo(await withRelay({ dialect: 'openrouter', list: 'good' }, (_, relay) => relay.list()));
    assert.equal(rich?.contextWindow, 128_000);
    assert.equal(rich?.maxTokens, 16_384);
    const poor = echo(await withRelay({ dialect: 'new-api', list: 'good' }, (_, relay) => relay.list()));
    assert.equal(poor?.contextWindow, undefined);
  });

  it('takes an empty list as an answer and a refusal inside a 200 as a failure', async () => {
    assert.deepEqual(await withRelay({ list: 'empty' }, (_, relay) => relay.list()), []);
    await withRelay({ list: 'refused' }, async (_, relay) => {
      await assert.rejects(
        relay.list(),
        (error) => error instanceof SwitchboardError && /group/.test(error.why ?? ''),
      );
    });
  });

  const byKey: [key: string, code: ErrorCode][] = [
    ['sk-sandboxdisabled', 'key'],
    ['sk-sandboxexpired', 'key'],
    ['sk-sandboxexhausted', 'balance'],
    ['sk-sandboxbanned', 'not-permitted'],
    ['sk-sandboxwronggroup', 'not-permitted'],
    ['sk-sandboxipnotallowed', 'network-not-allowed'],
    ['sk-sandboxnomodels', 'not-permitted'],
    ['sk-sandboxnobalance', 'balance'],
    ['sk-sandboxnochannel', 'model'],
  ];
  for (const language of ['en', 'zh'] as const) {
    it(`tells what is wrong with a key, in ${language}`, async () => {
      for (const [key, code] of byKey) {
        await withRelay(
          { language },
          async (_, relay) => assert.equal((await relay.ask({})).failure?.code, code, key),
          { key },
        );
      }
    });
  }

  it('finds a wrong address by the page or the redirect that answers', async () => {
    for (const options of [{ console: 'page' }, { console: 'redirect' }] as const) {
      await withRelay(
        options,
        async (_, relay) => {
          assert.equal(await codeOf(relay.list()), 'wrong-address');
          const { failure } = await relay.ask({});
          assert.equal(failure?.code, 'wrong-address');
          assert.match(failure.message, /http:\/\/127\.0\.0\.1/);
        },
        { path: '/console' },
      );
    }
    await withRelay(
      {},
      async (_, relay) => assert.equal((await relay.ask({})).failure?.code, 'wrong-address'),
      {
        path: '/v1',
      },
    );
  });

  it('sends the key and the headers of settings, exactly', async () => {
    await withRelay(
      {},
      async (server, relay) => {
        await relay.ask({});
        const [request] = server.requests;
        assert.equal(request?.headers.authorization, `Bearer ${server.key}`);
        assert.equal(request?.headers['content-type'], 'application/json');
        assert.equal(request?.headers.accept, 'text/event-stream');
        assert.equal(request?.headers['x-team'], 'blue');
        assert.deepEqual(request?.json, {
          model: 'scripted-echo',
          messages: [{ role: 'user', content: 'Hello, 世界' }],
          stream: true,
          stream_options: { include_usage: true },
        });
        await relay.list();
        const list = server.requests.at(-1);
        assert.equal(list?.headers['content-type'], undefined);
        assert.equal(list?.headers.accept, 'application/json');
      },
      { headers: { 'X-Team': 'blue', Authorization: 'Bearer stolen' } },
    );
  });

  it('shows neither the key nor a secret header that a server repeats, wherever it does', async () => {
    const key = 'sk-q7Wm2Rt9Xb4Lp8Zk3Vn6Hc1Yd5Gf0Js';
    const secret = 'Team-9Zx8Cv7Bn6Mq5Wr4';
    for (const echo of [
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => Buffer.from(text).toString('base64'),
      (text: string) => text.split('').join('\u200b'),
    ]) {
      const told = `${echo(key)} ${echo(secret)}`;
      const server = await startHttp((_, response) => {
        response.writeHead(401, {
          'content-type': 'application/json',
          'x-request-id': encodeURIComponent(told),
        });
        const message = `Invalid token ${told} (request id: ${told})`;
        response.end(JSON.stringify({ error: { message, type: told, code: told, param: told } }));
      });
      const relay = relayUnderTest({
        baseUrl: `http://127.0.0.1:${server.port}`,
        key,
        headerSecrets: [secret],
      });
      try {
        const failure = await relay.list().catch((error: unknown) => error);
        assert.ok(failure instanceof SwitchboardError);
        const { cause: _, ...details } = failure;
        const shown = JSON.stringify({ ...details, message: failure.message });
        for (const each of [key, secret]) {
          assert.ok(!shown.includes(echo(each).slice(0, 10)), shown);
          assert.ok(!shown.includes(encodeURIComponent(echo(each)).slice(0, 12)), shown);
        }
      } finally {
        relay.http.dispose();
        await server.stop();
      }
    }
  });
});
