import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AppEvent, AppStep } from '../../../../src/apps/app.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { cutAt } from '../../relay/replay.ts';
import { createAnswer, joined, replay } from './replay.ts';
import agent from './streams/agent.txt';
import chat from './streams/chat.txt';
import chatflowOld from './streams/chatflow-old.txt';
import chatflow from './streams/chatflow.txt';
import completion from './streams/completion.txt';
import errorInStream from './streams/error-in-stream.txt';
import workflowFailed from './streams/workflow-failed.txt';
import workflowPaused from './streams/workflow-paused.txt';
import workflow from './streams/workflow.txt';

const usage = { promptTokens: 812, completionTokens: 31, totalTokens: 843, price: '0.0021', currency: 'USD' };
const sources: AppEvent = {
  type: 'sourcesFound',
  sources: [
    {
      position: 1,
      datasetId: 'd1',
      datasetName: 'Docs',
      documentId: 'f3',
      documentName: 'ci.md',
      segmentId: '0c',
      score: 0.81,
      content: 'Run npm ci in pipelines.',
    },
  ],
};
const messageIds: AppEvent = { type: 'started', taskId: 't1', messageId: 'm1', conversationId: 'c1' };
const flowIds: AppEvent = { ...messageIds, runId: 'w1' };
const runIds: AppEvent = { type: 'started', taskId: 't1', runId: 'w1' };

const stepOf = (
  known: Pick<AppStep, 'id' | 'kind' | 'title'>,
  nodeId: string,
  more: Omit<AppStep, 'id' | 'kind' | 'title'>,
  inputs?: object,
): AppEvent => ({
  ...{ type: 'stepChanged', step: { ...known, ...more } },
  node: { id: nodeId, ...(inputs && { inputs: { ...inputs } }) },
});
const start = { id: 'n1', kind: 'start', title: 'Start' };
const llm = { id: 'n2', kind: 'llm', title: 'Think it over' };
const flow: AppEvent[] = [
  flowIds,
  stepOf(start, 'start', { status: 'running' }),
  stepOf(start, 'start', { status: 'succeeded', elapsedMs: 1 }),
  stepOf(llm, 'llm', { status: 'running' }),
  { type: 'textAdded', text: 'Lead: ' },
  { type: 'reasoningAdded', text: 'hm' },
  { type: 'textAdded', text: 'So it is.' },
  stepOf(llm, 'llm', { status: 'retrying', error: 'busy', retries: 1 }),
  stepOf(llm, 'llm', { status: 'succeeded', elapsedMs: 1250, tokens: 412, retries: 1 }),
];
const flowFinished: AppEvent = {
  type: 'runFinished',
  run: {
    id: 'w1',
    workflowId: 'wf',
    status: 'succeeded',
    outputs: { answer: 'Lead: <think>hm</think>So it is.' },
    elapsedMs: 2100,
    tokens: 412,
    stepCount: 3,
    createdAtMs: 1786000000000,
  },
};
const lines = { id: 'it', kind: 'iteration', title: 'Each line' };
const trim = { id: 'n1', kind: 'code', title: 'Trim' };
const steps: AppEvent[] = [
  runIds,
  stepOf(lines, 'it', { status: 'running' }, {}),
  stepOf(trim, 'code', { status: 'running' }),
  stepOf(trim, 'code', { status: 'succeeded', elapsedMs: 20 }),
  stepOf(lines, 'it', { round: 2, status: 'running' }),
  stepOf(lines, 'it', { round: 2, status: 'succeeded', elapsedMs: 500, tokens: 0 }),
  {
    type: 'stepChanged',
    step: { id: 'l1', kind: 'agent', title: 'ROUND 1', status: 'running', depth: 1 },
  },
  { type: 'textAdded', text: 'one two' },
];
const lookUp = { id: 'a1', position: 1, thought: 'I look it up.', tool: 'wikipedia', toolLabel: 'Wikipedia' };

