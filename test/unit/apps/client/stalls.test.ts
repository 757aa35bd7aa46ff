import assert from 'node:assert/strict';
import type { ChatRequest } from '../../../../src/apps/client/appClient.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import dify from '../../../fixtures/recorded/dify-1.14.2.txt';
import { eventually } from '../../../support/eventually.ts';
import { readRecorded } from '../../../support/recorded.ts';
import { type AppNetwork, appNetwork, events, hang, hear, json, type Reply } from './appNetwork.ts';

const ping = 'event: ping\n\n';
const silent: Reply = { pieces: [ping, hang] };
const question: ChatRequest = { query: 'hi', inputs: { name: 'Ada' }, stream: true, isFlow: true };
const started = { event: 'workflow_started', task_id: 't1', workflow_run_id: 'w1', conversation_id: 'c1' };
const message = { event: 'message', task_id: 't1', message_id: 'm1', conversation_id: 'c1', answer: 'Hi' };

/** A recorded reply, by the beginning of its title. */
function recorded(title: string, says = ''): Reply {
  const found = readRecorded(dify).find(
    (reply) => reply.title.startsWith(title) && reply.body.includes(says),
  );
  assert.ok(found?.status, title);
  return json(JSON.parse(found.body), found.status);
}

const parameters = recorded('GET /v1/parameters', '"user_input_form": []');
const noMessages = json({ limit: 1, has_more: false, data: [] });
const gone = json({ code: 'not_found', message: 'Conversation Not Exists.', status: 404 }, 404);
const running = json({ id: 'w1', status: 'running', outputs: {} });

/** Advances the clock as soon as something waits for it. */
async function pass({ clock }: AppNetwork, ms: number): Promise<void> {
  await eventually(() => assert.ok(clock.pending > 0, 'Nobody waits.'));
  clock.advance(ms);
}

function listen(network: AppNetwork, request: Partial<ChatRequest> = {}, by: 'chat' | 'complete' = 'chat') {
  const stopping = new AbortController();
  const heard = hear(network, network.client[by]({ ...question, ...request }, stopping.signal));
  return { heard, stop: () => stopping.abort() };
}

const calls = ({ sent }: AppNetwork) => sent.map(({ call }) => call);

