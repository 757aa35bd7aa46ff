import assert from 'node:assert/strict';
import { type Dialect, serviceForm } from '../../../../src/relay/profile/modelDialect.ts';
import type { Message, ModelRequest } from '../../../../src/relay/messages.ts';
import { toMessagesBody } from '../../../../src/relay/protocols/messagesRequest.ts';
import type { ReasoningEffort } from '../../../../src/relay/parameters.ts';

const ask = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  messages,
  stream: true,
  ...more,
});
const body = (request: ModelRequest, dialect = serviceForm) =>
  toMessagesBody(request, dialect, { isOn: false });
const sent = (messages: readonly Message[], dialect = serviceForm) =>
  body(ask(messages), dialect)['messages'];

const text = (value: string) => ({ type: 'text', text: value });
const user: Message = { role: 'user', content: 'u' };
const called = (more: Partial<Message & { role: 'assistant' }> = {}): Message => ({
  ...{ role: 'assistant', model: 'm', content: 'Looking.' },
  toolCalls: [
    { id: 'a', name: 'read_file', arguments: '{"path":"a.ts"}' },
    { id: 'functions_b_1', name: 'list_files', arguments: '' },
  ],
  ...more,
});
const results: Message[] = [
  { role: 'tool', toolCallId: 'a', content: 'let a' },
  { role: 'tool', toolCallId: 'functions_b_1', content: 'a.ts' },
];

