import assert from 'node:assert/strict';
import { AppCalls, outline } from './platform/apps/appCalls.ts';
import type { AppName } from './platform/apps/sandboxApps.ts';
import { type PlatformServer, type Sandbox, startSandbox } from './sandbox.ts';
import { readJson } from './testClient.ts';

const blocking = { response_mode: 'blocking' };

describe('sandbox apps: what goes wrong', () => {
  let sandbox: Sandbox;
  let platform: PlatformServer;
  beforeEach(async () => {
    sandbox = await startSandbox();
    platform = sandbox.platform;
  });
  afterEach(() => sandbox.stop());
  const callsOf = (name: AppName) => new AppCalls(platform, platform.apps[name]);

  const refusals: readonly [AppName, number, string][] = [
    ['unavailable', 400, 'app_unavailable'],
    ['noProvider', 400, 'invalid_param'],
    ['noQuota', 400, 'provider_quota_exceeded'],
    ['noModel', 400, 'model_currently_not_support'],
    ['ended', 400, 'conversation_completed'],
    ['rateLimited', 429, 'rate_limit_error'],
  ];
  for (const [name, status, code] of refusals) {
    it(`${name} refuses with ${status} ${code}, every time`, async () => {
      for (const more of [{}, blocking, {}]) {
        const response = await callsOf(name).start('Hello', more);
        assert.equal(response.status, status);
        assert.equal((await readJson<{ code: string }>(response)).code, code);
      }
    });
  }

  for (const [name, status] of [
    ['busy', 400],
    ['tooMany', 429],
  ] as const) {
    it(`${name} refuses the first call of two`, async () => {
      const refused = await callsOf(name).start('Hello');
      assert.equal(refused.status, status);
      assert.match((await readJson<{ message: string }>(refused)).message, /^Too many requests/);
      assert.match((await callsOf(name).ask('Hello')).text, /> Hello/);
      assert.equal((await callsOf(name).start('Hello')).status, status);
      platform.clearRequests();
      assert.equal((await callsOf(name).start('Hello')).status, status, 'counted again');
    });
  }

  it('modelError fails inside a 200', async () => {
    const { events } = await callsOf('modelError').ask('Hello');
    assert.deepEqual(outline(events), ['message', 'error']);
    const error = events.at(-1)!;
    assert.deepEqual([error.code, error.status], ['completion_request_error', 400]);
    assert.equal(error.task_id, undefined);
    const whole = await callsOf('modelError').start('Hello', blocking);
    assert.equal(whole.status, 400);
    const { data } = await readJson<{ data: { status: string; error: string }[] }>(
      await callsOf('modelError').get(`/messages?conversation_id=${error.conversation_id}`),
    );
    assert.equal(data[0]!.status, 'error');
  });

  for (const [name, beginning] of [
    ['silent', /^event: ping\n\n$/],
    ['silentAmid', /^data: [^]*beginning[^]*\n\n$/],
    ['silentFlow', /^event: ping\n\n[^]*node_finished[^]*node_started[^]*\n\n$/],
  ] as const) {
    it(`${name} says what it says and then nothing, until it is stopped`, async () => {
      const response = await callsOf(name).start('Hello');
      const reader = response.body!.getReader();
      let seen = '';
      while (!beginning.test(seen)) seen += Buffer.from((await reader.read()).value!).toString();
      assert.equal(platform.apps.running, 1);
      const taskId = /"task_id":"([^"]+)"/.exec(seen)?.[1];
      if (taskId === undefined) return;
      await callsOf(name).post(`/chat-messages/${taskId}/stop`);
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        rest += Buffer.from(value).toString();
      }
      assert.match(rest, /message_end/);
    });
  }

  it('cut breaks the connection', async () => {
    const response = await callsOf('cut').start('Hello');
    await assert.rejects(response.text());
    await assert.rejects(callsOf('cut').start('Hello', blocking));
  });

  it('noEnd ends without saying so', async () => {
    assert.deepEqual(outline((await callsOf('noEnd').ask('Hello')).events), ['message']);
    const { events } = await callsOf('noEndWorkflow').ask('');
    assert.equal(events.at(-1)!.event, 'node_finished');
  });
});
