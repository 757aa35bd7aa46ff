import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json.ts';
import { CheckLimits, mostRequests, mostTokens } from '../../../../src/relay/check/checkLimits.ts';
import { checkModel } from '../../../../src/relay/check/checkModel.ts';
import { renderCheckReport } from '../../../../src/relay/check/checkReport.ts';
import { linesOf } from '../../../support/checked.ts';
import type { Reply } from '../../../support/replayNetwork.ts';
import {
  type ChatAnswer,
  chatAnswer,
  chatRefusal,
  type GotRequest,
  responsesAnswer,
  servingRelay,
} from '../../../support/servingRelay.ts';
import { silentLog } from '../../../support/silentLog.ts';

const connection = {
  baseUrl: 'https://relay.example:8443/sub',
  key: 'sk-0123456789abcdef',
  headers: { 'x-gateway': 'gateway-secret-42' },
  headerSecrets: ['gateway-secret-42'],
};

function check(http: ReturnType<typeof servingRelay>) {
  return checkModel(
    {
      ...{ http, connection, log: silentLog },
      timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 },
    },
    { model: 'm', signal: new AbortController().signal, onStep: () => undefined },
  );
}

const count = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 100_000 }));
const usage = fc.option(fc.record({ prompt_tokens: count, completion_tokens: count }, { requiredKeys: [] }), {
  nil: undefined,
});
/** Tokens of three bytes each, up to the request's limit. */
const text = fc.nat({ max: 256 }).map((tokens) => 'Abc'.repeat(tokens));
const calls = fc.array(
  fc.record({
    name: fc.constantFrom('get_number', 'x'.repeat(100), ''),
    arguments: fc.oneof(fc.constant('{"name":"alpha"}'), fc.string(), fc.json()),
  }),
  { maxLength: 6 },
);
const answer = fc
  .record({ text, calls, usage }, { requiredKeys: [] })
  .filter((given) => tokensOf(given) <= 256);
/** Each teaches another form of the request, or ends the probe. */
const refusal = fc
  .constantFrom(
    ['max_tokens', "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."],
    ['max_completion_tokens', "Unsupported parameter: 'max_completion_tokens' is not supported."],
    ['reasoning_effort', "Unsupported parameter: 'reasoning_effort'."],
    ['stream_options', 'Unknown field.'],
    ['stream', 'Unknown field.'],
    ['', 'Function tools are not supported. Please use /v1/responses instead.'],
    ['', "'messages[0].role' does not support 'system' with this model"],
    ['', 'm does not support tools'],
    ['', 'Unknown name "x": Cannot find field.'],
  )
  .map(([param, message = '']) => ({ param, message }));
const reply = fc.oneof(
  { weight: 3, arbitrary: answer },
  { weight: 2, arbitrary: refusal },
  { weight: 1, arbitrary: fc.constantFrom(404, 500, 503) },
);

/** Keeps a model to the request's limit. The relay has no messages protocol. */
function served<T extends ChatAnswer>(
  given: T,
  path: string,
  { max_tokens: limit, max_output_tokens: other }: JsonObject,
): T | number {
  if (path === '/sub/v1/messages') return 404;
  const most = Number(limit ?? other ?? 256);
  return tokensOf(given) <= most ? given : { ...given, calls: [], text: 'Abc'.repeat(most) };
}

type Given = number | ChatAnswer | { param: string; message: string };

function toReply(given: Given, path: string): Reply {
  if (typeof given === 'number') return chatRefusal(given, 'No.');
  if ('message' in given) return chatRefusal(400, given.message, { param: given.param });
  return path === '/sub/v1/responses' ? responsesAnswer(given) : chatAnswer(given);
}

/** Lower bound for the tokens of an answer's visible part. */
function tokensOf({ text: said = '', calls: made = [] }: ChatAnswer): number {
  const all = [said, ...made.map(({ name, arguments: args }) => name + args)].join('');
  return Math.floor(Buffer.byteLength(all) / 3);
}

