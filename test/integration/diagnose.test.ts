import assert from 'node:assert/strict';
import { type PlatformServer, type RelayServer, startPlatform, startRelay } from '../servers/sandbox.ts';
import { estimateTokens } from '../../src/chat/context/tokenEstimate.ts';
import { mostTokensAsked } from '../../src/diagnose/relaySteps.ts';
import { createNodeTransport } from '../../src/net/nodeTransport.ts';
import type { Transport } from '../../src/net/transport.ts';
import { diagnosed } from '../support/diagnosed.ts';
import {
  certificateFile,
  startHttp,
  startHttps,
  startMute,
  startProxy,
  type TinyServer,
} from '../support/tinyServers.ts';
import { stopsOfTest } from '../support/stopsOfTest.ts';

describe('a diagnosis', () => {
  const { started } = stopsOfTest();
  const portOf = (url: string) => Number(new URL(url).port);
  const skipped = (reason: string, ...names: string[]) => names.map((name) => `[Skipped] ${name}: ${reason}`);
  const relayNames = ['Key', 'Models', 'First token', 'Tool call'];
  const plain = '[Skipped] TLS: The address starts with http://.';
  const loopback = '[OK] Proxy: Not used for this computer.';
  const number = '[Skipped] DNS: 127.0.0.1 is an IP address.';

  describe('of a relay', () => {
    let relay: RelayServer;
    beforeEach(async () => {
      relay = await started(startRelay({ list: 'good' }));
    });

    it('finds nothing wrong with one that is well, and asks its model twice', async () => {
      const lines = await diagnosed({ baseUrl: relay.url, key: relay.key });
      assert.deepEqual(lines, [
        `Relay ${relay.url}`,
        `[OK] Address: ${relay.url}`,
        number,
        `[OK] TCP: Connected to 127.0.0.1:${portOf(relay.url)}.`,
        loopback,
        plain,
        '[OK] Key: The relay accepts the key.',
        '[OK] Models: 14 models for this key.',
        '[OK] First token: scripted-tools answers.',
        '[OK] Tool call: Tool calls work with scripted-tools.',
      ]);
      const bodies = relay.requests.filter(({ path }) => path === '/v1/chat/completions');
      assert.equal(bodies.length, 2);
      for (const { json } of bodies) {
        const { max_tokens: answer, ...prompt } = json as { max_tokens: number };
        // The estimate shown before the check holds.
        assert.ok(answer + estimateTokens(JSON.stringify(prompt)) <= mostTokensAsked, JSON.stringify(json));
      }
    });

    it('asks no model when none was selected, and nothing at all without a key', async () => {
      const model = { notAsked: 'No model was selected.' };
      const lines = await diagnosed({ baseUrl: relay.url, key: relay.key, model });
      assert.deepEqual(lines.slice(-2), skipped('No model was selected.', 'First token', 'Tool call'));
      relay.clearRequests();
      const without = await diagnosed({ baseUrl: relay.url });
      assert.deepEqual(without.slice(-4), skipped('No key is saved for this address.', ...relayNames));
      assert.deepEqual(relay.requests, []);
    });

    it('says what is wrong with a model, and tells its failure instead of asking again', async () => {
      const silent = await diagnosed({ baseUrl: relay.url, key: relay.key, model: { id: 'scripted-echo' } });
      assert.deepEqual(silent.slice(-2), [
        "[Warning] Tool call: scripted-echo didn't call the tool.",
        '    To do: To work with files, choose a model that supports tools.',
      ]);
      const diagnosedModel = (id: string) => diagnosed({ baseUrl: relay.url, key: relay.key, model: { id } });
      const thinking = await diagnosedModel('fault/only-reasoning');
      assert.ok(thinking.includes('[OK] First token: fault/only-reasoning answers.'), thinking.join());
      const other = await diagnosedModel('fault/unknown-tool');
      assert.ok(
        other.includes("[Warning] Tool call: fault/unknown-tool didn't call the tool."),
        other.join(),
      );
      relay.clearRequests();
      const model = { id: 'fault/cut-before-answer' };
      const broken = await diagnosed({ baseUrl: relay.url, key: relay.key, model });
      assert.ok(
        broken.some((line) => line.startsWith('[Failed] First token: The connection to ')),
        broken.join(),
      );
      assert.equal(relay.requests.filter(({ path }) => path === '/v1/chat/completions').length, 2);
    });

    it('of a wrong key names the key', async () => {
      const lines = await diagnosed({ baseUrl: relay.url, key: relay.keys.unknown });
      assert.deepEqual(lines.slice(5), [
        plain,
        "[Failed] Key: The relay doesn't know this key.",
        '    Server response: Invalid token',
        "    To do: It may be mistyped or deleted. Copy it again from the relay's site.",
        ...skipped('"Key" failed.', 'Models', 'First token', 'Tool call'),
      ]);
    });

    it('of a wrong address names what is wrong with it', async () => {
      const afterwards = (failed: string, ...names: string[]) =>
        skipped(`"${failed}" failed.`, ...names, ...relayNames);
      const unencrypted = [
        "[Warning] Address: http://relay.invalid isn't encrypted, so others on the network can read the key.",
        '    To do: Use https:// if the server supports it.',
      ];
      assert.deepEqual(await diagnosed({ baseUrl: 'http://relay.invalid', key: relay.key }), [
        'Relay http://relay.invalid',
        ...unencrypted,
        '[Failed] DNS: Host relay.invalid not found.',
        '    System error: getaddrinfo ENOTFOUND relay.invalid',
        '    To do: Check the address for a typo, and the network connection.',
        ...afterwards('DNS', 'TCP', 'Proxy', 'TLS'),
      ]);

      const gone = await startMute();
      await gone.stop();
      const place = `127.0.0.1:${gone.port}`;
      assert.deepEqual((await diagnosed({ baseUrl: `http://${place}`, key: relay.key })).slice(2), [
        number,
        `[Failed] TCP: Connection refused by ${place}.`,
        `    System error: connect ECONNREFUSED ${place}`,
        '    To do: Check the address and the port, and that the server is running.',
        ...afterwards('TCP', 'Proxy', 'TLS'),
      ]);

      const page = await started(
        startHttp(
          (_, response) =>
            void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Console</title>'),
        ),
      );
      const baseUrl = `http://127.0.0.1:${page.port}`;
      assert.deepEqual((await diagnosed({ baseUrl, key: relay.key })).slice(6), [
        `[Failed] Key: No model service answers at ${baseUrl}/v1/models.`,
        '    Server response: Console',
        "    To do: Check the relay's base address.",
        ...skipped('"Key" failed.', 'Models', 'First token', 'Tool call'),
      ]);
    });

    it('that only the editor reaches goes on by its way', async () => {
      const editors = createNodeTransport(true);
      const fallback: Transport = (request) =>
        editors({ ...request, url: new URL(request.url.pathname, relay.url) });
      const lines = await diagnosed({ baseUrl: 'http://relay.invalid', key: relay.key, fallback });
      const only = "relay.invalid is reached only through the editor's own proxy (PAC or system).";
      assert.deepEqual(lines.slice(3), [
        `[Warning] DNS: ${only}`,
        `[Skipped] TCP: ${only}`,
        `[OK] Proxy: ${only}`,
        plain,
        '[OK] Key: The relay accepts the key.',
        '[OK] Models: 14 models for this key.',
        '[OK] First token: scripted-tools answers.',
        '[OK] Tool call: Tool calls work with scripted-tools.',
      ]);
    });

    describe('behind a proxy', () => {
      const lines = async (proxy: TinyServer, user = '') =>
        (
          await diagnosed({
            baseUrl: 'http://relay.test',
            key: relay.key,
            network: { proxyUrl: `http://${user}127.0.0.1:${proxy.port}` },
          })
        ).slice(3);

      it('goes through it to the end', async () => {
        const proxy = await started(startProxy(portOf(relay.url)));
        assert.deepEqual(await lines(proxy), [
          number,
          `[OK] TCP: Connected to 127.0.0.1:${proxy.port}.`,
          `[OK] Proxy: http://127.0.0.1:${proxy.port} (from http.proxy) connects to the server.`,
          plain,
          '[OK] Key: The relay accepts the key.',
          '[OK] Models: 14 models for this key.',
          '[OK] First token: scripted-tools answers.',
          '[OK] Tool call: Tool calls work with scripted-tools.',
        ]);
      });

      it('that is wrong names the proxy', async () => {
        const asking = await started(startProxy(portOf(relay.url), { status: 407 }));
        assert.deepEqual((await lines(asking, 'me:wrong@')).slice(2), [
          `[Failed] Proxy: The proxy http://127.0.0.1:${asking.port} rejected the user name or the password.`,
          '    System error: Proxy response (407)',
          '    To do: Enter them again when asked, or set "http.proxyAuthorization".',
          ...skipped('"Proxy" failed.', 'TLS', ...relayNames),
        ]);
        const blocking = await started(startProxy(portOf(relay.url), { status: 403 }));
        assert.equal(
          (await lines(blocking))[2],
          `[Failed] Proxy: The proxy http://127.0.0.1:${blocking.port} blocked the request to relay.test (status 403).`,
        );
        const gone = await startMute();
        await gone.stop();
        assert.deepEqual((await lines(gone)).slice(1), [
          `[Failed] TCP: Couldn't connect to the proxy http://127.0.0.1:${gone.port}.`,
          `    System error: connect ECONNREFUSED 127.0.0.1:${gone.port}`,
          '    To do: Check the setting "http.proxy".',
          ...skipped('"TCP" failed.', 'Proxy', 'TLS', ...relayNames),
        ]);
      });
    });

    it('of a certificate nobody knows names the certificate, and is content with its file', async () => {
      const server = await started(
        startHttps(
          (_, response) =>
            void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}'),
        ),
      );
      const place = `localhost:${server.port}`;
      const lines = await diagnosed({ baseUrl: `https://${place}`, key: relay.key });
      assert.deepEqual(lines.slice(5), [
        `[Failed] TLS: The certificate of ${place} isn't trusted.`,
        '    System error: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
        '    To do: If your organization issues its own certificates, set the issuer\'s file in the setting "switchboard.network.caFile".',
        ...skipped('"TLS" failed.', ...relayNames),
      ]);
      const network = { caFile: certificateFile };
      const trusted = await diagnosed({ baseUrl: `https://${place}`, key: relay.key, network });
      assert.match(
        trusted[5] ?? '',
        /^\[OK\] TLS: TLSv1\.3; certificate issued by Switchboard test server, valid until 2\d{3}-\d\d-\d\d\.$/,
      );
      const unchecked = { strictTls: false };
      assert.deepEqual(
        (await diagnosed({ baseUrl: `https://${place}`, key: relay.key, network: unchecked })).slice(5, 7),
        [
          '[Warning] TLS: TLSv1.3; certificates are not checked.',
          '    To do: Turn on the setting "http.proxyStrictSSL".',
        ],
      );
    });

    it('ends at once when it is cancelled', async () => {
      const mute = await started(startMute());
      const stop = new AbortController();
      const running = diagnosed({
        baseUrl: `https://127.0.0.1:${mute.port}`,
        key: 'sk-a',
        signal: stop.signal,
      });
      setImmediate(() => stop.abort());
      await assert.rejects(running, { code: 'cancelled' });
    });
  });

  describe('of a platform', () => {
    const seed = [{ dataset: 'Harbour', documents: [{ name: 'rules.md', text: 'No fires.' }] }];
    const last = async (platform: PlatformServer, key = platform.datasetKey) =>
      (await diagnosed({ kind: 'platform', baseUrl: platform.url, key })).slice(6);

    it('names the version, and asks the embedding model by a search instead of trusting the list', async () => {
      const seeded = { ...seed[0]!, technique: 'high_quality' as const };
      const platform = await started(startPlatform({ seed: [seeded], version: '1.16.1' }));
      assert.deepEqual((await last(platform)).slice(0, 2), [
        '[OK] Key: The platform (version 1.16.1) accepts the knowledge base key.',
        '[OK] Embeddings: A search in "Harbour" worked, with scripted-embedding.',
      ]);
      assert.equal(platform.count('retrieve'), 1);
      platform.misbehave({ does: 'no-plugin-daemon' });
      assert.deepEqual((await last(platform)).slice(1, 4), [
        '[Failed] Embeddings: The embedding model "scripted-embedding" of the knowledge base "Harbour" failed.',
        '    Server response: [Stub AI] Error:',
        "    To do: The platform's plugin service may be down; contact the platform's administrator.",
      ]);
    });

    it('names the embedding models and the queue', async () => {
      const platform = await started(startPlatform({ seed }));
      assert.deepEqual(await last(platform), [
        '[OK] Key: The platform accepts the knowledge base key.',
        '[Skipped] Embeddings: No high-quality knowledge base to search. Listed models: scripted-embedding',
        '[OK] Indexing queue: No document is waiting to be indexed.',
      ]);
      const bare = await started(startPlatform({ embeddingModels: [] }));
      assert.deepEqual(await last(bare), [
        '[OK] Key: The platform accepts the knowledge base key.',
        '[Warning] Embeddings: The platform lists no embedding model.',
        '    To do: Use keyword search (economical), or set up an embedding model on the platform.',
        '[Skipped] Indexing queue: No knowledge base has documents.',
      ]);
    });

    it('of a wrong key names the key', async () => {
      const platform = await started(startPlatform({ seed }));
      const lines = await last(platform, platform.keys.app);
      assert.match(lines[0] ?? '', /^\[Failed\] Key: This is the key of the app /);
      assert.deepEqual(lines.slice(-2), skipped('"Key" failed.', 'Embeddings', 'Indexing queue'));
    });
  });
});
