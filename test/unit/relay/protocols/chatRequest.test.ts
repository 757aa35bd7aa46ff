import assert from 'node:assert/strict';
import type { Message, ModelRequest } from '../../../../src/relay/messages.ts';
import { toChatBody } from '../../../../src/relay/protocols/chatRequest.ts';

const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
  ...more,
});

describe('toChatBody', () => {
  it('sends no field that was not set', () => {
    assert.deepEqual(toChatBody(ask({ stream: false, tools: [] })), {
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: false,
    });
  });

  it('asks for usage when streaming, and offers tools with tool_choice', () => {
    const parameters = { type: 'object', properties: {} };
    assert.deepEqual(
      toChatBody(ask({ maxTokens: 9, temperature: 0, tools: [{ name: 't', description: 'd', parameters }] })),
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
    assert.deepEqual(toChatBody(ask({ messages }))['messages'], [
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

  it('repeats a tool exchange as the service shows it, with its reasoning, and the next message of the user changes nothing before it', () => {
    const during = toChatBody(ask({ messages: exchange('m') }))['messages'] as object[];
    assert.deepEqual(during[2], { role: 'assistant', reasoning_content: 'r', tool_calls: call() });
    const messages: Message[] = [...exchange('m'), { role: 'user', content: 'next' }];
    const after = toChatBody(ask({ messages }))['messages'] as object[];
    assert.deepEqual(after.slice(0, during.length), during);
  });

  it("returns further fields of a model's calls, and none of them in place of the service's own", () => {
    const extra = { extra_content: { google: 1 }, id: 'no', function: { name: 'no', strict: true } };
    const toolCalls = [{ id: 'c', name: 't', arguments: '{}', extra }];
    const [message] = toChatBody(
      ask({ messages: [{ role: 'assistant', model: 'm', content: '', toolCalls }] }),
    )['messages'] as object[];
    const called = { extra_content: { google: 1 }, id: 'c', type: 'function' };
    assert.deepEqual(message, {
      role: 'assistant',
      tool_calls: [{ ...called, function: { name: 't', strict: true, arguments: '{}' } }],
    });
  });
});