const recorded: Record<string, { text: string; events: AppEvent[]; failure?: Partial<SwitchboardError> }> = {
  chat: {
    text: chat,
    events: [
      messageIds,
      { type: 'reasoningAdded', text: 'Which tool?' },
      { type: 'textAdded', text: 'Use npm ci — 用它 🎉' },
      sources,
      { type: 'ended', usage, files: [] },
    ],
  },
  agent: {
    text: agent,
    events: [
      messageIds,
      { type: 'thoughtChanged', thought: { id: 'a1', position: 1, thought: '' } },
      { type: 'textAdded', text: 'I look it up.' },
      { type: 'thoughtChanged', thought: { ...lookUp, toolInput: '{"q":"npm"}' } },
      {
        type: 'thoughtChanged',
        thought: { ...lookUp, toolInput: '{"q":"npm"}', observation: '{"npm":"a manager"}' },
      },
      {
        type: 'fileAdded',
        file: { id: 'x1', name: 'x1.png', address: 'https://platform.example/files/tools/x1.png' },
      },
      { type: 'thoughtChanged', thought: { id: 'a2', position: 2, thought: '' } },
      { type: 'textAdded', text: 'It is a manager.' },
      { type: 'thoughtChanged', thought: { id: 'a2', position: 2, thought: 'It is a manager.' } },
      { type: 'ended', usage, files: [] },
    ],
  },
  'chatflow, message_end first': {
    text: chatflow,
    events: [...flow, sources, flowFinished, { type: 'ended', usage, files: [] }],
  },
  'chatflow, workflow_finished first': {
    text: chatflowOld,
    events: [...flow, flowFinished, sources, { type: 'ended', usage, files: [] }],
  },
  workflow: {
    text: workflow,
    events: [
      ...steps,
      {
        type: 'runFinished',
        run: {
          id: 'w1',
          workflowId: 'wf',
          status: 'succeeded',
          outputs: { text: 'one two' },
          elapsedMs: 2100,
          tokens: 412,
          stepCount: 4,
        },
      },
      { type: 'ended', usage: { totalTokens: 412 }, files: [] },
    ],
  },
  'workflow with a failing node': {
    text: workflowFailed,
    events: [
      ...steps,
      {
        type: 'stepChanged',
        step: {
          id: 'n9',
          kind: 'http-request',
          title: 'Fetch page',
          status: 'failed',
          error: 'connect refused',
          elapsedMs: 100,
        },
        node: { id: 'http' },
      },
      {
        type: 'runFinished',
        run: {
          id: 'w1',
          workflowId: 'wf',
          status: 'failed',
          outputs: {},
          error: 'connect refused by page.example',
          elapsedMs: 2100,
          tokens: 0,
          stepCount: 3,
        },
      },
    ],
    failure: {
      code: 'request',
      message: 'The run failed in step "Fetch page". See the server\'s message.',
      why: 'connect refused by page.example',
    },
  },
  'workflow that waits for a person': {
    text: workflowPaused,
    events: [runIds, { type: 'paused', reasons: ['Approve it'] }, { type: 'ended', files: [] }],
  },
  completion: {
    text: completion,
    events: [
      { type: 'started', taskId: 't1', messageId: 'm1' },
      { type: 'textAdded', text: 'A poem.' },
      { type: 'textReplaced', text: 'A better poem.' },
      { type: 'textAdded', text: ' With more.' },
      {
        type: 'ended',
        usage,
        files: [
          {
            id: 'p1',
            name: 'poem.pdf',
            mimeType: 'application/pdf',
            address: 'https://platform.example/files/p1',
            size: 120,
          },
        ],
      },
    ],
  },
  'an error in the stream': {
    text: errorInStream,
    events: [messageIds, { type: 'textAdded', text: 'Half' }],
    failure: { code: 'transient', message: 'It failed.', why: '[openai] Rate Limit Error, slow down' },
  },
};

