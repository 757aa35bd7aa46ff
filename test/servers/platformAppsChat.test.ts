import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AppCalls, outline, readStream } from './platform/apps/appCalls.ts';
import { type PlatformServer, type Sandbox, startSandbox } from './sandbox.ts';
import { readJson, withSandbox } from './testClient.ts';

interface WholeAnswer {
  event: string;
  answer: string;
  conversation_id: string;
  message_id: string;
  mode: string;
  metadata: { usage: { total_tokens: number; total_price: string } };
}

interface Refused {
  code?: string;
  message: string;
  params?: string;
  errors?: Record<string, string>;
}

describe('sandbox apps: chat', () => {
  let sandbox: Sandbox;
  let platform: PlatformServer;
  let chat: AppCalls;
  before(async () => {
    sandbox = await startSandbox();
    platform = sandbox.platform;
    chat = new AppCalls(platform, platform.apps.chat);
  });
  after(() => sandbox.stop());

  it('answers the same streamed and whole', async () => {
    const streamed = await chat.ask('Hello\nthere');
    assert.deepEqual(outline(streamed.events), ['message', 'message_end']);
    const last = streamed.events.at(-1)!;
    assert.match(streamed.text, /> Hello\n> there/);
    assert.equal(new Set(streamed.events.map(({ task_id }) => task_id)).size, 1);
    const whole = await readJson<WholeAnswer>(
      await chat.start('Hello\nthere', { response_mode: 'blocking' }),
    );
    assert.equal(whole.answer, streamed.text);
    assert.equal(whole.event, 'message');
    assert.equal(whole.mode, 'chat');
    assert.equal(whole.metadata.usage.total_tokens, last.metadata!.usage.total_tokens);
    assert.match(whole.metadata.usage.total_price, /^0\.\d+$/);
  });

  it('is whole when no mode is named', async () => {
    const response = await chat.post('/chat-messages', { query: 'Hello', inputs: {} });
    assert.match(response.headers.get('Content-Type') ?? '', /json/);
  });

  it('remembers a conversation', async () => {
    const first = await chat.ask('The lock is closed');
    const { conversation_id } = first.events[0]!;
    const second = await chat.ask('What did I say before?', { conversation_id });
    assert.match(second.text, /1\. The lock is closed/);
    assert.equal(second.events[0]!.conversation_id, conversation_id);
    assert.notEqual(second.events[0]!.message_id, first.events[0]!.message_id);
    const other = await chat.ask('What did I say before?', { conversation_id: '' });
    assert.match(other.text, /not said anything/);
  });

  it('writes as many lines as are asked for', async () => {
    const { text } = await chat.ask('Write 40 lines');
    assert.equal(text.split('\n').length - 1, 40);
  });

  it('quotes files, but only those of the user', async () => {
    const id = await chat.uploaded('notes.md', 'The sill is at 0.4 m.');
    const files = [
      { type: 'document', transfer_method: 'local_file', upload_file_id: id },
      { type: 'image', transfer_method: 'remote_url', url: 'https://example.com/tide.png' },
    ];
    const { text } = await chat.ask('Read this', { files });
    assert.match(text, /File `notes\.md`:\n\n````\nThe sill is at 0\.4 m\.\n````/);
    assert.match(text, /File at <https:\/\/example\.com\/tide\.png>/);
    const bob = new AppCalls(platform, platform.apps.chat, 'bob');
    const refused = await bob.start('Read this', { files });
    assert.equal(refused.status, 400);
    assert.equal((await readJson<Refused>(refused)).message, 'Invalid upload file');
  });

  const wrong: readonly [string, object, number, string, RegExp][] = [
    ['no user', { user: undefined }, 400, 'invalid_param', /^Arg user must be provided\.$/],
    ['an empty query', { query: '' }, 400, 'invalid_param', /^query is required$/],
    ['no query', { query: undefined }, 400, 'invalid_param', /query\n {2}Field required/],
    ['no inputs', { inputs: undefined }, 400, 'invalid_param', /inputs\n {2}Field required/],
    [
      'an unknown mode',
      { response_mode: 'sync' },
      400,
      'invalid_param',
      /Input should be 'blocking' or 'streaming'/,
    ],
    [
      'a conversation that is no UUID',
      { conversation_id: 'x' },
      400,
      'invalid_param',
      /must be a valid UUID/,
    ],
    [
      'an unknown conversation',
      { conversation_id: randomUUID() },
      404,
      'not_found',
      /^Conversation Not Exists\./,
    ],
  ];
  for (const [what, body, status, code, message] of wrong) {
    it(`refuses ${what}`, async () => {
      const response = await chat.start('Hello', body);
      assert.equal(response.status, status);
      const refused = await readJson<Refused>(response);
      assert.equal(refused.code, code);
      assert.match(refused.message, message);
    });
  }

  it("does not know another user's or another app's conversation", async () => {
    const { events } = await chat.ask('Mine');
    const { conversation_id } = events[0]!;
    for (const other of [
      new AppCalls(platform, platform.apps.chat, 'bob'),
      new AppCalls(platform, platform.apps.agent),
    ]) {
      assert.equal((await other.start('Whose?', { conversation_id })).status, 404);
    }
  });

  it('refuses apps of other modes', async () => {
    const { workflow, completion } = platform.apps;
    for (const [app, path, code] of [
      [workflow, '/chat-messages', 'not_chat_app'],
      [completion, '/chat-messages', 'not_chat_app'],
      [platform.apps.chat, '/completion-messages', 'app_unavailable'],
      [platform.apps.chat, '/workflows/run', 'not_workflow_app'],
      [workflow, '/conversations', 'not_chat_app'],
    ] as const) {
      const calls = new AppCalls(platform, app);
      const response = await (path === '/conversations'
        ? calls.get(path)
        : calls.post(path, { query: 'Hello', inputs: {} }));
      assert.equal(response.status, 400, path);
      assert.equal((await readJson<Refused>(response)).code, code);
    }
  });

  it('refuses bodies that are no JSON', async () => {
    const init = { headers: { Authorization: `Bearer ${platform.apps.chat.key}` }, body: 'query=1' };
    assert.equal((await chat.post('/chat-messages', {}, init)).status, 415);
  });

  describe('agents', () => {
    it('tell each thought several times, and repeat it in the answer', async () => {
      const agent = new AppCalls(platform, platform.apps.agent);
      const { events, text } = await agent.ask('When does the lock open?');
      const thoughts = events.filter(({ event }) => event === 'agent_thought');
      assert.deepEqual(outline(events), [
        'agent_thought',
        'agent_message',
        'agent_thought',
        'agent_message',
        'agent_thought',
        'message_end',
      ]);
      const [first, second] = [...new Set(thoughts.map(({ id }) => id))].map((id) =>
        thoughts.filter((thought) => thought.id === id),
      );
      assert.deepEqual([first!.length, second!.length], [3, 2]);
      assert.match(first!.at(-1)!.tool_input!, /tide_table/);
      assert.match(first!.at(-1)!.observation!, /The lock opens/);
      const last = thoughts.at(-1)!;
      assert.ok(text.endsWith(last.thought!));
      assert.equal(events.at(-1)!.metadata!.retriever_resources[0]!.document_name, 'docs/harbour-rules.md');
    });

    it('make files with their tools, which open', async () => {
      const { events } = await new AppCalls(platform, platform.apps.agent).ask('Draw a chart');
      const file = events.find(({ event }) => event === 'message_file')!;
      const response = await fetch(file.url!);
      assert.equal(response.headers.get('Content-Type'), 'image/png');
      assert.equal((await fetch(file.url!.split('?')[0]!)).status, 403);
    });

    it('do not answer whole', async () => {
      const agent = new AppCalls(platform, platform.apps.agent);
      for (const response_mode of ['blocking', undefined]) {
        const response = await agent.start('Hello', { response_mode });
        assert.equal(response.status, 400);
        const { message } = await readJson<Refused>(response);
        assert.equal(message, 'Agent Chat App does not support blocking mode');
      }
    });

    it('may repeat the whole answer at the end', async () => {
      const { events } = await new AppCalls(platform, platform.apps.agentRepeats).ask('Hello');
      const told = events.filter(({ event }) => event === 'agent_message').map(({ answer }) => answer);
      const repeated = events.filter(({ event }) => event === 'message');
      assert.equal(repeated.length, 1);
      assert.equal(repeated[0]!.answer, told.join(''));
    });
  });

  describe('completions', () => {
    it('rewrite what they get, without a conversation', async () => {
      const calls = new AppCalls(platform, platform.apps.completion);
      const { events, text } = await calls.ask('', { inputs: { query: 'Mind the sill', style: 'whisper' } });
      assert.equal(text, '*mind the sill*');
      assert.deepEqual(outline(events), ['message', 'message_end']);
      assert.ok(events.every((event) => !('conversation_id' in event)));
      const whole = await calls.start('', { inputs: { query: 'Mind' }, response_mode: 'blocking' });
      assert.equal((await readJson<WholeAnswer>(whole)).answer, 'MIND');
    });
  });

  describe('dialects and versions', () => {
    const sync = { response_mode: 'sync' };

    it('as described: sync is taken, and blocking is not', () =>
      withSandbox(
        async ({ platform: described }) => {
          const calls = new AppCalls(described, described.apps.chat);
          assert.match((await readJson<WholeAnswer>(await calls.start('Hello', sync))).answer, /> Hello/);
          const refused = await calls.start('Hello', { response_mode: 'blocking' });
          assert.equal(refused.status, 400);
          assert.match((await readJson<Refused>(refused)).message, /response_mode/);
          const agent = new AppCalls(described, described.apps.agent);
          assert.match((await readJson<Refused>(await agent.start('Hello', sync))).message, /Agent Chat App/);
        },
        { platform: { dialect: 'description' } },
      ));

    const shapes: readonly [string, Refused][] = [
      [
        '1.10.1',
        {
          errors: { response_mode: "The value 'sync' is not a valid choice for 'response_mode'." },
          message: 'Input payload validation failed',
        },
      ],
      ['1.7.0', { code: 'invalid_param', message: 'sync is not a valid choice', params: 'response_mode' }],
    ];
    for (const [version, expected] of shapes) {
      it(`${version} refuses sync in its own way`, () =>
        withSandbox(
          async ({ platform: old }) => {
            const response = await new AppCalls(old, old.apps.chat).start('Hello', sync);
            assert.equal(response.status, 400);
            assert.deepEqual(await readJson<Refused>(response), expected);
          },
          { platform: { version } },
        ));
    }

    it('can send what no client knows', () =>
      withSandbox(
        async ({ platform: strange }) => {
          const response = await new AppCalls(strange, strange.apps.chat).start('Hello');
          const { events, pings } = readStream(await response.text());
          assert.ok(pings > 1);
          assert.ok(events.some(({ event }) => event === 'sandbox_novelty'));
          assert.ok(events.some((event) => 'sandbox_extra' in event));
        },
        { platform: { streamExtras: ['pings', 'unknown-events', 'unknown-fields'] } },
      ));

    it('can pause between events', () =>
      withSandbox(
        async ({ platform: slow }) => {
          const { text } = await new AppCalls(slow, slow.apps.chat).ask('Hello');
          assert.match(text, /> Hello/);
        },
        { platform: { chunkDelayMs: 1 } },
      ));
  });
});
