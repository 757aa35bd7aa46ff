import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AppCalls, type AppEvent, type EventData, outline, readStream } from './platform/apps/appCalls.ts';
import { type PlatformServer, type Sandbox, startSandbox } from './sandbox.ts';
import { readJson, withSandbox } from './testClient.ts';

interface WholeRun {
  task_id: string;
  workflow_run_id: string;
  data: EventData & { workflow_id: string };
}

interface RunRecord {
  id: string;
  status: string;
  inputs: unknown;
  outputs: unknown;
  error: string | null;
  total_steps: number;
}

function last(events: readonly AppEvent[]): AppEvent {
  return events.at(-1)!;
}

describe('sandbox apps: chatflows and workflows', () => {
  let sandbox: Sandbox;
  let platform: PlatformServer;
  before(async () => {
    sandbox = await startSandbox();
    platform = sandbox.platform;
  });
  after(() => sandbox.stop());
  const inputs = { text: 'The water is high today.\nThe lock is open.' };

  describe('chatflows', () => {
    it('tell their nodes, rounds and sources', async () => {
      const response = await new AppCalls(platform, platform.apps.chatflow).start('When does the lock open?');
      const { events, pings } = readStream(await response.text());
      assert.equal(pings, 1);
      const told = new Set(events.map(({ event }) => event));
      for (const event of ['node_retry', 'iteration_started', 'iteration_next', 'iteration_completed']) {
        assert.ok(told.has(event), event);
      }
      for (const event of ['loop_started', 'loop_next', 'loop_completed']) assert.ok(told.has(event), event);
      const started = events.filter(({ event }) => event === 'node_started').map(({ data }) => data!);
      const finished = events.filter(({ event }) => event === 'node_finished').map(({ data }) => data!);
      assert.deepEqual(new Set(started.map(({ id }) => id)), new Set(finished.map(({ id }) => id)));
      assert.equal(new Set(started.map(({ id }) => id)).size, started.length);
      assert.deepEqual(
        started.map(({ index }) => index),
        started.map((_, index) => index + 1),
      );
      assert.ok(started.some(({ title }) => title === 'Search the Harbour handbook'));
      assert.ok(started.some(({ iteration_id }) => iteration_id === 'iteration'));
      assert.ok(started.some(({ loop_id }) => loop_id === 'loop'));
      const end = events.find(({ event }) => event === 'message_end')!;
      assert.equal(end.metadata!.retriever_resources[0]!.document_name, 'docs/harbour-rules.md');
    });

    it('think aloud inside the answer, in tags that are split', async () => {
      const { events, text } = await new AppCalls(platform, platform.apps.chatflow).ask('Hello');
      assert.match(text, /^<think>\n[^<]+\n<\/think>\n\n\*\*Guide\*\*/);
      assert.ok(events.every(({ answer }) => !answer?.includes('<think>')));
    });

    it('can take an answer back', async () => {
      const calls = new AppCalls(platform, platform.apps.chatflow);
      const { events } = await calls.ask('Please replace this');
      const { conversation_id, answer } = events.find(({ event }) => event === 'message_replace')!;
      const { data } = await readJson<{ data: { answer: string }[] }>(
        await calls.get(`/messages?conversation_id=${conversation_id}`),
      );
      assert.equal(data[0]!.answer, answer);
    });

    it('send text as a file event when the answer has files', async () => {
      const { events } = await new AppCalls(platform, platform.apps.chatflow).ask('A chart, please');
      const odd = events.find(({ event }) => event === 'message_file')!;
      assert.equal(typeof odd.answer, 'string');
      const { files } = events.find(({ event }) => event === 'message_end')!;
      assert.equal((await fetch(files![0]!.url)).status, 200);
    });

    it('answer whole, too', async () => {
      const calls = new AppCalls(platform, platform.apps.chatflow);
      const whole = await readJson<{ answer: string }>(
        await calls.start('Hello', { response_mode: 'blocking' }),
      );
      assert.match(whole.answer, /The handbook says/);
    });

    for (const [version, ends, pings] of [
      ['1.14.2', ['message_end', 'workflow_finished'], 1],
      ['1.13.1', ['message_end', 'workflow_finished'], 1],
      ['1.13.0', ['workflow_finished', 'message_end'], 1],
      ['1.10.1', ['workflow_finished', 'message_end'], 0],
    ] as const) {
      it(`end in the order of ${version}`, () =>
        withSandbox(
          async ({ platform: other }) => {
            const calls = new AppCalls(other, other.apps.chatflow);
            const stream = readStream(await (await calls.start('Hello')).text());
            assert.deepEqual(outline(stream.events).slice(-2), ends);
            assert.equal(stream.pings, pings);
          },
          { platform: { version } },
        ));
    }

    it('that fail say so twice before 1.13, and once from then on', async () => {
      const error = /cannot be reached/;
      const { events } = await new AppCalls(platform, platform.apps.chatflowFails).ask('Hello');
      assert.equal(last(events).event, 'workflow_finished');
      assert.equal(last(events).data!.status, 'failed');
      assert.match(last(events).data!.error!, error);
      const node = events.filter(({ event }) => event === 'node_finished').at(-1)!.data!;
      assert.deepEqual([node.status, node.title], ['failed', 'Search the Harbour handbook']);
      await withSandbox(
        async ({ platform: old }) => {
          const stream = await new AppCalls(old, old.apps.chatflowFails).ask('Hello');
          assert.deepEqual(outline(stream.events).slice(-2), ['workflow_finished', 'error']);
          assert.match(last(stream.events).message!, error);
        },
        { platform: { version: '1.12.0' } },
      );
    });

    it('fall silent from 1.13 on when what was sent is wrong, and refuse it before', async () => {
      const wrong = { conversation_id: randomUUID() };
      const abort = new AbortController();
      const calls = new AppCalls(platform, platform.apps.chatflow);
      const response = await calls.start('Hello', wrong, { signal: abort.signal });
      assert.equal(response.status, 200);
      const reader = response.body!.getReader();
      const first = await reader.read();
      assert.equal(Buffer.from(first.value!).toString(), 'event: ping\n\n');
      abort.abort();
      assert.equal((await calls.start('Hello', { ...wrong, response_mode: 'blocking' })).status, 404);
      await withSandbox(
        async ({ platform: old }) => {
          assert.equal((await new AppCalls(old, old.apps.chatflow).start('Hello', wrong)).status, 404);
        },
        { platform: { version: '1.12.0' } },
      );
    });
  });

  describe('workflows', () => {
    it('give text, JSON and files', async () => {
      const calls = new AppCalls(platform, platform.apps.workflow);
      const { events, text } = await calls.ask('', { inputs });
      assert.equal(events[0]!.event, 'workflow_started');
      assert.equal(last(events).event, 'workflow_finished');
      const { outputs, status, total_tokens, elapsed_time } = last(events).data!;
      assert.equal(status, 'succeeded');
      assert.equal(outputs!['text'], text);
      assert.match(text, /^# Summary\n\nA text of 9 words/);
      assert.deepEqual(outputs!['counts'], { words: 9, lines: 2, sources: 1 });
      assert.equal(total_tokens, 412);
      assert.ok(elapsed_time! > 0);
      const { url } = outputs!['file'] as { url: string };
      assert.ok(url.startsWith('/files/'), 'relative to the platform');
      assert.match(await (await fetch(platform.url + url)).text(), /^# Summary/);
      assert.ok(events.every((event) => !('message_id' in event) && !('conversation_id' in event)));
    });

    it('take a file as an input', async () => {
      const calls = new AppCalls(platform, platform.apps.workflow);
      const id = await calls.uploaded('more.md', 'one two three');
      const source = { type: 'document', transfer_method: 'local_file', upload_file_id: id };
      const whole = await readJson<WholeRun>(
        await calls.start('', { inputs: { ...inputs, source }, response_mode: 'blocking' }),
      );
      assert.equal((whole.data.outputs!['counts'] as { sources: number }).sources, 2);
    });

    it('are looked up afterwards, and listed', async () => {
      const calls = new AppCalls(platform, platform.apps.workflow, 'logs');
      const whole = await readJson<WholeRun>(await calls.start('', { inputs, response_mode: 'blocking' }));
      const run = await readJson<RunRecord>(await calls.get(`/workflows/run/${whole.workflow_run_id}`));
      assert.equal(run.status, 'succeeded');
      assert.deepEqual(JSON.parse(String(run.inputs)), { ...inputs, source: null });
      assert.deepEqual(run.outputs, whole.data.outputs);
      await calls.start('', { inputs: { text: 'pearl' }, response_mode: 'blocking' });
      const logs = async (query: string) =>
        readJson<{ data: { workflow_run: RunRecord }[]; total: number; has_more: boolean }>(
          await calls.get(`/workflows/logs?${query}`),
        );
      assert.equal((await logs('keyword=pearl')).total, 1);
      assert.equal((await logs('status=failed')).total, 0);
      const first = await logs('limit=1');
      assert.deepEqual([first.data.length, first.has_more], [1, true]);
      assert.match(String(first.data[0]!.workflow_run.inputs), /pearl/, 'newest first');
      assert.equal((await calls.get(`/workflows/run/${randomUUID()}`)).status, 404);
    });

    it('run in a version that is named', async () => {
      const calls = new AppCalls(platform, platform.apps.workflow);
      const whole = await readJson<WholeRun>(await calls.start('', { inputs, response_mode: 'blocking' }));
      const { workflow_id } = whole.data;
      const run = (id: string) => calls.post(`/workflows/${id}/run`, { inputs, response_mode: 'blocking' });
      assert.equal((await readJson<WholeRun>(await run(workflow_id))).data.status, 'succeeded');
      assert.equal((await run(randomUUID())).status, 404);
      assert.equal((await run('latest')).status, 400);
    });

    it('that fail are a 200 all the same', async () => {
      const calls = new AppCalls(platform, platform.apps.workflowFails);
      const response = await calls.start('', { inputs, response_mode: 'blocking' });
      assert.equal(response.status, 200);
      const { data } = await readJson<WholeRun>(response);
      assert.deepEqual([data.status, data.error], ['failed', "NameError: name 'tides' is not defined"]);
      const { events } = await calls.ask('', { inputs });
      const node = events.filter(({ event }) => event === 'node_finished').at(-1)!.data!;
      assert.deepEqual([node.title, node.status, node.error], ['Count the words', 'failed', data.error]);
      assert.equal(last(events).data!.status, 'failed');
    });

    it('can wait for a person', async () => {
      const calls = new AppCalls(platform, platform.apps.workflowPauses);
      const { events } = await calls.ask('', { inputs: { notice: 'The lock is shut' } });
      assert.deepEqual(outline(events).slice(-2), ['human_input_required', 'workflow_paused']);
      assert.equal(last(events).data!.reasons![0]!.node_title, 'Approval by the harbour master');
      const run = await readJson<RunRecord>(
        await calls.get(`/workflows/run/${last(events).workflow_run_id}`),
      );
      assert.equal(run.status, 'paused');
      const whole = await calls.start('', { inputs: { notice: 'Again' }, response_mode: 'blocking' });
      assert.equal((await readJson<WholeRun>(whole)).data.status, 'paused');
    });

    it('give outputs as JSON text in old versions', () =>
      withSandbox(
        async ({ platform: old }) => {
          const calls = new AppCalls(old, old.apps.workflow);
          const whole = await readJson<WholeRun>(
            await calls.start('', { inputs, response_mode: 'blocking' }),
          );
          const run = await readJson<RunRecord>(await calls.get(`/workflows/run/${whole.workflow_run_id}`));
          assert.deepEqual(JSON.parse(String(run.outputs)), whole.data.outputs);
        },
        { platform: { version: '1.10.1' } },
      ));

    it('are taken up again by who was cut off', async () => {
      const hold = platform.apps.hold('workflow', 3);
      const calls = new AppCalls(platform, platform.apps.workflow);
      const abort = new AbortController();
      const left = await calls.start('', { inputs }, { signal: abort.signal });
      await hold.reached;
      const reader = left.body!.getReader();
      let seen = '';
      while (!seen.includes('workflow_run_id')) seen += Buffer.from((await reader.read()).value!).toString();
      const runId = /"workflow_run_id":"([^"]+)"/.exec(seen)![1]!;
      abort.abort();
      const rest = await calls.get(`/workflow/${runId}/events`);
      const whole = await calls.get(`/workflow/${runId}/events?include_state_snapshot=true`);
      hold.release();
      const later = readStream(await rest.text()).events;
      assert.notEqual(later[0]!.event, 'workflow_started');
      assert.equal(last(later).event, 'workflow_finished');
      const all = readStream(await whole.text()).events;
      assert.equal(all[0]!.event, 'workflow_started');
      assert.equal(all.length, later.length + 3);
      const after = readStream(await (await calls.get(`/workflow/${runId}/events`)).text()).events;
      assert.deepEqual(outline(after), ['workflow_finished']);
      const bob = new AppCalls(platform, platform.apps.workflow, 'bob');
      assert.equal((await bob.get(`/workflow/${runId}/events`)).status, 404);
    });
  });
});