describe('AppAnswer', () => {
  for (const [name, { text, events, failure }] of Object.entries(recorded)) {
    const bytes = Buffer.from(text);
    const check = (pieces: Iterable<Uint8Array>) => {
      const replayed = replay(pieces);
      assert.deepEqual(replayed.events, events);
      const { code, message, why } = replayed.failure ?? {};
      assert.deepEqual(replayed.failure && { code, message, why }, failure);
      assert.deepEqual(replayed.unknown, []);
    };

    it(`reads ${name}, in any pieces and with any line ends`, () => {
      check([bytes]);
      check([Buffer.from(text.replaceAll('\n', '\r\n'))]);
      check([...bytes].map((byte) => Uint8Array.of(byte)));
      fc.assert(
        fc.property(fc.array(fc.nat(), { maxLength: 20 }), (places) => check(cutAt(bytes, places))),
        { numRuns: 30 },
      );
    });

    it(`notices that ${name} was cut`, () => {
      const ends = /"event":\s*"(message_end|workflow_finished|workflow_paused|human_input_required|error)"/;
      const cut = text.split('\n\n').findIndex((event) => ends.test(event));
      const { failure: found } = replay([
        Buffer.from(text.split('\n\n').slice(0, cut).join('\n\n') + '\n\n'),
      ]);
      assert.equal(found?.code, 'truncated');
    });
  }

  const say = (...events: object[]) =>
    replay(events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`)));
  const textOf = (events: readonly AppEvent[]) =>
    events.map((event) => (event.type === 'textAdded' ? event.text : '')).join('');
  const end = { event: 'message_end', message_id: 'm' };

  describe('of an agent that says everything twice', () => {
    const agentSays = (answer: string) => ({ event: 'agent_message', message_id: 'm', answer });
    const message = (answer: string) => ({ event: 'message', message_id: 'm', answer });
    const thought = (id: string) => ({ event: 'agent_thought', id, message_id: 'm' });

    it('drops the repetition, whole or of the last round', () => {
      assert.equal(textOf(say(agentSays('a'), agentSays('b'), message('ab '), end).events), 'ab');
      const rounds = [agentSays('look'), thought('1'), agentSays('found'), thought('2')];
      assert.equal(textOf(say(...rounds, message('found'), end).events), 'lookfound');
    });

    it('keeps what a repetition adds, and what is none', () => {
      assert.equal(textOf(say(agentSays('ab'), message('abc'), end).events), 'abc');
      assert.equal(textOf(say(agentSays('banana'), message('na'), message('na'), end).events), 'banananana');
    });
  });

  it('names the failed step in an error of the stream', () => {
    const { failure } = say(
      { event: 'workflow_started', message_id: 'm' },
      { event: 'node_finished', data: { id: '1', title: 'Ask', status: 'failed' } },
      { event: 'error', code: 'x', message: 'No credit' },
    );
    assert.equal(failure?.message, 'The step "Ask" failed. It failed.');
    assert.equal(failure?.why, 'No credit');
  });

  it('blames the step in a loop, not the loop', () => {
    const { failure } = say(
      { event: 'node_finished', data: { id: '1', title: 'Inner', status: 'failed' } },
      { event: 'loop_completed', data: { id: '2', title: 'Outer', status: 'failed' } },
      { event: 'workflow_finished', data: { status: 'failed' } },
    );
    assert.match(failure?.message ?? '', /"Inner"/);
  });

  it('takes the answer of a flow that did not stream it from its outputs', () => {
    const { events } = say(
      { event: 'workflow_started', message_id: 'm' },
      { event: 'workflow_finished', data: { status: 'succeeded', outputs: { answer: 'Whole' } } },
      end,
    );
    assert.equal(textOf(events), 'Whole');
  });

  it('shows reasoning that comes apart, and a text that takes the place of what a flow said', () => {
    const { events } = say(
      { event: 'reasoning_chunk', data: { reasoning: 'hm' } },
      { event: 'text_chunk', data: { text: 'Draft' } },
      { event: 'text_replace', data: { text: 'Final' } },
      end,
    );
    assert.deepEqual(events.slice(0, 3), [
      { type: 'reasoningAdded', text: 'hm' },
      { type: 'textAdded', text: 'Draft' },
      { type: 'textReplaced', text: 'Final' },
    ]);
  });

  it('goes on after a person has filled the form', () => {
    const { events, failure } = say(
      { event: 'human_input_required', data: { node_title: 'Approve' } },
      { event: 'human_input_form_filled', data: {} },
    );
    assert.deepEqual(events, [{ type: 'paused', reasons: ['Approve'] }, { type: 'resumed' }]);
    assert.equal(failure?.code, 'truncated');
  });

  it('reports kinds it does not know, and reads on', () => {
    const { events, unknown } = say({ event: 'hologram' }, { event: 'message', answer: 'a' }, end);
    assert.deepEqual(unknown, ['hologram']);
    assert.equal(textOf(events), 'a');
  });

  it('takes pings for signs of life only', () => {
    const answer = createAnswer();
    answer.addEvent({ id: undefined, event: 'ping', data: '{}' });
    answer.addEvent({ id: undefined, event: undefined, data: '{"event":"ping"}' });
    answer.addEvent({ id: undefined, event: undefined, data: 'keep-alive' });
    assert.equal(answer.hasBegun, false);
    answer.addEvent({ id: undefined, event: undefined, data: '{"event":"workflow_started"}' });
    assert.equal(answer.hasBegun, true);
  });

  it('knows what may still come', () => {
    const answer = createAnswer();
    const rest = (body: object) => {
      answer.addEvent({ id: undefined, event: undefined, data: JSON.stringify(body) });
      return answer.remaining;
    };
    assert.equal(rest({ event: 'workflow_started', conversation_id: 'c' }), 'more');
    assert.equal(rest({ event: 'workflow_finished', data: { status: 'succeeded' } }), 'ending');
    assert.equal(rest({ event: 'message_end', conversation_id: 'c' }), 'none');
  });

  describe('of a request that was not streamed', () => {
    const whole = (body: Record<string, unknown>) => {
      const answer = createAnswer();
      answer.addWhole(body);
      return joined(answer.finish());
    };

    it('gives the same events for a message', () => {
      assert.deepEqual(
        whole({
          event: 'message',
          task_id: 't1',
          id: 'm1',
          message_id: 'm1',
          conversation_id: 'c1',
          mode: 'chat',
          answer: '<think>x</think>Use npm ci.',
          metadata: { usage: { total_tokens: 5 }, retriever_resources: [{ document_name: 'app∕ci.md' }] },
        }),
        [
          messageIds,
          { type: 'reasoningAdded', text: 'x' },
          { type: 'textAdded', text: 'Use npm ci.' },
          { type: 'sourcesFound', sources: [{ documentName: 'app/ci.md' }] },
          { type: 'ended', usage: { totalTokens: 5 }, files: [] },
        ],
      );
    });

    it('tells that an annotation answered', () => {
      const of = (reply: unknown) =>
        whole({ event: 'message', answer: 'x', metadata: { annotation_reply: reply } }).some(
          ({ type }) => type === 'annotationUsed',
        );
      const account = { id: 'a1', name: 'Dify user' };
      assert.deepEqual([of({ id: 'n1', account }), of(null), of({}), of('n1')], [true, false, false, false]);
    });

    it('gives the same events for a run, a failed run and a pause', () => {
      const run = (data: object) => whole({ task_id: 't1', workflow_run_id: 'w1', data });
      assert.deepEqual(
        run({ id: 'w1', status: 'succeeded', outputs: { text: 'x' } }).map(({ type }) => type),
        ['started', 'runFinished', 'ended'],
      );
      assert.ok(
        run({ outputs: {} }).some(({ type }) => type === 'runFinished'),
        'of a run without a status',
      );
      assert.throws(
        () => run({ status: 'failed', error: 'boom' }),
        (error) => error instanceof SwitchboardError && error.why === 'boom',
      );
      assert.deepEqual(
        whole({ event: 'workflow_paused', data: { reasons: ['Ask the boss'] } }).map(({ type }) => type),
        ['paused', 'ended'],
      );
    });

    it('throws for everything else', () => {
      assert.throws(() => whole({ code: 'x', message: 'no' }), SwitchboardError);
    });
  });

  it('throws nothing but SwitchboardErrors, whatever the server sends', () => {
    const kinds = [
      ...new Set([...Object.values(recorded)].flatMap(({ text }) => text.match(/"event": ?"(\w+)"/g) ?? [])),
    ].map((found) => /: ?"(\w+)"/.exec(found)?.[1] ?? '');
    const field = fc.constantFrom(
      ...['id', 'answer', 'data', 'metadata', 'usage', 'retriever_resources', 'files', 'status', 'outputs'],
      ...['title', 'node_id', 'tool_labels', 'tool', 'position', 'error', 'reasons', 'text', 'message'],
      ...['task_id', 'message_id', 'conversation_id', 'from_variable_selector', 'execution_metadata'],
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(field, tie('value'), { maxKeys: 5 }),
      ),
    }));
    const event = fc
      .tuple(fc.constantFrom(...kinds, 'hologram', 7, null), fc.dictionary(field, value, { maxKeys: 8 }))
      .map(([kind, fields]) => ({ ...fields, event: kind }));
    fc.assert(
      fc.property(fc.array(fc.oneof(event, fc.jsonValue()), { maxLength: 8 }), (events) => {
        // `replay` rethrows every other error.
        say(...(events as object[]));
      }),
      { numRuns: 500 },
    );
  });

  it('names the node of a step with its inputs, where the platform reports them, and none of a log in it', () => {
    const data = { node_id: 'check', node_type: 'code', title: 'Check', id: '1' };
    const events = [
      { event: 'node_started', data: { ...data, inputs: null } },
      { event: 'node_finished', data: { ...data, status: 'failed', inputs: { topic: 'tides' } } },
      { event: 'agent_log', data: { ...data, id: 'r', label: 'ROUND 1', status: 'start' } },
    ];
    const sent = events.map((event) => `data: ${JSON.stringify({ task_id: 't1', ...event })}\n\n`);
    assert.deepEqual(
      replay([Buffer.from(sent.join(''))]).events.flatMap((event) =>
        event.type === 'stepChanged' ? [event.node] : [],
      ),
      [{ id: 'check' }, { id: 'check', inputs: { topic: 'tides' } }, undefined],
    );
  });

  it('tells what an agent does within a step, fuller each time, and bounds it', () => {
    const log = (data: object) =>
      `data: ${JSON.stringify({ event: 'agent_log', task_id: 't1', workflow_run_id: 'w1', data })}\n\n`;
    const round = { id: 'r', label: 'ROUND 1', status: 'start', parent_id: null, data: {} };
    const call = {
      id: 'c',
      label: 'CALL search',
      status: 'start',
      parent_id: 'r',
      data: { tool: 'search', n: 1 },
    };
    const texts = [
      log(round),
      log(call),
      log({ ...call, status: 'error', error: 'no answer', data: {} }),
      log({
        ...round,
        status: 'success',
        data: { thought: 'Found.' },
        metadata: { elapsed_time: 1.5, total_tokens: 9 },
      }),
      log({ label: 7, status: 'dancing', parent_id: 'nobody', data: 'x' }),
    ];
    const { events } = replay([Buffer.from(texts.join(''))]);
    const common = { id: 'c', kind: 'agent', title: 'CALL search', depth: 2 };
    const detail = 'tool: search\nn: 1';
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'stepChanged' ? [event.step] : [])),
      [
        { id: 'r', kind: 'agent', title: 'ROUND 1', depth: 1, status: 'running' },
        { ...common, status: 'running', detail },
        { ...common, status: 'failed', detail, error: 'no answer' },
        {
          ...{ id: 'r', kind: 'agent', title: 'ROUND 1', depth: 1, status: 'succeeded' },
          ...{ detail: 'Found.', elapsedMs: 1500, tokens: 9 },
        },
        { id: '', kind: 'agent', title: '', depth: 1, status: 'unknown' },
      ],
    );
    const deep = Array.from({ length: 9 }, (_, at) =>
      log({ id: `${at}`, label: 'x', parent_id: `${at - 1}` }),
    );
    const depths = replay([Buffer.from(deep.join(''))]).events.map((event) =>
      event.type === 'stepChanged' ? event.step.depth : undefined,
    );
    assert.equal(Math.max(...depths.map((depth) => depth ?? 0)), 5);
  });
});
