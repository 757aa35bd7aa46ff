import assert from 'node:assert/strict';
import type { RelayServer } from './relay/relayServer.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { chunksOf, completion, post, readJson, textOfStream, tool, tools } from './testClient.ts';

const user = (content: string) => ({ role: 'user', content });

async function ask(
  relay: RelayServer,
  content: string,
  body: object = { tools },
): Promise<[string, unknown][]> {
  const answer = await completion(
    await post(relay, 'scripted-tools', { messages: [user(content)], ...body }),
  );
  const calls = answer.choices[0]!.message.tool_calls ?? [];
  assert.equal(answer.choices[0]!.finish_reason, calls.length > 0 ? 'tool_calls' : 'stop');
  return calls.map(({ function: { name, arguments: json } }) => [name, JSON.parse(json) as unknown]);
}

describe('sandbox relay: answers', () => {
  let sandbox: Sandbox;
  let relay: RelayServer;
  before(async () => {
    sandbox = await startSandbox();
    relay = sandbox.relay;
  });
  after(() => sandbox.stop());
  const askTools = (content: string, body?: object) => ask(relay, content, body);

  it('writes a part of a file anew where that is asked for', async () => {
    const frames = '<before-1a2b>\nx\n</before-1a2b>\n\n<part-3c4d path="a.ts">\nlow();\n</part-3c4d>';
    const rules = '[Answer with the new text of the part between ```` and ````, each on a line of its own.]';
    const edit = async (instruction: string) => {
      const messages = [user([frames, instruction, rules].join('\n\n'))];
      return (await completion(await post(relay, 'scripted-tools', { messages, tools }))).choices[0]!.message
        .content;
    };
    assert.equal(await edit('Replace low with high'), '````\nhigh();\n````');
    assert.equal(await edit('delete it'), '````\n\n````');
    assert.equal(await edit('Shout'), '````\nLOW();\n````');
  });

  it('says the same streamed and not', async () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, user('Hello there')];
    const whole = await completion(await post(relay, 'scripted-echo', { messages }));
    const streamed = await post(relay, 'scripted-echo', { messages, stream: true });
    assert.equal(streamed.headers.get('Content-Type'), 'text/event-stream');
    const stream = await streamed.text();
    const text = whole.choices[0]!.message.content;
    assert.match(text, /scripted/);
    assert.match(text, /> Hello there/);
    assert.match(text, /\*\*2 messages\*\* \(1 system, 1 user\)/);
    assert.equal(textOfStream(stream), text);
    assert.ok(stream.endsWith('data: [DONE]\n\n'));
    assert.equal(whole.usage!.total_tokens, whole.usage!.prompt_tokens + whole.usage!.completion_tokens);
  });

  for (const [what, options, hasUsage] of [
    ['asked for', { stream_options: { include_usage: true } }, true],
    ['not mentioned', {}, true],
    ['refused', { stream_options: { include_usage: false } }, false],
  ] as const) {
    it(`${hasUsage ? 'sends' : 'drops'} usage that was ${what}`, async () => {
      const stream = await (await post(relay, 'scripted-echo', { stream: true, ...options })).text();
      const last = chunksOf(stream).at(-1)!;
      assert.equal(last.usage !== undefined && last.choices.length === 0, hasUsage);
    });
  }

  it('loses the finish reason with the usage, when that was not asked for', async () => {
    const body = { stream: true, stream_options: {} };
    const stream = await (await post(relay, 'fault/usage-with-finish', body)).text();
    assert.ok(chunksOf(stream).every(({ choices }) => choices[0]!.finish_reason === null));
  });

  it('writes as many lines as it was asked for', async () => {
    for (const lines of [10, 31, 300]) {
      const answer = await completion(
        await post(relay, 'scripted-writer', { messages: [user(`write ${lines} lines`)] }),
      );
      assert.equal(answer.choices[0]!.message.content.trimEnd().split('\n').length, lines);
    }
  });

  it('stops at max_tokens', async () => {
    const answer = await completion(await post(relay, 'scripted-writer', { max_tokens: 12 }));
    assert.equal(answer.choices[0]!.finish_reason, 'length');
    assert.equal(answer.usage!.completion_tokens, 12);
  });

  it('reasons before it answers', async () => {
    const stream = await (await post(relay, 'scripted-reasoner', { stream: true })).text();
    const kinds = chunksOf(stream).flatMap(({ choices }) =>
      choices.map(({ delta }) => (delta.reasoning_content ? 'reasoning' : delta.content ? 'text' : '')),
    );
    assert.ok(kinds.lastIndexOf('reasoning') < kinds.indexOf('text'));
    assert.ok(kinds.includes('reasoning'));
  });

  it('refuses a prompt that does not fit its window', async () => {
    const long = { messages: [user('word '.repeat(5000))] };
    const response = await post(relay, 'scripted-small-window', long);
    assert.equal(response.status, 400);
    assert.match(await response.text(), /context_length_exceeded/);
    assert.equal((await post(relay, 'scripted-small-window')).status, 200);
  });

  describe('tools', () => {
    it('calls what the message asks for', async () => {
      assert.deepEqual(await askTools('Please read README.md.'), [['read_file', { path: 'README.md' }]]);
      assert.deepEqual(await askTools('search for TODO'), [['search_text', { query: 'TODO' }]]);
      assert.deepEqual(await askTools('Search for "to do".'), [['search_text', { query: 'to do' }]]);
      assert.deepEqual(await askTools('list files'), [['list_files', {}]]);
      assert.deepEqual(await askTools('List the files in src.'), [['list_files', { path: 'src' }]]);
      assert.deepEqual(await askTools('read a.md, src/b.ts and LICENSE, and search for c.d'), [
        ['read_file', { path: 'a.md' }],
        ['read_file', { path: 'src/b.ts' }],
        ['read_file', { path: 'LICENSE' }],
        ['search_text', { query: 'c.d' }],
      ]);
      const withCommands = { tools: [...tools, tool('run_command', 'command')] };
      assert.deepEqual(await askTools('run npm test', withCommands), [
        ['run_command', { command: 'npm test' }],
      ]);
      assert.deepEqual(await askTools('Run `ls -la; pwd`, and read a.md', withCommands), [
        ['run_command', { command: 'ls -la; pwd' }],
        ['read_file', { path: 'a.md' }],
      ]);
      assert.deepEqual(await askTools('call list_files with {"path": "x", "depth": {"max": 2}}'), [
        ['list_files', { path: 'x', depth: { max: 2 } }],
      ]);
    });

    it('calls nothing that is not offered or not allowed', async () => {
      assert.deepEqual(await askTools('read README.md', {}), []);
      assert.deepEqual(await askTools('read README.md', { tools, tool_choice: 'none' }), []);
      assert.deepEqual(await askTools('call make_coffee'), []);
    });

    it('goes through rounds and answers from the results', async () => {
      const messages: object[] = [user('read a.md, then read b.md')];
      for (const [path, content] of [
        ['a.md', '# Title A\n\ntext'],
        ['b.md', '1: # Title B'],
      ] as const) {
        const answer = await completion(await post(relay, 'scripted-tools', { messages, tools }));
        const { message } = answer.choices[0]!;
        const call = message.tool_calls![0]!;
        assert.equal(call.function.arguments, JSON.stringify({ path }));
        messages.push(message, { role: 'tool', tool_call_id: call.id, content });
      }
      const answer = await completion(await post(relay, 'scripted-tools', { messages, tools }));
      assert.match(
        answer.choices[0]!.message.content,
        /`a\.md`: \*\*Title A\*\* \(3 lines\)\n.*`b\.md`: \*\*Title B\*\*/,
      );
    });

    it('streams a call in fragments, its head first', async () => {
      const body = { messages: [user('read README.md')], tools, stream: true };
      const chunks = chunksOf(await (await post(relay, 'scripted-tools-blocks', body)).text());
      const fragments = chunks.flatMap(({ choices }) =>
        choices.flatMap(({ delta }) => delta.tool_calls ?? []),
      );
      assert.match(fragments[0]!.id!, /^toolu_/);
      assert.deepEqual(new Set(fragments.map(({ index }) => index)), new Set([1]));
      assert.equal(fragments.map((part) => part.function?.arguments).join(''), '{"path":"README.md"}');
    });

    const call = { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{}' } };
    const asked = { role: 'assistant', content: null, tool_calls: [call] };
    const result = { role: 'tool', tool_call_id: 'call_1', content: 'x' };
    for (const [what, messages] of [
      ['a call without a result', [user('x'), asked]],
      ['a message between call and result', [user('x'), asked, user('y'), result]],
      ['a result twice', [user('x'), asked, result, result]],
      ['a result without a call', [user('x'), { ...result, tool_call_id: 'other' }]],
      [
        'a result that is not text',
        [user('x'), asked, { ...result, content: [{ type: 'image_url', image_url: { url: 'data:' } }] }],
      ],
      ['two calls of one id', [user('x'), { ...asked, tool_calls: [call, call] }, result]],
      [
        'arguments that are not text',
        [user('x'), { ...asked, tool_calls: [{ ...call, function: { name: 'a', arguments: {} } }] }, result],
      ],
      ['an unknown role', [{ role: 'robot', content: 'x' }]],
    ] as const) {
      it(`refuses ${what} as a vendor does`, async () => {
        const response = await post(relay, 'scripted-tools', { messages, tools });
        assert.equal(response.status, 400);
        const { error } = await readJson<{ error: { type: string; message: string } }>(response);
        assert.equal(error.type, 'invalid_request_error');
        assert.doesNotMatch(error.message, /request id/);
        assert.ok(response.headers.get('X-Oneapi-Request-Id'));
      });
    }
  });

  describe('what programs with tools of MCP servers send', () => {
    const send = async (path: string, body: object) => {
      const response = await fetch(`${relay.url}/v1/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${relay.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ model: 'scripted-tools', ...body }),
      });
      assert.equal(response.status, 200);
      return response.text();
    };

    it('takes results in parts of text, as Qwen Code 0.24.4 sends them', async () => {
      const call = { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{}' } };
      const content = [{ type: 'text', text: '# From parts' }];
      const messages = [
        user('x'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content },
      ];
      assert.match(await send('chat/completions', { messages, tools }), /From parts/);
    });

    it('calls tools of a namespace with it, as Codex 0.169.0 expects', async () => {
      const inside = { type: 'function', name: 'search_it', parameters: { type: 'object', properties: {} } };
      const namespaced = { tools: [{ type: 'namespace', name: 'mcp__a', tools: [inside] }] };
      const question = { role: 'user', content: 'call mcp__a__search_it with {"q":1}' };
      const first = JSON.parse(await send('responses', { ...namespaced, input: [question] })) as {
        output: { type: string; namespace?: string; name?: string; call_id?: string }[];
      };
      const [made] = first.output;
      assert.deepEqual([made?.type, made?.namespace, made?.name], ['function_call', 'mcp__a', 'search_it']);
      const output = { type: 'function_call_output', call_id: made?.call_id, output: '# Found it' };
      const { id: _, ...sent } = made as { id?: string };
      assert.match(await send('responses', { ...namespaced, input: [question, sent, output] }), /Found it/);
    });

    it('takes references to tools, as Claude Code 2.1.330 sends them', async () => {
      const content = [{ type: 'tool_reference', tool_name: 'mcp__a__search_it' }];
      const messages = [
        user('x'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ToolSearch', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
      ];
      const input = { name: 'ToolSearch', input_schema: { type: 'object' } };
      const answer = await send('messages', { messages, max_tokens: 100, tools: [input] });
      assert.match(answer, /mcp__a__search_it/);
    });
  });
});
