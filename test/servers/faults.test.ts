import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { faultModels } from './faults/faultModels.ts';
import type { RelayServer } from './relay/relayServer.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { chunksOf, post, readJson, textOfStream, tools } from './testClient.ts';

/** The body in pieces, and whether it ended properly. */
async function readParts(response: Response): Promise<{ parts: Buffer[]; broken: boolean }> {
  const parts: Buffer[] = [];
  try {
    for await (const part of response.body!) parts.push(Buffer.from(part));
    return { parts, broken: false };
  } catch {
    return { parts, broken: true };
  }
}

describe('sandbox relay: faults', () => {
  let sandbox: Sandbox;
  let relay: RelayServer;
  before(async () => {
    sandbox = await startSandbox({ pauseMs: 1 });
    relay = sandbox.relay;
  });
  after(() => sandbox.stop());
  beforeEach(() => relay.clearRequests());

  const ask = (name: string, body: object = {}) => post(relay, `fault/${name}`, { stream: true, ...body });
  const streamOf = async (name: string, body?: object) => (await ask(name, body)).text();

  it('ends every answer, streamed or not, unless it stalls', async () => {
    for (const { id } of faultModels) {
      if (/stall|forever/.test(id)) continue;
      for (const stream of [true, false]) {
        const init = { redirect: 'manual' } as const;
        await post(relay, id, { stream, tools }, init)
          .then((response) => response.arrayBuffer())
          .catch(() => undefined);
      }
    }
    await Promise.all(relay.requests.map(({ ended }) => ended));
    assert.ok(relay.requests.every(({ closedEarly }) => !closedEarly));
  });

  it('splits characters between the parts a client reads', async () => {
    const { parts } = await readParts(await ask('split-utf8'));
    assert.ok(parts.some((part) => part.toString().endsWith('\uFFFD')));
    assert.match(textOfStream(Buffer.concat(parts).toString()), /你好.*👩‍💻/);
  });

  it('ends lines in CR LF', async () => {
    const stream = await streamOf('crlf');
    assert.doesNotMatch(stream, /[^\r]\n/);
  });

  it('spreads an event over several data lines', async () => {
    const events = (await streamOf('multi-data-lines')).split('\n\n').slice(0, -2);
    for (const lines of events.map((event) => event.split('\n'))) {
      assert.ok(lines.length > 1);
      assert.doesNotThrow(() => JSON.parse(lines.map((line) => line.slice('data: '.length)).join('\n')));
    }
  });

  it('leaves out the final blank line, and [DONE]', async () => {
    assert.match(await streamOf('no-final-blank-line'), /[^\n]\n$/);
    assert.doesNotMatch(await streamOf('no-done'), /data: \[DONE/);
  });

  it('cuts an answer', async () => {
    const { parts, broken } = await readParts(await ask('cut-mid-answer'));
    assert.equal(broken, true);
    assert.match(textOfStream(Buffer.concat(parts).toString()), /^I am `fault\/cut-mid-answer`/);
    await assert.rejects(ask('cut-before-answer'));
  });

  it('adds [DONE] to a truncated answer', async () => {
    const stream = await streamOf('done-without-finish');
    assert.ok(chunksOf(stream).every(({ choices }) => !choices[0]?.finish_reason));
    assert.match(stream, /\[DONE\]\n\n$/);
  });

  it('puts errors into the stream', async () => {
    assert.match(await streamOf('error-inside-200'), /\n\ndata: \{"error":\{.*\n\ndata: \[DONE\]\n\n$/);
    assert.match(await streamOf('bare-json-error'), /\n\n\{"error":\{[^\n]*\}$/);
    assert.match(await streamOf('anthropic-bare-error'), /\n\n\{"type":"error"/);
    assert.match(await streamOf('event-error'), /\n\nevent: error\ndata: \{"error"/);
    assert.match(
      await streamOf('openrouter-midstream-error'),
      /"error":\{"code":"server_error".*"finish_reason":"error"/,
    );
    assert.match(await streamOf('bare-json-error-after-ping'), /^: PING\n\n\{"error"/);
  });

  it('answers a stream request with JSON, and a plain one with a stream', async () => {
    assert.match((await ask('ignores-stream')).headers.get('Content-Type')!, /json/);
    const response = await ask('streams-when-not-asked', { stream: false });
    assert.equal(response.headers.get('Content-Type'), 'text/event-stream');
    await response.text();
  });

  it('refuses once, then answers', async () => {
    const first = await ask('429-retry-after-then-ok');
    assert.deepEqual([first.status, first.headers.get('Retry-After')], [429, '1']);
    assert.equal((await ask('429-retry-after-then-ok')).status, 200);
    relay.clearRequests();
    assert.equal((await ask('500-then-ok')).status, 500);
    assert.equal((await ask('500-then-ok')).status, 200);
  });

  const statuses: readonly [string, number, boolean][] = [
    ['vendor-401', 401, true],
    ['503-no-channel', 503, true],
    ['429-empty-body', 429, true],
    ['balance-403', 403, true],
    ['pre-consume-403', 403, true],
    ['sensitive-words', 500, true],
    ['context-too-long', 400, true],
    ['openai-quota-429', 429, false],
    ['openrouter-402', 402, false],
    ['litellm-budget-400', 400, false],
    ['413-html', 413, false],
  ];
  for (const [name, status, isRelay] of statuses) {
    it(`answers ${name} with ${status}, ${isRelay ? 'with' : 'without'} the relay's headers`, async () => {
      const response = await ask(name);
      assert.equal(response.status, status);
      assert.equal(response.headers.has('X-Oneapi-Request-Id'), isRelay);
      await response.text();
    });
  }

  it('sends an error status of the type of a stream', async () => {
    const response = await ask('status-error-with-event-stream-type');
    assert.deepEqual([response.status, response.headers.get('Content-Type')], [502, 'text/event-stream']);
    assert.ok((await readJson<{ error?: object }>(response)).error);
  });

  it('refuses a field, and answers without it', async () => {
    assert.equal((await ask('refuses-temperature', { temperature: 0.2 })).status, 400);
    assert.equal((await ask('refuses-temperature')).status, 200);
    assert.equal((await ask('refuses-tools', { tools })).status, 400);
    assert.equal((await ask('refuses-tools')).status, 200);
  });

  it('makes odd calls', async () => {
    const fragmentsOf = async (name: string) =>
      chunksOf(await streamOf(name, { tools })).flatMap(({ choices }) =>
        choices.flatMap(({ delta }) => delta.tool_calls ?? []),
      );
    const sparse = await fragmentsOf('sparse-tool-index');
    assert.deepEqual([...new Set(sparse.map(({ index }) => index))], [2, 5]);
    const same = await fragmentsOf('same-index-tool-calls');
    assert.deepEqual([...new Set(same.map(({ index }) => index))], [0]);
    assert.equal(same.filter(({ id }) => id).length, 2);
    assert.ok((await fragmentsOf('tool-calls-without-id')).every(({ id }) => id === undefined));
    assert.match(await streamOf('stop-with-tool-calls', { tools }), /"finish_reason":"stop"/);
    const interleaved = await fragmentsOf('interleaved-tool-calls');
    assert.deepEqual(
      interleaved.slice(0, 4).map(({ index }) => index),
      [0, 1, 0, 1],
    );
  });

  it('has every model in its README', async () => {
    const readme = await readFile('test/servers/README.md', 'utf8');
    // Recorded models are named in their files.
    const described = relay.models.filter(({ ownedBy }) => ownedBy !== 'recorded');
    for (const { id } of described) assert.ok(readme.includes(`\`${id}\``), id);
  });
});
