import assert from 'node:assert/strict';
import { mostRequests, mostTokens } from '../../../src/relay/check/checkLimits.ts';
import type { FindingName } from '../../../src/relay/check/checkFindings.ts';
import type { ModelFacts } from '../../../src/relay/profile/modelFacts.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { checked } from '../../support/checked.ts';

describe('a check of a model of the sandbox', () => {
  let server: RelayServer;
  before(async () => {
    server = await startRelay({ chunkDelayMs: 2 });
  });
  after(() => server.stop());
  beforeEach(() => server.clearRequests());

  const check = (model: string) => checked({ baseUrl: server.url, key: server.key, model });

  const expectations: [
    model: string,
    lines: Partial<Record<FindingName, string>>,
    facts?: Partial<ModelFacts>,
  ][] = [
    [
      'scripted-tools',
      {
        'chat-completions': 'ok: Answered.',
        messages: 'ok: Answered.',
        streaming: 'ok: Answers arrive in pieces.',
        calls: 'ok: Several calls in one answer.',
        results: 'ok: Calls with their results are accepted and answered.',
        images: "warning: Accepted, but its colors weren't recognized.",
        reasoning: 'no: None was shown or counted.',
        usage: 'ok: Reported with every answer.',
        name: 'ok: The answers name the requested model.',
      },
      { protocol: 'chat-completions', toolCalling: true },
    ],
    ['scripted-reasoner', { reasoning: 'ok: Shown with the answer.' }],
    [
      'vendor/no-tools',
      { calls: 'no: Refused.', results: 'skipped: No call was made.' },
      { toolCalling: false },
    ],
    ['vendor/no-vision', { images: 'no: Refused.' }, { vision: false }],
    // Calls of this model carry a signature that has to come back.
    ['vendor/gemini-3', { results: 'ok: Calls with their results are accepted and answered.' }],
    ['vendor/claude', { results: 'ok: Calls with their results are accepted and answered.' }],
    ['vendor/claude-thinking', { results: 'ok: Calls with their results are accepted and answered.' }],
    ['vendor/deepseek-v4', { results: 'ok: Calls with their results are accepted and answered.' }],
    [
      'vendor/o-series',
      { calls: 'ok: Several calls in one answer.' },
      { maxTokensField: 'max_completion_tokens' },
    ],
    [
      'vendor/openai-responses',
      {
        responses: 'ok: Answered.',
        calls: 'ok: Several calls in one answer.',
        results: 'ok: Calls with their results are accepted and answered.',
        images: "warning: Accepted, but its colors weren't recognized.",
        effort: 'ok: Effort "low" is accepted.',
      },
      { protocol: 'responses', effortWithTools: true },
    ],
    ['fault/ignores-stream', { streaming: 'no: Not supported. Answers arrive all at once.' }],
    ['fault/refuses-stream', { streaming: 'no: Refused. Answers arrive all at once.' }, { stream: false }],
    ['fault/answers-as-another', { name: 'warning: The answers name another model: "cheaper-model-mini"' }],
    ['fault/no-usage', { usage: 'no: Not reported.' }],
    ['fault/claude-caches-nothing', { calls: 'warning: Tools are accepted, but no call was made.' }],
  ];
  for (const [model, expected, facts = {}] of expectations) {
    it(`tells what the relay serves of ${model}`, async () => {
      const { check: result, lines } = await check(model);
      const told = Object.fromEntries(
        Object.keys(expected).map((name) => [name, lines[name as FindingName]]),
      );
      assert.deepEqual(told, expected);
      assert.deepEqual({ ...result.facts, ...facts }, result.facts);
      assert.ok(server.requests.length <= mostRequests && result.requests === server.requests.length);
      assert.ok(result.tokens <= mostTokens, `${result.tokens} tokens`);
    });
  }

  it('finds tools without reasoning where the relay lacks the responses protocol', async () => {
    const lacking = await startRelay({ dialect: 'one-api' });
    try {
      const { baseUrl, key } = { baseUrl: lacking.url, key: lacking.key };
      const { check: result, lines } = await checked({ baseUrl, key, model: 'vendor/openai-responses' });
      assert.equal(lines.responses, 'no: Refused.');
      assert.equal(lines.calls, 'warning: Several calls in one answer. Only without reasoning.');
      assert.match(lines.effort, /^ok: /);
      assert.deepEqual(
        [result.protocol, result.facts.lacksResponses, result.facts.effortWithTools],
        ['chat-completions', true, false],
      );
      assert.ok(lacking.requests.length <= mostRequests && result.tokens <= mostTokens);
    } finally {
      await lacking.stop();
    }
  });

  it('sees whether caching is honoured', async () => {
    const { lines: kept } = await check('fault/claude-caches-marked');
    assert.match(kept.caching, /^ok: [\d,]+ of [\d,]+ tokens in the second prompt came from the cache\.$/);
    const { lines: lost } = await check('fault/claude-caches-nothing');
    assert.match(lost.caching, /^warning: The same prompt was sent twice \([\d,]+ tokens\), but nothing/);
  });

  it('asks a model that is limited for good once', async () => {
    const { check: result, lines, report } = await check('fault/429-model-limit');
    assert.equal(server.requests.length, 1);
    assert.equal(result.endedBy, 'rate-limit');
    assert.match(lines['chat-completions'], /^warning: Rate limit reached/);
    assert.deepEqual(result.facts, {});
    assert.match(report, /status 429/);
  });

  it('hands on neither key nor address', async () => {
    const { report } = await check('fault/refuses-tools');
    const { host, hostname, port } = new URL(server.url);
    for (const secret of [server.key, server.url, host, hostname, port]) {
      assert.ok(!report.includes(secret), report);
    }
  });

  it('of a relay that is gone says so without its address', async () => {
    const gone = await startRelay();
    await gone.stop();
    const { check: result, report } = await checked({ baseUrl: gone.url, key: gone.key, model: 'm' });
    assert.equal(result.endedBy, 'offline');
    assert.match(report, /^\[Warning\] Chat completions: Connection refused by \*\*\*/m);
    assert.ok(!report.includes(new URL(gone.url).port), report);
  });
});