describe('toMessagesBody', () => {
  it('sends the system text apart, and a limit, which the protocol wants', () => {
    const system: Message = { role: 'system', content: 's' };
    assert.deepEqual(body(ask([system, user], { stream: false })), {
      model: 'm',
      max_tokens: 8192,
      system: [text('s')],
      messages: [{ role: 'user', content: [text('u')] }],
      stream: false,
    });
    assert.equal(body(ask([user], { maxTokens: 9 }))['max_tokens'], 9);
    assert.equal(body(ask([user]), { ...serviceForm, answerLimit: 4096 })['max_tokens'], 4096);
  });

  it('offers tools by their schema, and asks for one only where that is wished', () => {
    const parameters = { type: 'object', properties: {} };
    const tools = [{ name: 't', description: 'd', parameters }];
    const { tools: offered, tool_choice: choice } = body(ask([user], { tools, temperature: 0 }));
    assert.deepEqual(offered, [{ name: 't', description: 'd', input_schema: parameters }]);
    assert.deepEqual(choice, { type: 'auto' });
    assert.deepEqual(body(ask([user], { tools, toolChoice: 'required' }))['tool_choice'], { type: 'any' });
    assert.equal('tool_choice' in body(ask([user], { tools: [], toolChoice: 'required' })), false);
  });

  describe('with a reasoning effort', () => {
    const byBudget = { ...serviceForm, effort: 'budget' } as const;
    const fields = (
      more: Partial<ModelRequest>,
      dialect: Dialect = serviceForm,
      messages: readonly Message[] = [user],
    ) => {
      const {
        max_tokens: limit,
        thinking,
        output_config: config,
        temperature,
      } = body(ask(messages, more), dialect);
      return [limit, thinking, config, temperature];
    };
    const adaptive = { type: 'adaptive' };
    const enabled = (tokens: number) => ({ type: 'enabled', budget_tokens: tokens });
    const tools = [{ name: 't', description: 'd', parameters: {} }];

    it('lets the model think at its own temperature, with room for it unless a limit was set', () => {
      const all = { reasoningEffort: 'high', temperature: 0.2 } as const;
      assert.deepEqual(fields(all), [24_576, adaptive, { effort: 'high' }, undefined]);
      assert.deepEqual(fields({ ...all, maxTokens: 4096 }), [4096, adaptive, { effort: 'high' }, undefined]);
      assert.deepEqual(fields({ reasoningEffort: 'minimal' })[2], { effort: 'low' });
    });

    it('becomes a budget for a model that takes one, always below the limit', () => {
      const of = (reasoningEffort: ReasoningEffort, maxTokens?: number, dialect: Dialect = byBudget) =>
        fields({ reasoningEffort, maxTokens, temperature: 0.2 }, dialect);
      assert.deepEqual(of('medium'), [16_384, enabled(8192), undefined, undefined]);
      assert.deepEqual(of('high', 4000), [4000, enabled(3200), undefined, undefined]);
      assert.deepEqual(of('max', undefined, { ...byBudget, answerLimit: 32_000 }), [
        ...[32_000, enabled(25_600), undefined, undefined],
      ]);
      // There is no room for the smallest budget.
      assert.deepEqual(of('high', 1200), [1200, undefined, undefined, 0.2]);
    });

    it('is no thinking where none is wished, and none before a call that has to be made', () => {
      assert.deepEqual(fields({ reasoningEffort: 'none', temperature: 0.2 }), [
        ...[8192, { type: 'disabled' }, undefined, 0.2],
      ]);
      const forced = { reasoningEffort: 'low', tools, toolChoice: 'required' } as const;
      assert.deepEqual(fields(forced).slice(1), [undefined, { effort: 'low' }, undefined]);
      assert.deepEqual(fields(forced, byBudget).slice(1), [undefined, undefined, undefined]);
      assert.deepEqual(fields({}), [8192, undefined, undefined, undefined]);
    });

    it('waits with a budget while calls are answered that were made without thinking', () => {
      const thought = called({ signedReasoning: [{ text: 't', signature: 's' }] });
      const thinks = (messages: Message[]) =>
        fields({ reasoningEffort: 'low' }, byBudget, messages)[1] !== undefined;
      assert.equal(thinks([user, called(), ...results]), false);
      assert.equal(thinks([user, called(), ...results, user]), false);
      assert.equal(thinks([user, thought, ...results]), true);
      assert.equal(thinks([user, called(), ...results, called({ toolCalls: [] }), user]), true);
      assert.deepEqual(
        fields({ reasoningEffort: 'low' }, serviceForm, [user, called(), ...results])[1],
        adaptive,
      );
    });
  });

  it('puts the results of all calls into the one message after them, before what the user says', () => {
    assert.deepEqual(sent([user, called(), ...results, { role: 'user', content: 'and?' }]), [
      { role: 'user', content: [text('u')] },
      {
        role: 'assistant',
        content: [
          text('Looking.'),
          { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'a.ts' } },
          { type: 'tool_use', id: 'functions_b_1', name: 'list_files', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'let a' },
          { type: 'tool_result', tool_use_id: 'functions_b_1', content: 'a.ts' },
          text('and?'),
        ],
      },
    ]);
  });

  it('sends images as blocks, and no block of white space', () => {
    const images = [{ mimeType: 'image/png', data: 'AAAA' }];
    assert.deepEqual(sent([{ role: 'user', content: ' \n', images }]), [
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      },
    ]);
  });

  it('returns signed reasoning before the calls it led to', () => {
    const signedReasoning = [{ text: 'Look at a.', signature: 'sig' }, { redacted: 'xyz' }];
    const types = (message: Message) =>
      (sent([user, message, ...results]) as { content: { type: string }[] }[])[1]?.content.map(
        ({ type }) => type,
      );
    const call = ['text', 'tool_use', 'tool_use'];
    assert.deepEqual(types(called({ signedReasoning })), ['thinking', 'redacted_thinking', ...call]);
    assert.deepEqual((sent([user, called({ signedReasoning })]) as { content: unknown[] }[])[1]?.content[0], {
      type: 'thinking',
      thinking: 'Look at a.',
      signature: 'sig',
    });
    assert.deepEqual(types(called({ reasoning: 'unsigned' })), call);
  });

  it('marks up to where to cache: system, the newest of each role, and the newest result', () => {
    const messages: Message[] = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'one' },
      { role: 'assistant', model: 'm', content: 'two' },
      user,
      called({ signedReasoning: [{ text: 't', signature: 's' }] }),
      ...results,
    ];
    const { system, messages: turns } = toMessagesBody(ask(messages), serviceForm, { isOn: true });
    const places = JSON.stringify({ system, turns }).split('cache_control').length - 1;
    assert.equal(places, 4);
    const last = (turns as { content: Record<string, unknown>[] }[]).at(-1);
    assert.deepEqual(last?.content.at(-1)?.['cache_control'], { type: 'ephemeral' });
  });

  it('writes what was sent the same way in the next request', () => {
    const first = [user, called(), ...results];
    const before = JSON.stringify(sent(first)).slice(0, -1);
    const after = JSON.stringify(sent([...first, { role: 'assistant', model: 'm', content: 'Done.' }, user]));
    assert.ok(after.startsWith(before), after);
  });
});
