import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { type AppClient, readSite } from '../../../../src/apps/client/appClient.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { appNetwork, json, type Reply } from './appNetwork.ts';

const signal = () => new AbortController().signal;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The result of one call of the client, and its request. */
async function call<T>(reply: Reply, use: (client: AppClient) => Promise<T>) {
  const { client, sent } = appNetwork(reply);
  const value = await use(client);
  const [{ call: line, body } = { call: '', body: undefined }] = sent;
  return { value: value === undefined ? undefined : plain(value), line, body };
}

describe('createAppClient', () => {
  it('tells the kind of app, also of servers that do not say', async () => {
    const kinds = [
      'chat',
      'agent-chat',
      'agent',
      'advanced-chat',
      'completion',
      'workflow',
      'hologram',
      undefined,
    ];
    const read = await Promise.all(
      kinds.map((mode) => call(json({ name: 'A', mode }), (client) => client.info(signal()))),
    );
    assert.deepEqual(
      read.map(({ value }) => (value as { kind: string }).kind),
      ['chat', 'agent', 'agent', 'chatflow', 'completion', 'workflow', 'unknown', 'unknown'],
    );
  });

  it('takes no description of an app from what is none', async () => {
    await assert.rejects(appNetwork(json({ welcome: 'x' })).client.info(signal()), SwitchboardError);
  });

  it('reads icons of both forms', async () => {
    const icons = { a: 'https://a.example/x.png', b: { content: '🔎', background: '#fff' }, c: 5 };
    const { value, line } = await call(json({ tool_icons: icons }), (client) => client.meta(signal()));
    assert.deepEqual(value, { a: 'https://a.example/x.png', b: { content: '🔎', background: '#fff' } });
    assert.equal(line, 'GET /v1/meta?user=me');
  });

  it('lists conversations by pages', async () => {
    const { value, line } = await call(
      json({
        limit: 50,
        has_more: true,
        data: [
          {
            id: 'c1',
            name: 'Talk',
            inputs: { a: 1 },
            created_at: 1786000000,
            updated_at: 1786000001,
          },
          { name: 'no id' },
        ],
      }),
      (client) => client.conversations('c0', signal()),
    );
    assert.deepEqual(value, {
      conversations: [
        {
          id: 'c1',
          name: 'Talk',
          inputs: { a: 1 },
          createdAtMs: 1786000000000,
          updatedAtMs: 1786000001000,
        },
      ],
      hasMore: true,
    });
    assert.equal(line, 'GET /v1/conversations?user=me&last_id=c0&limit=50');
  });

  it('expects nothing after an empty page, whatever the server says', async () => {
    const { client } = appNetwork(...[1, 2].map(() => json({ has_more: true, data: [] })));
    const { hasMore: hasConversations } = await client.conversations(undefined, signal());
    const { hasMore: hasMessages } = await client.messages('c1', undefined, signal());
    assert.deepEqual([hasConversations, hasMessages], [false, false]);
  });

  it('reads messages with their reasoning, thoughts and files apart', async () => {
    const { value, line } = await call(
      json({
        has_more: false,
        data: [
          {
            id: 'm1',
            conversation_id: 'c1',
            query: 'Q',
            answer: '<think>hm</think>A',
            feedback: { rating: 'like' },
            retriever_resources: [{ document_name: 'ci.md' }],
            agent_thoughts: [
              { id: 'b', position: 2, thought: 'two' },
              { id: 'a', position: 1, thought: 'one', tool: 'wiki', tool_input: '{}' },
            ],
            message_files: [
              { id: 'f1', type: 'image', belongs_to: 'user', url: '/f1' },
              { id: 'f2', type: 'image', belongs_to: 'assistant', url: '/f2' },
            ],
            error: null,
            created_at: 1786000000,
          },
          { id: 'm2', feedback: null },
        ],
      }),
      (client) => client.messages('c1', 'm9', signal()),
    );
    assert.equal(line, 'GET /v1/messages?conversation_id=c1&user=me&first_id=m9&limit=20');
    assert.deepEqual(value, {
      messages: [
        {
          id: 'm1',
          conversationId: 'c1',
          query: 'Q',
          answer: 'A',
          reasoning: 'hm',
          rating: 'like',
          sources: [{ documentName: 'ci.md' }],
          thoughts: [
            { id: 'a', position: 1, thought: 'one', tool: 'wiki', toolInput: '{}' },
            { id: 'b', position: 2, thought: 'two' },
          ],
          attached: [{ id: 'f1', name: 'f1', address: 'https://platform.example/f1' }],
          files: [{ id: 'f2', name: 'f2', address: 'https://platform.example/f2' }],
          createdAtMs: 1786000000000,
        },
        {
          id: 'm2',
          conversationId: '',
          query: '',
          answer: '',
          reasoning: '',
          sources: [],
          thoughts: [],
          attached: [],
          files: [],
        },
      ],
      hasMore: false,
    });
  });

  it('renames, deletes and rates', async () => {
    const conversation = json({ id: 'c1', name: 'New' });
    const named = await call(conversation, (client) => client.renameConversation('c1', 'New', signal()));
    assert.deepEqual(
      [named.line, named.body],
      ['POST /v1/conversations/c1/name', { name: 'New', user: 'me' }],
    );
    const unnamed = await call(conversation, (client) =>
      client.renameConversation('c1', undefined, signal()),
    );
    assert.deepEqual(unnamed.body, { auto_generate: true, user: 'me' });

    const deletedReplies: Reply[] = [
      { status: 204, type: '' },
      json({ result: 'success' }),
      { type: 'text/plain', pieces: ['204'] },
    ];
    for (const reply of deletedReplies) {
      const { line, body } = await call(reply, (client) => client.deleteConversation('c1', signal()));
      assert.deepEqual([line, body], ['DELETE /v1/conversations/c1', { user: 'me' }]);
    }

    const done = json({ result: 'success' });
    const liked = await call(done, (client) => client.rate('m1', 'like', 'Good', signal()));
    assert.deepEqual(
      [liked.line, liked.body],
      ['POST /v1/messages/m1/feedbacks', { rating: 'like', content: 'Good', user: 'me' }],
    );
    const taken = await call(done, (client) => client.rate('m1', undefined, undefined, signal()));
    assert.deepEqual(taken.body, { rating: null, user: 'me' });
  });

  it('has no suggestions where they are switched off, and fails for other reasons', async () => {
    const suggested = (reply: Reply) => call(reply, (client) => client.suggestedQuestions('m1', signal()));
    assert.deepEqual((await suggested(json({ result: 'success', data: ['A?', ''] }))).value, ['A?']);
    const off = json({ code: 'bad_request', message: 'Suggested Questions Is Disabled.', status: 400 }, 400);
    assert.deepEqual((await suggested(off)).value, []);
    for (const message of ['Message Not Exists.', 'The workspace is disabled.']) {
      await assert.rejects(suggested(json({ code: 'not_found', message }, 404)), SwitchboardError);
    }
  });

  it('reads all variables, also of a server that repeats its first page', async () => {
    const page = json({
      has_more: true,
      data: [{ id: 'v1', name: 'n', value_type: 'number', value: 5, description: 'D' }],
    });
    const { client, sent } = appNetwork(page, page, page);
    assert.deepEqual(await client.variables('c1', signal()), [
      { id: 'v1', name: 'n', type: 'number', value: 5, description: 'D' },
    ]);
    assert.deepEqual(
      sent.map(({ call: each }) => new URLSearchParams(each.split('?')[1]).get('last_id')),
      [null, 'v1'],
    );
    const { line, body } = await call(json({}), (other) => other.setVariable('c1', 'v1', { a: 1 }, signal()));
    assert.deepEqual(
      [line, body],
      ['PUT /v1/conversations/c1/variables/v1', { value: { a: 1 }, user: 'me' }],
    );
  });

  it('reads runs whose inputs and outputs are JSON text', async () => {
    const { value } = await call(
      json({
        id: 'w1',
        status: 'partial-succeeded',
        inputs: '{"a":1}',
        outputs: '{"text":"x"}',
        elapsed_time: 1.5,
        total_tokens: 7,
        total_steps: 2,
        created_at: 1786000000,
      }),
      (client) => client.workflowRun('w1', signal()),
    );
    assert.deepEqual(value, {
      id: 'w1',
      status: 'partly-succeeded',
      inputs: { a: 1 },
      outputs: { text: 'x' },
      elapsedMs: 1500,
      tokens: 7,
      stepCount: 2,
      createdAtMs: 1786000000000,
    });
    const logs = await call(
      json({
        page: 1,
        has_more: false,
        data: [
          { id: 'l', workflow_run: { id: 'w1', status: 'failed', error: 'x' }, created_at: 5 },
          { id: 'broken' },
          { id: 'without status', workflow_run: { id: 'w2' } },
        ],
      }),
      (client) => client.workflowLogs(1, signal()),
    );
    assert.deepEqual(logs.value, {
      runs: [{ id: 'w1', status: 'failed', outputs: {}, error: 'x', createdAtMs: 5000 }],
      hasMore: false,
    });
  });

  describe('uploading', () => {
    const file = (name: string, size = 3) => ({
      name,
      size,
      open: () => Readable.from([Buffer.from('abc')]),
    });

    it('gives what messages name the file by', async () => {
      const { value, line } = await call(
        json({ id: 'u1', name: 'a.PNG', size: 3, extension: 'png' }, 201),
        (client) => client.upload(file('a.PNG'), signal()),
      );
      assert.equal(value, 'u1');
      assert.equal(line, 'POST /v1/files/upload');
    });

    it('says the limit where the server forgot to', async () => {
      const tooLarge = json(
        { code: 'file_too_large', message: 'File size exceeded. {message}', status: 413 },
        413,
      );
      const limits = json({ system_parameters: { file_size_limit: 2 } });
      const { client } = appNetwork(limits, tooLarge);
      await client.parameters(signal());
      await assert.rejects(client.upload(file('a.pdf', 3 * 1024 * 1024), signal()), (error) => {
        assert.ok(error instanceof SwitchboardError);
        assert.equal(error.code, 'too-large');
        assert.match(error.message, /"a\.pdf".*\(3 MB\).* 2 MB/);
        assert.equal(error.why, undefined);
        return true;
      });
    });
  });

  it('throws nothing but SwitchboardErrors, whatever the server answers', async () => {
    const calls: ((client: AppClient) => Promise<unknown>)[] = [
      (client) => client.info(signal()),
      (client) => client.parameters(signal()),
      (client) => client.meta(signal()),
      (client) => client.conversations(undefined, signal()),
      (client) => client.messages('c', undefined, signal()),
      (client) => client.variables('c', signal()),
      (client) => client.suggestedQuestions('m', signal()),
      (client) => client.workflowRun('w', signal()),
      (client) => client.workflowLogs(1, signal()),
      (client) => client.feedbacks(1, signal()),
    ];
    const field = fc.constantFrom(
      'id',
      'name',
      'data',
      'has_more',
      'tool_icons',
      'status',
      'outputs',
      'workflow_run',
      'answer',
      'agent_thoughts',
      'message_files',
      'feedback',
      'inputs',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(field, tie('value'), { maxKeys: 5 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(...calls), async (body, use) => {
        // More than the pages any of them reads.
        const { client } = appNetwork(...Array.from({ length: 6 }, () => json(body)));
        await use(client).catch((error: unknown) =>
          assert.ok(error instanceof SwitchboardError, String(error)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('shows the key of an app in no error, in whatever form the server puts it there', async () => {
    for (const form of ['APP-KEY1', 'app\u200b-key1', Buffer.from('app-key1').toString('base64')]) {
      const failed = { id: 'r', status: 'failed', error: `No access for ${form}`, outputs: {} };
      const { client } = appNetwork(json(failed), json({ data: [failed] }));
      const run = await client.workflowRun('r', signal());
      const { messages } = await client.messages('c', undefined, signal());
      for (const { error } of [run, ...messages]) assert.match(error ?? '', /^No access for \*\*\*\w?=*$/);
    }
  });

  it('shows nowhere the key that a server repeats', async () => {
    const key = 'app-key1';
    const record = { id: 'i', name: key, answer: key, error: key, query: key, value: key, filename: key };
    const list = json({ data: [{ ...record, message_files: [{ id: 'f', url: key }] }], has_more: false });
    const calls: [Reply, (client: AppClient) => Promise<unknown>][] = [
      [json({ name: key, description: `\u0061${key}`, tags: [key] }), (client) => client.info(signal())],
      [json({ opening_statement: key }), (client) => client.parameters(signal())],
      [list, (client) => client.conversations(undefined, signal())],
      [list, (client) => client.messages('c', undefined, signal())],
      [list, (client) => client.variables('c', signal())],
      [json({ data: [key] }), (client) => client.suggestedQuestions('m', signal())],
      [
        json({ id: 'r', status: 'failed', error: key, outputs: { a: key } }),
        (c) => c.workflowRun('r', signal()),
      ],
    ];
    for (const [reply, use] of calls) {
      const shown = JSON.stringify((await call(reply, use)).value);
      assert.ok(shown.includes('***') && !shown.includes(key), shown);
    }
  });
});

describe('readSite', () => {
  it('takes an emoji for an icon, and nothing that only looks like one', () => {
    const iconOf = (icon: unknown, icon_type: unknown = 'emoji') =>
      readSite({ title: 'A', icon, icon_type })?.icon;
    assert.deepEqual(
      ['🤖', '👩‍🚀', '🇩🇪', '❤️'].map((icon) => iconOf(icon)),
      ['🤖', '👩‍🚀', '🇩🇪', '❤️'],
    );
    for (const other of ['', 'robot_face', 'a', '🤖🤖', '🤖\u202e', '$(alert)', 7, null])
      assert.equal(iconOf(other), undefined, String(other));
    assert.equal(iconOf('🤖', 'image'), undefined);
    assert.equal(iconOf('🤖', null), '🤖');
  });

  it('takes a background for an emoji alone, and a picture only with its address', () => {
    const colored = { title: 'A', icon: '🤖', icon_type: 'emoji', icon_background: '#FFEAD5' };
    assert.equal(readSite(colored)?.iconBackground, '#FFEAD5');
    assert.equal(readSite({ ...colored, icon_background: 'red; top: 0' })?.iconBackground, undefined);
    const picture = { ...colored, icon_type: 'image', icon: 'f1', icon_url: '/files/f1' };
    assert.deepEqual(readSite(picture), {
      ...{ title: 'A', description: '', picture: { id: 'f1', address: '/files/f1' } },
    });
    for (const lacking of [{ icon_url: null }, { icon: null }, { icon_type: 'emoji' }])
      assert.equal(readSite({ ...picture, ...lacking })?.picture, undefined);
    assert.equal(readSite({ ...colored, icon_background: null })?.iconBackground, undefined);
  });

  it("reads what the app's owner says of it", () => {
    const said = { default_language: 'en-US', copyright: '© A', privacy_policy: 'https://a.example/p' };
    assert.deepEqual(readSite({ title: 'A', ...said, custom_disclaimer: 'No advice.' }), {
      ...{ title: 'A', description: '', language: 'en-US', copyright: '© A' },
      ...{ privacyPolicy: 'https://a.example/p', disclaimer: 'No advice.' },
    });
  });

  it('reads a site whose fields are of other kinds, and nothing else for one', () => {
    assert.deepEqual(readSite({ title: 7, description: null, copyright: [], privacy_policy: '' }), {
      title: '',
      description: '',
    });
    for (const other of [undefined, [], 'x', {}, { name: 'A' }]) assert.equal(readSite(other), undefined);
  });
});
