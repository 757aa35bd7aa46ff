import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import { asObject, type JsonObject } from '../../../src/base/json.ts';
import type { Message, ModelRequest, ToolDefinition } from '../../../src/relay/messages.ts';
import { createProfiles, type ModelProfiles } from '../../../src/relay/profile/modelFacts.ts';
import { textOf } from '../../servers/relay/chatRequest.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { finish, reasoning, type ScriptedModel, text, toolCall } from '../../servers/script/script.ts';
import { faultEndings, limitFor } from '../../support/faultEndings.ts';
import { type Outcome, type RelayUnderTest, relayUnderTest } from '../../support/relayUnderTest.ts';

const readFile: ToolDefinition = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

const careful: ScriptedModel = {
  id: 'careful',
  ownedBy: 'openai',
  describe: 'Reasons before each of two calls.',
  *answer({ messages }) {
    const last = messages.at(-1);
    if (last?.role === 'tool') return yield text(`Read: ${textOf(last)}`);
    yield reasoning('First a.');
    yield text('Looking.');
    for (const path of ['a', 'b']) {
      yield reasoning(`Now ${path}.`);
      yield toolCall({ id: `call_${path}`, name: 'read_file', arguments: JSON.stringify({ path }) });
    }
    yield finish('tool_calls');
  },
};
const failing: ScriptedModel = {
  id: 'failing',
  ownedBy: 'openai',
  describe: 'Fails at the end.',
  *answer() {
    yield finish('error');
  },
};

const keptOf = ({ events }: Outcome) =>
  events.flatMap((event) => (event.type === 'reasoningSigned' ? event.blocks : []));
const callsOf = ({ events }: Outcome) =>
  events.flatMap((event) => (event.type === 'toolCallsCompleted' ? event.calls : []));
const question: Message = { role: 'user', content: 'read a and b' };
const answerOf = (model: string, outcome: Outcome): Message => ({
  ...{ role: 'assistant', model, content: outcome.text },
  ...{ signedReasoning: keptOf(outcome), toolCalls: callsOf(outcome) },
});
const results = (outcome: Outcome): Message[] =>
  callsOf(outcome).map(({ id }) => ({ role: 'tool', toolCallId: id, content: 'let a' }));

