import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import type { ToolDefinition } from '../../../src/relay/messages.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { limitFor } from '../../support/faultEndings.ts';
import { recordedVerdicts } from '../../support/recordedVerdicts.ts';
import { type RelayUnderTest, relayUnderTest } from '../../support/relayUnderTest.ts';

const tools: ToolDefinition[] = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

/** Outcomes of the misbehaving models, streamed and not; others answer. `+`: retried first. */
const endings: Record<string, [streamed: Ending, whole: Ending]> = {
  'cut-mid-answer': ['truncated', '+transient'],
  'reset-mid-answer': ['truncated', '+transient'],
  'cut-before-answer': ['+transient', '+transient'],
  'cut-before-answer-then-ok': ['+answered', '+answered'],
  'cut-after-head': ['+transient', '+transient'],
  'hang-up-mid-answer': ['truncated', 'truncated'],
  'done-without-finish': ['truncated', 'answered'],
  'prompt-blocked': ['content-filter', 'content-filter'],
  'empty-reply': ['empty-reply', 'empty-reply'],
  'empty-stream': ['empty-reply', 'truncated'],
  'only-reasoning': ['empty-reply', 'empty-reply'],
  'stall-before-first-token': ['timeout-first-token', 'timeout-first-token'],
  'stall-after-head': ['timeout-first-token', 'timeout-first-token'],
  'stall-mid-answer': ['timeout-idle', 'timeout-first-token'],
  'pings-forever': ['timeout-first-token', 'timeout-first-token'],
  'error-inside-200': ['truncated', '+transient'],
  'error-first-in-200': ['+transient', '+transient'],
  'bare-json-error': ['truncated', '+transient'],
  'bare-json-error-after-ping': ['+transient', '+transient'],
  'anthropic-bare-error': ['truncated', '+transient'],
  'event-error': ['truncated', '+transient'],
  'openrouter-midstream-error': ['truncated', '+transient'],
  'litellm-midstream-error': ['truncated', '+transient'],
  'json-error-inside-200': ['+transient', '+transient'],
  'status-error-with-event-stream-type': ['+transient', '+transient'],
  'html-page': ['wrong-address', 'wrong-address'],
  'empty-200': ['empty-reply', 'empty-reply'],
  'garbage-json': ['truncated', 'truncated'],
  'cut-then-repeats': ['truncated', '+transient'],
  'cut-mid-tool-call': ['truncated', 'answered'],
  'done-after-whole-tool-call': ['truncated', 'answered'],
  'vendor-401': ['vendor-key', 'vendor-key'],
  'vendor-403': ['vendor-not-permitted', 'vendor-not-permitted'],
  'vendor-region': ['vendor-not-permitted', 'vendor-not-permitted'],
  'vendor-key-400': ['vendor-key', 'vendor-key'],
  'vendor-404': ['model', 'model'],
  'vendor-400': ['request', 'request'],
  'vendor-422': ['request', 'request'],
  'vendor-529': ['+transient', '+transient'],
  'vendor-not-json': ['+transient', '+transient'],
  'context-too-long': ['context-too-long', 'context-too-long'],
  'context-too-long-by-text': ['context-too-long', 'context-too-long'],
  '503-no-channel': ['model', 'model'],
  'get-channel-failed': ['model', 'model'],
  'do-request-failed': ['+transient', '+transient'],
  'bad-response-body': ['+transient', '+transient'],
  'empty-response': ['+transient', '+transient'],
  'relay-overloaded': ['+transient', '+transient'],
  database: ['+transient', '+transient'],
  'relay-panic': ['+transient', '+transient'],
  'balance-403': ['balance', 'balance'],
  'pre-consume-403': ['balance', 'balance'],
  'subscription-403': ['balance', 'balance'],
  'model-price-400': ['request', 'request'],
  'sensitive-words': ['content-filter', 'content-filter'],
  'sensitive-words-by-message': ['content-filter', 'content-filter'],
  'convert-request-failed': ['request', 'request'],
  'body-too-large-400': ['too-large', 'too-large'],
  '429-model-limit': ['+rate-limit', '+rate-limit'],
  '429-empty-body': ['+rate-limit', '+rate-limit'],
  '429-retry-after': ['rate-limit', 'rate-limit'],
  '429-retry-after-date': ['rate-limit', 'rate-limit'],
  '429-retry-after-long': ['rate-limit', 'rate-limit'],
  '429-retry-after-then-ok': ['rate-limit', 'answered'],
  '429-tokens-per-minute': ['too-large', 'too-large'],
  '500-then-ok': ['+answered', '+answered'],
  '500-always': ['+transient', '+transient'],
  'openai-quota-429': ['balance', 'balance'],
  'openrouter-402': ['balance', 'balance'],
  'openrouter-503': ['+transient', '+transient'],
  'litellm-budget-400': ['balance', 'balance'],
  'litellm-budget-422': ['balance', 'balance'],
  'litellm-budget-429': ['balance', 'balance'],
  'litellm-no-database': ['key', 'key'],
  'litellm-model-403': ['model', 'model'],
  'litellm-cooldown-429': ['rate-limit', 'rate-limit'],
  'litellm-guardrail': ['content-filter', 'content-filter'],
  'litellm-gemini-401': ['vendor-key', 'vendor-key'],
  '413-html': ['too-large', 'too-large'],
  '502-html': ['+transient', '+transient'],
  '504-html': ['+transient', '+transient'],
  '405-html': ['wrong-address', 'wrong-address'],
  'redirect-other-origin': ['wrong-address', 'wrong-address'],
  'refuses-tools': ['request', 'request'],
};

