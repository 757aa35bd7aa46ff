import assert from 'node:assert/strict';
import type { AppEvent } from '../../../../src/apps/app.ts';
import type { ChatRequest } from '../../../../src/apps/client/appClient.ts';
import { detectStalls, stalled } from '../../../../src/apps/client/askApp.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { type AppNetwork, appNetwork, events, hang, hear, json, type Reply } from './appNetwork.ts';

const signal = () => new AbortController().signal;
const question: ChatRequest = { query: 'hi', inputs: { name: 'Ada' }, stream: true };
const message = { event: 'message', task_id: 't1', message_id: 'm1', conversation_id: 'c1', answer: 'Hello' };
const end = { event: 'message_end', task_id: 't1', message_id: 'm1', conversation_id: 'c1', metadata: {} };
const good: Reply = { pieces: [events(message), 'event: ping\n\n', events(end)] };
const goodTypes = ['requestSent', 'started', 'textAdded', 'ended'];
const broken = new SwitchboardError('transient', 'The connection broke.', { why: 'ECONNRESET' });

function ask(network: AppNetwork, request: Partial<ChatRequest> = {}, onEvent?: (event: AppEvent) => void) {
  return hear(network, network.client.chat({ ...question, ...request }, signal()), onEvent);
}

describe('asking an app', () => {
  it('sends the question in the form of the spec and gives the events', async () => {
    const network = appNetwork(good);
    const { events: heard, types } = await ask(network, {
      conversationId: 'c1',
      files: [
        { type: 'image', method: 'remote_url', url: 'https://a.example/x.png' },
        { type: 'document', method: 'local_file', uploadFileId: 'u1' },
      ],
    });
    assert.deepEqual(types, goodTypes);
    assert.deepEqual(heard[2], { type: 'textAdded', text: 'Hello' });
    const [{ call, body, headers }] = network.sent as [(typeof network.sent)[0]];
    assert.equal(call, 'POST /v1/chat-messages');
    assert.equal(headers['authorization'], 'Bearer app-key1');
    assert.deepEqual(body, {
      query: 'hi',
      conversation_id: 'c1',
      inputs: { name: 'Ada' },
      files: [
        { type: 'image', transfer_method: 'remote_url', url: 'https://a.example/x.png' },
        { type: 'document', transfer_method: 'local_file', upload_file_id: 'u1' },
      ],
      response_mode: 'streaming',
      user: 'me',
    });
    assert.equal(network.sent.length, 1);
  });

  it('asks completion apps and workflows where they live', async () => {
    const run = {
      event: 'workflow_finished',
      task_id: 't',
      workflow_run_id: 'w',
      data: { status: 'succeeded' },
    };
    const network = appNetwork(good, { pieces: [events(run)] });
    const { client } = network;
    await hear(network, client.complete({ inputs: {}, stream: true }, signal()));
    const { types } = await hear(network, client.runWorkflow({ inputs: {}, stream: true }, signal()));
    assert.deepEqual(types, ['requestSent', 'started', 'runFinished', 'ended']);
    assert.deepEqual(
      network.sent.map(({ call }) => call),
      ['POST /v1/completion-messages', 'POST /v1/workflows/run'],
    );
  });

  describe('without streaming', () => {
    const whole = json({ ...message, event: 'message', metadata: {} });
    const refusesSync = json(
      {
        code: 'invalid_param',
        status: 400,
        message:
          "1 validation error for ChatRequestPayload\nresponse_mode\n  Input should be 'blocking' or 'streaming'",
      },
      400,
    );
    const modes = ({ sent }: AppNetwork) =>
      sent.map(({ body }) => (body as { response_mode: string }).response_mode);

    it("says the spec's sync first, learns blocking, and remembers", async () => {
      const network = appNetwork(refusesSync, whole, whole);
      assert.deepEqual((await ask(network, { stream: false })).types, goodTypes);
      await ask(network, { stream: false });
      assert.deepEqual(modes(network), ['sync', 'blocking', 'blocking']);
      assert.deepEqual(network.dialect, { sync: 'blocking' });
    });

    it('streams from agents, which answer only so, and remembers', async () => {
      const refusesBlocking = json(
        { code: 'invalid_param', status: 400, message: 'Agent Chat App does not support blocking mode' },
        400,
      );
      const network = appNetwork(refusesSync, refusesBlocking, good, good);
      const { types } = await ask(network, { stream: false });
      assert.deepEqual(
        types.filter((type) => type !== 'requestSent'),
        goodTypes.slice(1),
      );
      await ask(network, { stream: false });
      assert.deepEqual(modes(network), ['sync', 'blocking', 'streaming', 'streaming']);
    });

    it('streams from the agents of 1.16, which refuse in other words', async () => {
      const refuses = {
        ...{ code: 'bad_request', status: 400 },
        message: 'Agent App only supports streaming response mode.',
      };
      const network = appNetwork(json(refuses, 400), good);
      await ask(network, { stream: false });
      assert.deepEqual(modes(network), ['sync', 'streaming']);
    });

    it('reads a stream that came all the same, and a whole answer to a streamed question', async () => {
      assert.deepEqual((await ask(appNetwork(good), { stream: false })).types, goodTypes);
      assert.deepEqual((await ask(appNetwork(whole))).types, goodTypes);
      const mislabelled: Reply = { type: 'application/json', pieces: [events(message, end)] };
      assert.deepEqual((await ask(appNetwork(mislabelled))).types, goodTypes);
    });
  });

  describe('trying again', () => {
    for (const [name, reply] of Object.entries({
      '502': { status: 502, type: 'text/html', pieces: ['<html>Bad gateway'] },
      '503': json({ message: 'x' }, 503),
      '429': json({ code: 'too_many_requests', message: 'x' }, 429),
      'too many parallel runs': json(
        { code: 'invalid_param', message: 'Too many requests. Please try again.' },
        400,
      ),
    })) {
      it(`happens after ${name}, and is announced`, async () => {
        const network = appNetwork(reply, reply, good);
        const { types, events: heard } = await ask(network);
        assert.deepEqual(types, [
          ...['requestSent', 'retryScheduled', 'requestSent', 'retryScheduled'],
          ...goodTypes,
        ]);
        const pauses = heard.flatMap((event) => (event.type === 'retryScheduled' ? event.delayMs : []));
        assert.ok(pauses[1]! > pauses[0]!, String(pauses));
      });
    }

    it('waits as long as the server asks', async () => {
      const busy = {
        ...json({ code: 'too_many_requests', message: 'x' }, 429),
        headers: { 'retry-after': '7' },
      };
      const { events: heard } = await ask(appNetwork(busy, good));
      assert.equal(heard.find((event) => event.type === 'retryScheduled')?.delayMs, 7_000);
    });

    it('ends at the last try, and at once when stopped in the pause', async () => {
      const busy = json({ message: 'x' }, 503);
      const { failure, types } = await ask(appNetwork(busy, busy, busy, busy, good));
      assert.equal(failure?.code, 'transient');
      assert.equal(types.filter((type) => type === 'retryScheduled').length, 3);

      const network = appNetwork(busy, good);
      const stopping = new AbortController();
      const stopped = await hear(network, network.client.chat(question, stopping.signal), (event) => {
        if (event.type === 'retryScheduled') stopping.abort();
      });
      assert.equal(stopped.failure?.code, 'cancelled');
      assert.equal(network.sent.length, 1);
    });

    for (const [name, reply] of Object.entries<Reply | Error>({
      '500': json({ code: 'internal_server_error', message: 'x', status: 500 }, 500),
      'a refusal': json({ code: 'app_unavailable', message: 'x', status: 400 }, 400),
      'a broken connection': broken,
      'an event': { pieces: [events({ event: 'workflow_started' }), broken] },
      'an error inside a success': { pieces: [events({ event: 'error', status: 503, message: 'x' })] },
    })) {
      it(`never happens after ${name}`, async () => {
        const network = appNetwork(reply, good);
        const { failure, types } = await ask(network);
        assert.ok(failure);
        assert.ok(!types.includes('retryScheduled'));
        assert.equal(network.sent.length, 1);
      });
    }
  });

  describe('failing', () => {
    const codeOf = async (reply: Reply | Error) => {
      const { failure, events: heard } = await ask(appNetwork(reply));
      return { code: failure?.code, message: failure?.message ?? '', why: failure?.why, last: heard.at(-1) };
    };

    it('reads refusals in JSON and in HTML', async () => {
      const refusal = await codeOf(
        json({ code: 'app_unavailable', message: 'App unavailable', status: 400 }, 400),
      );
      assert.equal(refusal.code, 'app-unavailable');
      assert.equal(refusal.why, 'App unavailable');
      const page: Reply = { type: 'text/html', pieces: ['<html><title>Console</title>'] };
      assert.equal((await codeOf(page)).code, 'wrong-address');
    });

    it('maps an error inside a stream like one before it', async () => {
      const { code, why, last } = await codeOf({
        pieces: [
          events(message, {
            event: 'error',
            code: 'provider_quota_exceeded',
            status: 400,
            message: 'No credit, app-key1',
          }),
        ],
      });
      assert.equal(code, 'balance');
      assert.equal(why, 'No credit, ***');
      assert.deepEqual(last, { type: 'textAdded', text: 'Hello' });
    });

    it('tells a broken answer from one that never began', async () => {
      assert.equal((await codeOf({ pieces: [events(message), broken] })).code, 'truncated');
      assert.equal((await codeOf({ pieces: [events(message)] })).code, 'truncated');
      const silent = await codeOf({ pieces: ['event: ping\n\n', 'event: ping\n\n'] });
      assert.equal(silent.code, 'truncated');
      assert.match(silent.message, /worker/);
      const cut = await codeOf({ type: 'application/json', pieces: ['{"event": "message", "answer": "Hel'] });
      assert.equal(cut.code, 'truncated');
      assert.match(cut.message, /^The server's answer was cut off/);
    });

    it('says what silence means once the request was taken', async () => {
      const timeout = new SwitchboardError('timeout-first-token', 'No answer.');
      const taken = await codeOf({ pieces: ['event: ping\n\n', timeout] });
      assert.equal(taken.code, 'timeout-first-token');
      assert.match(taken.message, /accepted the request.*1 min.*worker/);
      assert.equal((await codeOf(timeout)).message, 'No answer.');
    });

    it('delivers a failed run before its error', async () => {
      const network = appNetwork({
        pieces: [
          events(
            { event: 'workflow_started', task_id: 't', workflow_run_id: 'w', data: {} },
            { event: 'node_finished', data: { id: 'n', title: 'Fetch', status: 'failed', error: 'refused' } },
            { event: 'workflow_finished', data: { id: 'w', status: 'failed', error: 'refused' } },
            { event: 'error', status: 500, message: 'never read' },
          ),
        ],
      });
      const { types, failure } = await hear(
        network,
        network.client.runWorkflow({ inputs: {}, stream: true }, signal()),
      );
      assert.deepEqual(types, ['requestSent', 'started', 'stepChanged', 'runFinished']);
      assert.match(failure?.message ?? '', /"Fetch"/);
      assert.equal(failure?.why, 'refused');
    });
  });

  describe('stopping', () => {
    const stops = ({ sent }: AppNetwork) => sent.filter(({ call }) => call.endsWith('/stop'));

    it('ends the run on the server, then the connection', async () => {
      const network = appNetwork({ pieces: [events(message), hang] });
      const stopping = new AbortController();
      const { failure } = await hear(network, network.client.chat(question, stopping.signal), (event) => {
        if (event.type === 'textAdded') stopping.abort();
      });
      assert.equal(failure?.code, 'cancelled');
      assert.deepEqual(
        stops(network).map(({ call, body }) => [call, body]),
        [['POST /v1/chat-messages/t1/stop', { user: 'me' }]],
      );
    });

    it('only closes the connection while no task is known', async () => {
      const network = appNetwork({ pieces: ['event: ping\n\n', hang] });
      const stopping = new AbortController();
      const { failure } = await hear(network, network.client.chat(question, stopping.signal), () =>
        stopping.abort(),
      );
      assert.equal(failure?.code, 'cancelled');
      assert.deepEqual(stops(network), []);
    });

    it('happens, too, when the reader leaves in the middle or the stream falls silent', async () => {
      const left = appNetwork({ pieces: [events(message), hang] });
      for await (const event of left.client.complete(question, signal()))
        if (event.type === 'textAdded') break;
      assert.deepEqual(
        stops(left).map(({ call }) => call),
        ['POST /v1/completion-messages/t1/stop'],
      );

      const silent = appNetwork({
        pieces: [events(message), new SwitchboardError('timeout-idle', 'Silent.')],
      });
      const { failure } = await hear(silent, silent.client.runWorkflow(question, signal()));
      assert.equal(failure?.code, 'timeout-idle');
      assert.deepEqual(
        stops(silent).map(({ call }) => call),
        ['POST /v1/workflows/tasks/t1/stop'],
      );
    });

    it('is not ordered for what is over', async () => {
      const ended = appNetwork(good);
      await ask(ended);
      assert.deepEqual(stops(ended), []);
      const failed = appNetwork({ pieces: [events(message, { event: 'error', message: 'x' }), hang] });
      await ask(failed);
      assert.deepEqual(stops(failed), []);
      const cut = appNetwork({ pieces: [events(message), broken] });
      await ask(cut);
      assert.deepEqual(stops(cut), []);
    });

    it('sends nothing at all when stopped before', async () => {
      const network = appNetwork(good);
      const { failure } = await hear(network, network.client.chat(question, AbortSignal.abort()));
      assert.equal(failure?.code, 'cancelled');
      assert.deepEqual(network.sent, []);
    });
  });

  it('does not wait for ever for the end of a body that has said everything', async () => {
    const timeout = new SwitchboardError('timeout-idle', 'Silent.');
    assert.deepEqual((await ask(appNetwork({ pieces: [events(message, end), timeout] }))).types, goodTypes);
    const network: AppNetwork = appNetwork({
      pieces: [events(message, end), () => network.clock.advance(5_000), 'event: ping\n\n', hang],
    });
    assert.deepEqual((await ask(network)).types, goodTypes);
  });

  it('logs a kind of events it does not know once, and never what was said', async () => {
    const network = appNetwork({
      pieces: [events({ event: 'hologram' }, message, { event: 'hologram' }, end)],
    });
    await ask(network);
    assert.equal(network.log.filter((line) => line.includes('hologram')).length, 1);
    assert.doesNotMatch(network.log.join('\n'), /Hello|app-key1/);
  });

  it('shows nowhere the key that a server repeats, whole or in pieces', async () => {
    const key = 'app-key1';
    const ids = { task_id: 't', message_id: 'm', conversation_id: 'c' };
    const step = {
      id: 's',
      node_id: 's',
      title: `Step ${key}`,
      node_type: 'llm',
      status: 'failed',
      error: key,
    };
    const echoes: Reply[] = [
      {
        pieces: [
          events({ ...ids, event: 'message', answer: 'It is app-' }),
          events({ ...ids, event: 'message', answer: 'ke' }, { ...ids, event: 'message', answer: 'y1, so' }),
          events({ ...ids, event: 'agent_thought', id: 'x', thought: key, tool: key, observation: key }),
          events({ ...ids, event: 'message_replace', answer: `${key} <b>` }),
          events({ ...ids, event: 'message_file', id: key, url: `https://a.example/${key}/${key}.png` }),
          events({ ...ids, event: 'node_started', data: { ...step, status: 'running' } }),
          events({ ...ids, event: 'node_finished', data: step }),
          events({ ...ids, event: 'human_input_required', data: { title: key } }),
          events({
            ...ids,
            event: 'workflow_finished',
            data: { status: 'succeeded', outputs: { [key]: key, files: [{ filename: key }] } },
          }),
          events({
            ...ids,
            event: 'message_end',
            metadata: { retriever_resources: [{ document_name: key, content: key }] },
            files: [{ filename: key, url: `https://a.example/${key}` }],
          }),
        ],
      },
      { pieces: [events(message, { event: 'node_finished', data: step }, { event: 'error', message: key })] },
      { pieces: [events({ event: 'workflow_finished', data: { status: 'failed', error: key } })] },
      json({ ...message, answer: `so ${key}`, message_files: [{ url: key }] }),
      json({ code: key, message: key, params: key }, 400),
      { type: 'text/plain', pieces: [events({ ...message, answer: key }, end)] },
    ];
    for (const reply of echoes) {
      const network = appNetwork(reply);
      const { events: heard, failure } = await ask(network);
      const { message: words = '', ...details } = failure ?? {};
      const said = heard.map((event) => (event.type === 'textAdded' ? event.text : '')).join('');
      const shown = JSON.stringify([heard, said, words, details, network.log]);
      assert.ok(heard.length > 1 || failure, 'Nothing came.');
      assert.ok(!shown.includes(key), shown);
    }
  });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('detectStalls', () => {
  it('says again and again that nothing comes, and then gives what came', async () => {
    const clock = new ManualClock();
    let give: (value: string) => void = () => {};
    async function* source() {
      yield 'first';
      yield await new Promise<string>((resolve) => (give = resolve));
    }
    const noticed = detectStalls(source(), () => 100, clock);
    assert.equal((await noticed.next()).value, 'first');
    for (const wait of [1, 2]) {
      const next = noticed.next();
      await turn();
      clock.advance(100);
      assert.equal((await next).value, stalled, `wait ${wait}`);
    }
    const next = noticed.next();
    give('second');
    assert.equal((await next).value, 'second');
    assert.equal((await noticed.next()).done, true);
    assert.equal(clock.pending, 0);
  });

  it('passes failures on', async () => {
    async function* source() {
      yield 1;
      throw new Error('broken');
    }
    const noticed = detectStalls(source(), () => 100, new ManualClock());
    await noticed.next();
    await assert.rejects(noticed.next(), /broken/);
  });

  it('can be left while the source waits', async () => {
    const clock = new ManualClock();
    async function* source() {
      await new Promise(() => {});
      yield 1;
    }
    for await (const event of detectStalls(source(), () => 100, {
      now: () => 0,
      after(ms, call) {
        queueMicrotask(() => clock.advance(ms));
        return clock.after(ms, call);
      },
    })) {
      assert.equal(event, stalled);
      break;
    }
    assert.equal(clock.pending, 0);
  });
});