describe('the responses protocol through sockets', () => {
  const profiles: ModelProfiles = { ...createProfiles(), chosenProtocol: () => 'responses' };
  let server: RelayServer;
  let byResponses: RelayUnderTest;
  let byChat: RelayUnderTest;

  before(async () => {
    server = await startRelay({ models: [careful, failing] });
    const { url: baseUrl, key } = server;
    byResponses = relayUnderTest({ baseUrl, key, profiles });
    byChat = relayUnderTest({ baseUrl, key });
  });
  after(async () => {
    byResponses.http.dispose();
    byChat.http.dispose();
    await server.stop();
  });
  beforeEach(() => server.clearRequests());
  const lastInput = () => (server.requests.at(-1)?.json as { input: JsonObject[] } | undefined)?.input ?? [];
  const paths = () => server.requests.map(({ path }) => path);

  for (const stream of [true, false]) {
    const how = stream ? 'streamed' : 'in one piece';
    it(`says what chat completions say, ${how}`, async () => {
      for (const model of ['scripted-echo', 'scripted-writer', 'scripted-reasoner']) {
        const [one, other] = [await byResponses.ask({ model, stream }), await byChat.ask({ model, stream })];
        assert.equal(one.failure, undefined);
        assert.deepEqual([one.text, one.reasoning], [other.text, other.reasoning]);
        const [usage, same] = [one, other].map(({ events }) => {
          const last = events.at(-1);
          return last?.type === 'modelFinished' ? last.usage : undefined;
        });
        // A whole answer is counted as one text, a stream by its pieces.
        if (stream) assert.deepEqual(usage, same);
        assert.ok(usage?.promptTokens && usage.promptTokens === same?.promptTokens);
      }
      assert.deepEqual([...new Set(paths())], ['/v1/responses', '/v1/chat/completions']);
    });

    it(`goes on with what was reasoned and called, ${how}`, async () => {
      const ask: Partial<ModelRequest> = { model: 'careful', stream, tools: [readFile] };
      const first = await byResponses.ask({ ...ask, messages: [question] });
      assert.equal(first.failure, undefined);
      assert.deepEqual(
        callsOf(first).map(({ id, arguments: args }) => [id, args]),
        [
          ['call_a', '{"path":"a"}'],
          ['call_b', '{"path":"b"}'],
        ],
      );
      assert.equal(first.reasoning, 'First a.\n\nNow a.\n\nNow b.');
      const messages = [question, answerOf('careful', first), ...results(first)];
      const second = await byResponses.ask({ ...ask, messages });
      assert.equal(second.failure, undefined);
      assert.equal(second.text, 'Read: let a');
      // Each reasoning item precedes its call, and goes back to its own model.
      assert.deepEqual(
        lastInput().map(({ type, role }) => type ?? role),
        [
          ...['user', 'reasoning', 'message', 'reasoning', 'function_call', 'reasoning', 'function_call'],
          ...['function_call_output', 'function_call_output'],
        ],
      );
      assert.equal(asObject(lastInput()[2])?.['phase'], 'commentary');
    });
  }

  it('keeps the beginning of a conversation as it was', async () => {
    const ask: Partial<ModelRequest> = { model: 'careful', tools: [readFile] };
    const first = await byResponses.ask({ ...ask, messages: [question] });
    const messages = [question, answerOf('careful', first), ...results(first)];
    const second = await byResponses.ask({ ...ask, messages });
    const before = JSON.stringify(lastInput()).slice(0, -1);
    const last: Message = { role: 'assistant', model: 'careful', content: second.text };
    await byResponses.ask({ ...ask, messages: [...messages, last, question] });
    assert.ok(JSON.stringify(lastInput()).startsWith(before));
  });

  it('gives no model the reasoning of another one', async () => {
    const ask = { tools: [readFile] };
    const first = await byResponses.ask({ ...ask, model: 'careful', messages: [question] });
    const messages = [question, answerOf('careful', first), ...results(first)];
    const second = await byResponses.ask({ ...ask, model: 'scripted-tools', messages });
    assert.equal(second.failure, undefined);
    assert.ok(lastInput().every(({ type }) => type !== 'reasoning'));
  });

  it('asks for an effort, a limit and a place in the cache', async () => {
    const { failure } = await byResponses.ask({
      ...{ model: 'scripted-reasoner', reasoningEffort: 'max', maxTokens: 500, cacheKey: 'k' },
    });
    assert.equal(failure, undefined);
    const sent = server.requests.at(-1)?.json as JsonObject;
    assert.deepEqual(sent['reasoning'], { effort: 'max', summary: 'auto' });
    assert.deepEqual([sent['max_output_tokens'], sent['prompt_cache_key'], sent['store']], [500, 'k', false]);
  });

  it('shows a picture', async () => {
    const images = [{ mimeType: 'image/png', data: 'AAAA' }];
    const { text: told } = await byResponses.ask({ messages: [{ role: 'user', content: 'look', images }] });
    assert.match(told, /1 images/);
  });

  const reasons: [model: string, reason: string][] = [
    ['fault/length', 'length'],
    ['fault/content-filter', 'content_filter'],
    ['scripted-echo', 'stop'],
  ];
  for (const [model, reason] of reasons) {
    for (const stream of [true, false]) {
      it(`${model}${stream ? '' : ', in one piece'} ends with ${reason}`, async () => {
        const { events } = await byResponses.ask({ model, stream });
        const last = events.at(-1);
        assert.equal(last?.type === 'modelFinished' && last.reason, reason);
      });
    }
  }

  const endings: Record<string, ErrorCode | undefined> = {
    ...faultEndings,
    failing: 'transient',
  };
  for (const [model, code] of Object.entries(endings)) {
    it(`${model}: ${code ?? 'answered'}`, async () => {
      const { url: baseUrl, key } = server;
      const { http, ask } = relayUnderTest({ baseUrl, key, timeouts: limitFor(code), profiles });
      const { failure } = await ask({ model });
      http.dispose();
      assert.equal(failure?.code, code);
      assert.ok(paths().every((path) => path === '/v1/responses'));
    });
  }

  it('fails in one piece as well', async () => {
    const { failure } = await byResponses.ask({ model: 'failing', stream: false });
    assert.deepEqual(
      [failure?.code, failure?.why],
      ['transient', 'The model failed to generate a response.'],
    );
  });

  describe('at the sandbox, which refuses as the vendor does', () => {
    const ask = async (input: object[], more: object = {}) => {
      const response = await fetch(`${server.url}/v1/responses`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ model: 'careful', store: false, input, ...more }),
      });
      const { error, output } = (await response.json()) as {
        error: { message: string; code: string | null } | null;
        output?: JsonObject[];
      };
      return { status: response.status, error, output: output ?? [] };
    };
    const user = { role: 'user', content: 'u' };
    const call = { type: 'function_call', call_id: 'c', name: 'read_file', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'c', output: 'x' };
    const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] };
    const thought = (more: object = {}) => ({
      ...{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABunknown' },
      ...more,
    });

    const refused: [what: string, status: number, message: RegExp, input: object[], more?: object][] = [
      ['an open call', 400, /^No tool output found for function call c\.$/, [user, call]],
      ['an orphan', 400, /^No tool call found for function call output with call_id c\.$/, [user, output]],
      [
        'an unknown blob',
        400,
        /^The encrypted content gAAA\.\.\.nown could not be verified/,
        [thought(), said],
      ],
      [
        'an id without blob',
        404,
        /^Item with id 'rs_1' not found/,
        [thought({ encrypted_content: null }), said],
      ],
      ['a stored id', 404, /^Item with id 'rs_1' not found/, [thought(), said], { store: true }],
      ['a foreign id', 400, /Expected an ID that begins with 'fc'/, [{ ...call, id: 'call_1' }, output]],
      ['a long id', 400, /string too long/, [{ ...said, id: `msg_${'x'.repeat(80)}` }, user]],
      ['a long call id', 400, /input\[0\]\.call_id.*string too long/, [{ ...call, call_id: 'x'.repeat(65) }]],
      ['a small limit', 400, /Expected a value >= 16/, [user], { max_output_tokens: 4 }],
      [
        'a part of the other role',
        400,
        /Invalid value/,
        [{ ...said, content: [{ type: 'input_text', text: 'x' }] }],
      ],
    ];
    for (const [what, status, message, input, more] of refused) {
      it(what, async () => {
        const answer = await ask(input, more);
        assert.equal(answer.status, status);
        assert.match(answer.error?.message ?? '', message);
      });
    }

    it('reasoning of another model, under another id, or before nothing', async () => {
      const include = { include: ['reasoning.encrypted_content'] };
      const { output: items } = await ask([user], include);
      const [own] = items.filter(({ type }) => type === 'reasoning');
      assert.ok(own);
      assert.equal((await ask([user, own, said, user])).status, 200);
      const codeOf = async (input: object[], more: object = {}) => (await ask(input, more)).error?.code;
      assert.equal(await codeOf([own, said, user], { model: 'scripted-echo' }), 'invalid_encrypted_content');
      assert.match((await ask([{ ...own, id: 'rs_x' }, said])).error?.message ?? '', /item_id did not match/);
      assert.match((await ask([user, own])).error?.message ?? '', /without its required following item/);
    });
  });
});
