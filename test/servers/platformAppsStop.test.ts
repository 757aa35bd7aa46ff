import assert from 'node:assert/strict';
import type { AppName } from './platform/apps/sandboxApps.ts';
import { AppCalls, outline, readStream } from './platform/apps/appCalls.ts';
import { type PlatformServer, type Sandbox, startSandbox } from './sandbox.ts';
import { readJson } from './testClient.ts';

const long = { inputs: { text: 'Write 300 lines', query: 'Write 300 lines' } };

describe('sandbox apps: stopping', () => {
  let sandbox: Sandbox;
  let platform: PlatformServer;
  beforeEach(async () => {
    sandbox = await startSandbox();
    platform = sandbox.platform;
  });
  afterEach(() => sandbox.stop());

  const kinds: readonly [AppName, string, string[]][] = [
    ['chat', '/chat-messages/:task/stop', ['message_end']],
    ['agent', '/chat-messages/:task/stop', ['message_end']],
    ['chatflow', '/chat-messages/:task/stop', ['message_end', 'workflow_finished']],
    ['completion', '/completion-messages/:task/stop', ['message_end']],
    ['workflow', '/workflows/tasks/:task/stop', ['workflow_finished']],
  ];
  for (const [name, path, ends] of kinds) {
    it(`ends the stream of ${name} properly`, async () => {
      const app = platform.apps[name];
      const calls = new AppCalls(platform, app);
      const hold = platform.apps.hold(name, 4);
      const response = await calls.start('Write 300 lines', long);
      const taskId = await hold.reached;
      assert.equal(platform.apps.running, 1);
      const stopped = await calls.post(path.replace(':task', taskId));
      assert.deepEqual(await readJson(stopped), { result: 'success' });
      const { events } = readStream(await response.text());
      assert.deepEqual(outline(events.slice(4)), ends);
      assert.ok(events.every(({ task_id }) => task_id === taskId));
      const finished = events.find(({ event }) => event === 'workflow_finished');
      if (finished) assert.equal(finished.data!.status, 'stopped');
      assert.deepEqual(platform.apps.stops, [{ app: app.key, taskId, user: 'ann', hit: true }]);
      assert.equal(platform.apps.running, 0);
    });
  }

  it('says yes to everything, but stops only what is the caller’s', async () => {
    const hold = platform.apps.hold('chat', 2);
    const response = await new AppCalls(platform, platform.apps.chat).start('Hello there');
    const taskId = await hold.reached;
    const bob = new AppCalls(platform, platform.apps.chat, 'bob');
    for (const id of [taskId, 'no-such-task']) {
      assert.deepEqual(await readJson(await bob.post(`/chat-messages/${id}/stop`)), { result: 'success' });
    }
    assert.deepEqual(
      platform.apps.stops.map(({ hit }) => hit),
      [false, false],
    );
    hold.release();
    assert.match(readStream(await response.text()).text, /> Hello there/);
  });

  it('needs a user and the right kind of app', async () => {
    const calls = new AppCalls(platform, platform.apps.chat);
    assert.equal((await calls.post('/chat-messages/x/stop', { user: undefined })).status, 400);
    assert.equal((await calls.post('/workflows/tasks/x/stop')).status, 400);
  });

  it('goes on when the client only leaves', async () => {
    const hold = platform.apps.hold('chat', 2);
    const abort = new AbortController();
    const calls = new AppCalls(platform, platform.apps.chat);
    const asked = platform.waitForRequest();
    await calls.start('Hello there', {}, { signal: abort.signal });
    await hold.reached;
    abort.abort();
    await (
      await asked
    ).ended;
    assert.equal((await asked).closedEarly, true);
    assert.equal(platform.apps.running, 1);
    hold.release();
    const { data } = await readJson<{ data: { id: string }[] }>(await calls.get('/conversations'));
    const messages = async () =>
      readJson<{ data: { answer: string }[] }>(await calls.get(`/messages?conversation_id=${data[0]!.id}`));
    while (platform.apps.running > 0) await messages();
    assert.match((await messages()).data[0]!.answer, /> Hello there/);
  });

  it('leaves what was said until then in the conversation', async () => {
    const hold = platform.apps.hold('chat', 3);
    const calls = new AppCalls(platform, platform.apps.chat);
    const response = await calls.start('Hello there');
    await calls.post(`/chat-messages/${await hold.reached}/stop`);
    const { events, text } = readStream(await response.text());
    const { data } = await readJson<{ data: { answer: string }[] }>(
      await calls.get(`/messages?conversation_id=${events[0]!.conversation_id}`),
    );
    assert.equal(data[0]!.answer, text);
  });

  it('forgets stops when asked to', async () => {
    await new AppCalls(platform, platform.apps.chat).post('/chat-messages/x/stop');
    platform.clearRequests();
    assert.equal(platform.apps.stops.length, 0);
  });
});
