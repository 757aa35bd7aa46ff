import assert from 'node:assert/strict';
import { serviceForm } from '../../../src/relay/dialect.ts';
import type { Message, ModelRequest } from '../../../src/relay/messages.ts';
import { toWire } from '../../../src/relay/toWire.ts';

const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
  ...more,
});

describe('toWire', () => {
  it('sends no field that was not set', () => {
    assert.deepEqual(toWire(ask({ stream: false, tools: [] })), {
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: false,
    });
  });

  it('asks for usage when streaming, and offers tools with tool_choice', () => {
    const parameters = { type: 'object', properties: {} };
    assert.deepEqual(
      toWire(ask({ maxTokens: 9, temperature: 0, tools: [{ name: 't', description: 'd', parameters }] })),
      {
        model: 'm',
        messages: [{ role: 'user', content: 'hi' }],
        max_tokens: 9,
        temperature: 0,
        stream: true,
        stream_options: { include_usage: true },
        tools: [{ type: 'function', function: { name: 't', description: 'd', parameters } }],
        tool_choice: 'auto',
      },
    );
  });

  it('sends an attached image as parts, and a plain text otherwise', () => {
    const images = [{ mimeType: 'image/png', data: 'AAAA' }];
    const messages: Message[] = [
      { role: 'user', content: 'look', images },
      { role: 'user', content: 'plain', images: [] },
    ];
    assert.deepEqual(toWire(ask({ messages }))['messages'], [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      { role: 'user', content: 'plain' },
    ]);
  });

  const exchange = (model: string, args = '{"x":1}'): Message[] => [
    { role: 'system', content: 's' },
    { role: 'user', content: 'u' },
    {
      role: 'assistant',
      model,
      content: '',
      reasoning: 'r',
      toolCalls: [{ id: 'c', name: 't', arguments: args }],
    },
    { role: 'tool', toolCallId: 'c', content: 'result' },
  ];
  const call = (args = '{"x":1}') => [
    { id: 'c', type: 'function', function: { name: 't', arguments: args } },
  ];

  it('repeats a tool exchange as the service shows it', () => {
    assert.deepEqual(toWire(ask({ messages: exchange('other') }))['messages'], [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
      { role: 'assistant', tool_calls: call() },
      { role: 'tool', tool_call_id: 'c', content: 'result' },
    ]);
  });

  it('echoes reasoning to the model it came from, and the next message of the user changes nothing before it', () => {
    const during = toWire(ask({ messages: exchange('m') }))['messages'] as object[];
    assert.deepEqual(during[2], { role: 'assistant', reasoning_content: 'r', tool_calls: call() });
    const messages: Message[] = [...exchange('m'), { role: 'user', content: 'next' }];
    const after = toWire(ask({ messages }))['messages'] as object[];
    assert.deepEqual(after.slice(0, during.length), during);
  });

  it('leaves out the reasoning, and moves the system text, for models that refused them', () => {
    const dialect = { ...serviceForm, reasoning: false, systemRole: false };
    assert.deepEqual(toWire(ask({ messages: exchange('m') }), dialect)['messages'], [
      { role: 'user', content: 's\n\nu' },
      { role: 'assistant', tool_calls: call() },
      { role: 'tool', tool_call_id: 'c', content: 'result' },
    ]);
  });
});