describe('an answer of keep-alives alone', () => {
  it('is told after 15 s, and ended by a conversation that is gone', async () => {
    const network = appNetwork(silent, parameters, gone);
    const { heard } = listen(network, { conversationId: 'c1' });
    await pass(network, 14_999);
    assert.deepEqual(calls(network), ['POST /v1/chat-messages']);
    await pass(network, 1);
    await pass(network, 1_000);
    const { events: all, failure } = await heard;
    assert.deepEqual(all.at(-1), { type: 'stalled', state: 'notStarted', forMs: 15_000 });
    assert.equal(failure?.code, 'conversation-over');
    assert.match(failure.message, /no longer has this conversation/);
    assert.deepEqual(calls(network).slice(1), [
      'GET /v1/parameters?user=me',
      'GET /v1/messages?conversation_id=c1&user=me&limit=1',
    ]);
    assert.equal(network.clock.pending, 0);
  });

  it('is ended by a field that the form requires by now', async () => {
    const network = appNetwork(silent, {
      ...json({ user_input_form: [{ 'text-input': { variable: 'boat', label: 'Boat', required: true } }] }),
    });
    const { heard } = listen(network);
    await pass(network, 15_000);
    await pass(network, 1_000);
    const { failure } = await heard;
    assert.equal(failure?.code, 'inputs');
    assert.match(failure.message, /now requires "Boat"/);
  });

  it('is ended by an app that is unpublished by now', async () => {
    const network = appNetwork(silent, recorded('GET /v1/parameters', 'app_unavailable'));
    const { heard } = listen(network);
    await pass(network, 15_000);
    await pass(network, 1_000);
    assert.equal((await heard).failure?.code, 'app-unavailable');
  });

  it('is ended after a minute where a start would have been announced, and names the worker', async () => {
    const network = appNetwork(silent, parameters, noMessages, parameters, noMessages);
    const { heard } = listen(network, { conversationId: 'c1' });
    for (const wait of [1, 2, 3, 4]) await pass(network, wait && 15_000);
    const { failure, types } = await heard;
    assert.equal(failure?.code, 'timeout-first-token');
    assert.match(failure.message, /didn't start it within 1 min.*worker/);
    assert.deepEqual(types, ['requestSent', 'stalled'], 'told once');
    assert.equal(calls(network).length, 5, 'asked less and less often');
  });

  it('is looked into, too, where the limit for a first event is shorter', async () => {
    const over = new SwitchboardError('timeout-first-token', 'Nothing came.');
    const network = appNetwork({ pieces: [ping, over] }, parameters, gone);
    assert.equal((await listen(network, { conversationId: 'c1' }).heard).failure?.code, 'conversation-over');
    const slow = appNetwork({ pieces: [ping, over] }, parameters, noMessages);
    const { failure } = await listen(slow, { conversationId: 'c1' }).heard;
    assert.deepEqual([failure?.code, failure?.cause], ['timeout-first-token', over]);
  });

  it('is waited for where an answer may just be slow', async () => {
    for (const by of ['chat', 'complete'] as const) {
      const network = appNetwork(silent, parameters, parameters, parameters, parameters);
      const { heard, stop } = listen(network, { isFlow: false }, by);
      for (const wait of [1, 2, 3, 4, 5, 6]) await pass(network, wait && 15_000);
      await eventually(() => assert.ok(network.clock.pending > 0));
      stop();
      const { failure, events: all } = await heard;
      assert.equal(failure?.code, 'cancelled');
      assert.deepEqual(all.at(-1), { type: 'stalled', state: 'noAnswer', forMs: 15_000 });
      const looks = calls(network).slice(1);
      assert.ok(
        looks.every((call) => call === 'GET /v1/parameters?user=me'),
        looks.join(),
      );
    }
  });

  it('goes on when the look itself fails', async () => {
    const network = appNetwork(silent, json({ message: 'Internal Server Error' }, 500), json({}, 502));
    const { heard, stop } = listen(network, { conversationId: 'c1' });
    await pass(network, 15_000);
    await eventually(() => assert.equal(calls(network).length, 3));
    await eventually(() => assert.ok(network.clock.pending > 0));
    stop();
    assert.equal((await heard).failure?.code, 'cancelled');
  });
});

describe('an answer that falls silent but for keep-alives', () => {
  const begun = (...more: object[]): Reply => ({ pieces: [events(started, ...more), ping, hang] });

  /** A run that is silent for 15 s, and is then polled. */
  function slow(...looks: Reply[]): AppNetwork {
    const end = {
      event: 'message_end',
      task_id: 't1',
      message_id: 'm1',
      conversation_id: 'c1',
      metadata: {},
    };
    const finished = { event: 'workflow_finished', data: { id: 'w1', status: 'succeeded', outputs: {} } };
    const pieces = [
      events(started),
      ping,
      () => network.clock.advance(15_000),
      ...Array.from({ length: 50 }, () => ping),
      events(message, end, finished),
    ];
    const network: AppNetwork = appNetwork({ pieces }, ...looks);
    return network;
  }

  it('is a slow run that lives as long as nothing says otherwise, and is told so', async () => {
    const { types, failure } = await listen(slow(noMessages, running)).heard;
    assert.equal(failure, undefined);
    assert.ok(types.includes('textAdded') && types.at(-1) === 'ended');
  });

  it('is ended by a run that failed without a word in the stream', async () => {
    const failed = json({ id: 'w1', status: 'failed', error: 'The worker was lost, app-key1', outputs: {} });
    const network = appNetwork(begun(), noMessages, failed);
    const { heard } = listen(network);
    await pass(network, 15_000);
    await pass(network, 1_000);
    const { failure, events: all } = await heard;
    assert.deepEqual([failure?.code, failure?.why], ['request', 'The worker was lost, ***']);
    assert.deepEqual(all.at(-1), { type: 'stalled', state: 'noNews', forMs: 15_000 });
    assert.equal(calls(network).at(-1), 'GET /v1/workflows/run/w1');
  });

  it('is ended by a run that is over, and by a message that failed', async () => {
    const over = appNetwork(begun(), noMessages, json({ id: 'w1', status: 'succeeded', outputs: {} }));
    const first = listen(over).heard;
    await pass(over, 15_000);
    await pass(over, 1_000);
    assert.equal((await first).failure?.code, 'truncated');

    const lost = { id: 'm1', query: 'hi', answer: '', status: 'error', error: 'The model is gone.' };
    const chat: Reply = { pieces: [events(message), ping, hang] };
    const broken = appNetwork(chat, json({ limit: 1, has_more: false, data: [lost] }));
    const second = listen(broken, { isFlow: false }).heard;
    await pass(broken, 15_000);
    await pass(broken, 1_000);
    const { failure } = await second;
    assert.deepEqual([failure?.code, failure?.why], ['app-unavailable', 'The model is gone.']);
  });

  it('is reported again when it stalls again, and checked from the beginning', async () => {
    const network: AppNetwork = appNetwork(
      {
        pieces: [
          events(started),
          ping,
          () => network.clock.advance(15_000),
          ...Array.from({ length: 50 }, () => ping),
          events(message),
          hang,
        ],
      },
      noMessages,
      json({ id: 'w1', status: 'failed', error: 'Lost', outputs: {} }),
      noMessages,
      running,
    );
    const { heard, stop } = listen(network);
    await eventually(() => assert.equal(calls(network).length, 3));
    await pass(network, 1_000);
    await pass(network, 14_000);
    await eventually(() => assert.equal(calls(network).length, 5));
    await eventually(() => assert.ok(network.clock.pending > 0));
    stop();
    const { types, failure } = await heard;
    assert.deepEqual(types.slice(-4), ['stalled', 'started', 'textAdded', 'stalled']);
    assert.equal(failure?.code, 'cancelled');
  });

  it('takes an event that was on its way for more than what was found out', async () => {
    const failed = json({ id: 'w1', status: 'failed', error: 'Lost', outputs: {} });
    const { types, failure } = await listen(slow(noMessages, failed)).heard;
    assert.equal(failure, undefined);
    assert.equal(types.at(-1), 'ended');
  });
});