describe('the limits of a check', () => {
  it('hold whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 12 }), async (replies) => {
        let prompts = 0;
        let answers = 0;
        let told = 0;
        const http = servingRelay(({ path, size, body }: GotRequest) => {
          // Tokens known to be spent when this request is sent.
          assert.ok(told < mostTokens, `${told} tokens were reported before`);
          const next = replies[(http.sent.length - 1) % replies.length] ?? 500;
          const given = typeof next === 'object' && !('message' in next) ? served(next, path, body) : next;
          prompts += size / 4;
          if (typeof given === 'object' && !('message' in given)) {
            answers += tokensOf(given);
            told += (given.usage?.prompt_tokens ?? 0) + (given.usage?.completion_tokens ?? 0);
          }
          return toReply(given, path);
        });
        const { requests, tokens } = await check(http);
        assert.ok(http.sent.length <= mostRequests, `${http.sent.length} requests`);
        assert.equal(requests, http.sent.length);
        assert.ok(prompts + answers <= mostTokens, `${prompts} + ${answers} tokens`);
        assert.ok(tokens >= prompts + answers, `${tokens} counted`);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });

  describe('count', () => {
    const sent = async (response: Reply) => {
      const limits = new CheckLimits();
      const counted = limits.count(servingRelay(() => response));
      const body = JSON.stringify({ max_tokens: 256 }).padEnd(400);
      await counted.http.send({
        ...{ method: 'POST', url: 'https://relay.example/v1', headers: {}, body },
        ...{ timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 }, signal: new AbortController().signal },
      });
      return { limits, counted };
    };

    it('what was sent with its whole answer, until that is there', async () => {
      const { limits, counted } = await sent({});
      assert.deepEqual([limits.requests, limits.tokens], [1, 100 + 256]);
      counted.settle('Hello.', { promptTokens: 90, completionTokens: 8 });
      assert.equal(limits.tokens, 100 + 8);
    });

    it('no less than what came, whatever the relay says', async () => {
      const { limits, counted } = await sent({});
      counted.settle('Abc'.repeat(50), { promptTokens: 0, completionTokens: 0 });
      assert.equal(limits.tokens, 100 + 50);
    });

    it('the relay’s own count where that is the higher one', async () => {
      const { limits, counted } = await sent({});
      counted.settle('Hello.', { promptTokens: 150, completionTokens: 300 });
      assert.equal(limits.tokens, 150 + 300);
    });

    it('no answer for a refusal', async () => {
      const { limits, counted } = await sent(chatRefusal(400, 'No.'));
      counted.settle('', undefined);
      assert.equal(limits.tokens, 100);
    });
  });

  it('leave out what would pass them, and say so', async () => {
    const http = servingRelay(({ path, body }) =>
      !path.endsWith('/v1/chat/completions')
        ? chatRefusal(404, 'Not found')
        : chatAnswer({
            ...(body['tools'] ? { calls: [{ name: 'get_number', arguments: '{}' }] } : { text: 'ready' }),
            usage: { prompt_tokens: 2_000, completion_tokens: 200 },
          }),
    );
    const result = await check(http);
    const lines = linesOf(result);
    assert.equal(lines.calls, 'warning: One call per answer, although two were requested.');
    assert.equal(lines.results, 'skipped: Not checked within the limits of this check.');
    assert.equal(lines.images, "warning: Accepted, but its colors weren't recognized.");
    assert.equal(lines.effort, 'skipped: Not checked within the limits of this check.');
    assert.equal(http.sent.length, 5);
  });

  it('reserve more for an answer that no limit goes with', async () => {
    const http = servingRelay(({ path, body }) => {
      if (!path.endsWith('/v1/chat/completions')) return chatRefusal(404, 'Not found');
      return body['max_tokens'] === undefined
        ? chatAnswer({ text: 'ready' })
        : chatRefusal(400, "Unsupported parameter: 'max_tokens'.", { param: 'max_tokens' });
    });
    const result = await check(http);
    // Without usage, the first one may have taken all that was reserved.
    assert.ok(result.tokens > 1_000 * (http.sent.length - 3), `${result.tokens}`);
    assert.equal(linesOf(result).effort, 'skipped: Not checked within the limits of this check.');
  });
});

describe('the report of a check', () => {
  const places = ['relay.example', '8443', 'sk-0123456789abcdef', 'gateway-secret-42', '/sub'];

  it('holds no key, no address and no host, whatever the relay says', async () => {
    const hostile = fc
      .array(fc.constantFrom(...places, 'https://', 'HTTPS://RELAY.EXAMPLE:8443/sub', ' ', ':', '\n', 'no'), {
        maxLength: 12,
      })
      .map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(
        hostile,
        fc.constantFrom('chat', 'messages', 'responses', 'all', 'none'),
        async (words, refused) => {
          const http = servingRelay(({ path }) => {
            const isRefused = refused === 'all' || path.includes(refused);
            if (isRefused) return chatRefusal(400, words, { param: words, code: words });
            return chatAnswer({ text: words, model: words });
          });
          const report = renderCheckReport([await check(http)], []);
          for (const secret of ['relay.example', 'sk-0123456789abcdef', 'gateway-secret-42', '://']) {
            assert.ok(!report.toLowerCase().includes(secret), report);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('has what was asked, what it took, and each finding with its cause', async () => {
    const http = servingRelay(({ path }) =>
      !path.endsWith('/v1/chat/completions')
        ? { ...chatRefusal(404, 'Invalid URL'), headers: { 'x-request-id': 'r-1' } }
        : chatAnswer({ text: 'ready', usage: { prompt_tokens: 60, completion_tokens: 2 } }),
    );
    const report = renderCheckReport([await check(http)], ['About this']);
    const [about, empty, title, took, protocol, chat, messages, cause] = report.split('\n');
    assert.deepEqual([about, empty, title], ['About this', '', 'Model m']);
    assert.match(took ?? '', /^7 requests, \d,\d{3} tokens$/);
    assert.deepEqual(
      [protocol, chat, messages],
      [
        'Protocol in use: Chat completions',
        '[OK] Chat completions: Answered.',
        '[No] Messages protocol: Refused.',
      ],
    );
    assert.match(cause ?? '', /^ {4}Server response: Invalid URL \(status 404/);
  });
});
