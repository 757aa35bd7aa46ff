import assert from 'node:assert/strict';
import { piece, type ScriptedModel, stall } from './script/script.ts';
import { startSandbox } from './sandbox.ts';
import { post, withSandbox } from './testClient.ts';

describe('sandbox: recording and stopping', () => {
  it('records requests as received', () =>
    withSandbox(async ({ relay }) => {
      const before = Date.now();
      await post(relay, 'scripted-echo', { temperature: 0.5, messages: [{ role: 'user', content: '你好' }] });
      const [request] = relay.requests;
      assert.equal(request?.method, 'POST');
      assert.equal(request.path, '/v1/chat/completions');
      assert.equal(request.headers.authorization, `Bearer ${relay.key}`);
      assert.ok(request.rawHeaders.includes('Content-Type'));
      assert.deepEqual(request.json, JSON.parse(request.body));
      assert.match(request.body, /你好/);
      assert.ok(before <= request.time && request.time <= Date.now());
      relay.clearRequests();
      assert.equal(relay.requests.length, 0);
    }));

  it('tells when a client left early, and when it stayed', () =>
    withSandbox(async ({ relay }) => {
      const leaving = new AbortController();
      const response = await post(
        relay,
        'fault/stall-mid-answer',
        { stream: true },
        { signal: leaving.signal },
      );
      await response.body!.getReader().read();
      leaving.abort();
      await relay.requests[0]!.ended;
      assert.equal(relay.requests[0]!.closedEarly, true);

      await (await post(relay, 'scripted-echo')).text();
      await relay.requests[1]!.ended;
      assert.equal(relay.requests[1]!.closedEarly, false);
    }));

  it('hands over the next request that matches', () =>
    withSandbox(async ({ relay }) => {
      const waiting = relay.waitForRequest(({ path }) => path.endsWith('/completions'));
      await fetch(`${relay.url}/v1/models`);
      await post(relay, 'scripted-echo');
      assert.equal((await waiting).path, '/v1/chat/completions');
    }));

  for (const model of ['fault/stall-before-first-token', 'fault/stall-mid-answer', 'fault/pings-forever']) {
    it(`stops at once while ${model} is open`, async () => {
      const sandbox = await startSandbox();
      const arrived = sandbox.relay.waitForRequest();
      const answer = post(sandbox.relay, model, { stream: true }).then((response) => response.text());
      const failed = assert.rejects(answer);
      await arrived;
      await sandbox.stop();
      await failed;
      await sandbox.stop();
      await assert.rejects(fetch(sandbox.relay.url));
    });
  }

  it('stops while an answer waits for a client that does not read', async () => {
    const flood: ScriptedModel = {
      id: 'flood',
      ownedBy: 'test',
      describe: 'More than any buffer holds.',
      *answer() {
        for (;;) yield piece('x'.repeat(100_000));
      },
    };
    const sandbox = await startSandbox({ models: [flood] });
    const response = await post(sandbox.relay, 'flood', { stream: true });
    await sandbox.stop();
    await assert.rejects(response.text());
  });

  it('takes scripts of a test', () =>
    withSandbox(
      async ({ relay }) => {
        const response = await post(relay, 'mine', { stream: true });
        const { value } = await response.body!.getReader().read();
        assert.match(Buffer.from(value!).toString(), /"role":"assistant"/);
      },
      {
        models: [
          { id: 'mine', ownedBy: 'test', describe: '', answer: () => [piece('One.'), piece('Two.'), stall] },
        ],
      },
    ));

  it('says so when a script itself fails, instead of leaving the client to wait', () =>
    withSandbox(
      async ({ relay }) => {
        const response = await post(relay, 'buggy');
        assert.equal(response.status, 500);
        assert.match(await response.text(), /The sandbox itself failed: Error: a bug/);
      },
      {
        models: [
          {
            id: 'buggy',
            ownedBy: 'test',
            describe: '',
            answer() {
              throw new Error('a bug');
            },
          },
        ],
      },
    ));

  it('paces an answer when asked to', () =>
    withSandbox(
      async ({ relay }) => {
        const started = performance.now();
        const stream = await (await post(relay, 'scripted-echo', { stream: true, max_tokens: 10 })).text();
        assert.ok(performance.now() - started >= 10 * 4);
        assert.match(stream, /DONE/);
      },
      { chunkDelayMs: 5 },
    ));
});