type Ending = 'answered' | '+answered' | ErrorCode | `+${ErrorCode}`;

describe('asking the sandbox', () => {
  let server: RelayServer;
  let relay: RelayUnderTest;
  /** For models that stall: each relay has one short limit, so that only this one can end the request. */
  let hasty: Record<'timeout-first-token' | 'timeout-idle', RelayUnderTest>;

  before(async () => {
    server = await startRelay({ pauseMs: 20 });
    const { url: baseUrl, key } = server;
    relay = relayUnderTest({ baseUrl, key });
    hasty = {
      'timeout-first-token': relayUnderTest({ baseUrl, key, timeouts: limitFor('timeout-first-token') }),
      'timeout-idle': relayUnderTest({ baseUrl, key, timeouts: limitFor('timeout-idle') }),
    };
  });
  after(async () => {
    for (const { http } of [relay, ...Object.values(hasty)]) http.dispose();
    await server.stop();
  });

  it('gives every good model its answer', async () => {
    for (const { id } of server.models.filter((model) =>
      /^scripted-(?!embedding|image|whisper)/.test(model.id),
    )) {
      for (const stream of [true, false]) {
        const { text, events, course } = await relay.ask({ model: id, stream });
        assert.match(text, /scripted/, id);
        assert.equal(course.at(-1), 'modelFinished');
        const finished = events.at(-1);
        assert.ok(finished?.type === 'modelFinished' && finished.usage?.totalTokens, id);
        assert.equal(finished.reason, 'stop');
      }
    }
  });

  it('gives reasoning under either name apart from the answer', async () => {
    for (const model of [
      'scripted-reasoner',
      'scripted-thinker',
      'fault/think-tags',
      'fault/both-reasoning-fields',
    ]) {
      const { reasoning, text } = await relay.ask({ model });
      assert.ok(reasoning.length > 10, model);
      assert.ok(!text.includes(reasoning.trim()), model);
    }
    assert.equal(
      (await relay.ask({ model: 'fault/both-reasoning-fields' })).reasoning,
      'This thought must be shown once.',
    );
    assert.equal((await relay.ask({ model: 'fault/lone-newline-reasoning' })).reasoning, '');
  });

  it('goes through a tool exchange', async () => {
    for (const model of ['scripted-tools', 'scripted-tools-blocks', 'scripted-reasoner']) {
      const question = { role: 'user', content: 'read README.md' } as const;
      const { events, calls } = await relay.ask({ model, messages: [question], tools });
      const completed = events.find((event) => event.type === 'toolCallsCompleted');
      const [call] = completed?.calls ?? [];
      assert.equal(calls.length, 1);
      assert.ok(call);
      assert.deepEqual(JSON.parse(call.arguments), { path: 'README.md' });
      const { text } = await relay.ask({
        model,
        tools,
        messages: [
          question,
          { role: 'assistant', model, content: '', toolCalls: [call] },
          { role: 'tool', toolCallId: call.id, content: 'The readme says: quince.' },
        ],
      });
      assert.match(text, /quince/, model);
    }
  });

  it('gets the same text from every harmless form of a stream', async () => {
    const same = async (model: string) => {
      const streamed = await relay.ask({ model: `fault/${model}` });
      const whole = await relay.ask({ model: `fault/${model}`, stream: false });
      assert.equal(streamed.text, whole.text, model);
      assert.ok(streamed.text.length > 20, model);
    };
    for (const model of [
      'split-utf8',
      'one-byte-writes',
      'crlf',
      'byte-order-mark',
      'huge-line',
      'many-tiny-chunks',
    ]) {
      await same(model);
    }
  });

  const callForms = [
    'stop-with-tool-calls',
    'sparse-tool-index',
    'same-index-tool-calls',
    'tool-calls-without-index',
    'tool-calls-without-id',
    'tool-call-whole-object',
    'tool-call-arguments-object',
    'repeated-id-and-name',
    'emptied-id-and-name',
    'interleaved-tool-calls',
    'text-around-tool-calls',
  ];
  it('gets the same calls from every form of tool calls', async () => {
    for (const form of callForms) {
      for (const stream of [true, false]) {
        const { calls } = await relay.ask({ model: `fault/${form}`, tools, stream });
        assert.deepEqual(
          calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown]),
          [
            ['read_file', { path: 'README.md' }],
            ['read_file', { path: 'package.json' }],
          ],
          form,
        );
      }
    }
  });

  it('never gives out a call that was cut', async () => {
    for (const model of ['cut-mid-tool-call', 'done-after-whole-tool-call']) {
      assert.deepEqual((await relay.ask({ model: `fault/${model}`, tools })).calls, []);
    }
  });

  it('learns what a vendor refuses, and remembers it', async () => {
    for (const [model, request] of [
      ['fault/refuses-stream-options', {}],
      ['fault/refuses-stream', {}],
      ['fault/refuses-max-tokens', { maxTokens: 500 }],
    ] as const) {
      server.clearRequests();
      assert.equal((await relay.ask({ model, ...request })).course.at(-1), 'modelFinished', model);
      assert.equal(server.requests.length, 2, model);
      assert.equal((await relay.ask({ model, ...request })).course.at(-1), 'modelFinished', model);
      assert.equal(server.requests.length, 3, model);
    }
  });

  describe('that misbehaves', () => {
    it('ends every question in the promised way', async function () {
      this.timeout(60_000);
      const faults = server.models.filter(({ id }) => id.startsWith('fault/'));
      const wrong: string[] = [];
      for (const { id } of faults) {
        const [streamed, whole] = endings[id.slice('fault/'.length)] ?? ['answered', 'answered'];
        for (const [stream, expected] of [
          [true, streamed],
          // Without streaming, a slow model's first token is its last.
          [false, id === 'fault/slow-drip' ? 'timeout-first-token' : whole],
        ] as const) {
          const isTimeout = expected === 'timeout-first-token' || expected === 'timeout-idle';
          const asked = isTimeout ? hasty[expected] : relay;
          const { course, failure } = await asked.ask({ model: id, stream, tools });
          const retried = course.includes('retryScheduled') ? '+' : '';
          const actual = `${retried}${failure ? failure.code : 'answered'}`;
          if (actual !== expected)
            wrong.push(`${id}, ${stream ? 'streamed' : 'whole'}: ${actual}, not ${expected}`);
          if (failure) assert.ok(!`${failure.message} ${failure.why}`.includes(server.key), id);
        }
      }
      assert.deepEqual(wrong, []);
    });

    it('ends every reply that was recorded as its verdict says', async () => {
      for (const [product, verdicts] of Object.entries(recordedVerdicts)) {
        for (const [name, { code, why }] of Object.entries(verdicts)) {
          const { failure } = await relay.ask({ model: `recorded/${product}/${name}`, maxTokens: 5 });
          assert.equal(failure?.code, code, `${product}, ${name}`);
          if (why !== undefined) assert.equal(failure?.why, why, `${product}, ${name}`);
        }
      }
    });

    it('is asked again twice and no more, and not at all once something was shown', async () => {
      const asked = async (model: string) => {
        server.clearRequests();
        await relay.ask({ model: `fault/${model}` });
        return server.requests.length;
      };
      assert.equal(await asked('500-always'), 3);
      assert.equal(await asked('500-then-ok'), 2);
      assert.equal(await asked('error-first-in-200'), 3);
      assert.equal(await asked('error-inside-200'), 1);
      assert.equal(await asked('reset-mid-answer'), 1);
      assert.equal(await asked('429-retry-after-long'), 1);
      assert.equal(await asked('vendor-401'), 1);
    });

    it('is waited for when it says how long', async () => {
      server.clearRequests();
      const patient = relayUnderTest({ baseUrl: server.url, key: server.key, retry: { maxAskedMs: 1_500 } });
      const { events, course } = await patient.ask({ model: 'fault/429-retry-after-then-ok' });
      patient.http.dispose();
      assert.equal(course.at(-1), 'modelFinished');
      assert.ok(events.some((event) => event.type === 'retryScheduled' && event.delayMs === 1000));
    });

    it('leaves no key and no message in the log', async () => {
      for (const { id } of server.models.filter((model) => model.id.startsWith('fault/vendor-'))) {
        await relay.ask({ model: id });
      }
      assert.match(relay.log.join('\n'), /fault\/vendor-/);
      const log = [relay, ...Object.values(hasty)].flatMap((each) => each.log).join('\n');
      assert.ok(!log.includes(server.key) && !log.includes('Hello, 世界') && !log.includes('Bearer'));
    });
  });
});
