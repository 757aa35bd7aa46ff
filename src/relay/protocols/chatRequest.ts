import { asObject, type JsonObject } from '../../base/json.ts';
import { cacheMark, markedMessages } from './cacheMarks.ts';
import { type Dialect, serviceForm } from '../profile/modelDialect.ts';
import type { Message, ModelRequest, ToolCall, ToolDefinition } from '../messages.ts';
import { ChatReader } from './chatAnswer.ts';
import { toThought } from './thinking.ts';
import type { MarkOptions, WireProtocol } from './wireProtocol.ts';

// Additions: `stream_options` (without it relays may lose the last chunk), `reasoning_content` (required by some
// models), `thinking_blocks` (LiteLLM's name for Claude's signed reasoning), a model's own call fields.

export const chatProtocol: WireProtocol = {
  name: 'chat-completions',
  path: '/v1/chat/completions',
  headers: {},
  toBody: toChatBody,
  fields: ({ maxTokensField }) => ({
    temperature: 'temperature',
    maxTokens: maxTokensField,
    reasoningEffort: 'reasoning_effort',
  }),
  createReader: () => new ChatReader(),
};

export function toChatBody(
  request: ModelRequest,
  dialect: Dialect = serviceForm,
  marks: MarkOptions = { isOn: false },
): Record<string, unknown> {
  const { model, messages, tools, toolChoice = 'auto', maxTokens, temperature, reasoningEffort } = request;
  const stream = request.stream && dialect.stream;
  const marked = marks.isOn ? markedTexts(messages, marks.onResults === true) : new Set<number>();
  return {
    model,
    messages: messages.map((message, index) => {
      const wire = messageToWire(message);
      return marked.has(index) ? withMark(wire) : wire;
    }),
    ...(maxTokens !== undefined && { [dialect.maxTokensField]: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(mayReason(request, dialect) && { reasoning_effort: reasoningEffort }),
    stream,
    ...(stream && dialect.streamOptions && { stream_options: { include_usage: true } }),
    ...(tools && tools.length > 0 && { tools: tools.map(toolToWire), tool_choice: toolChoice }),
  };
}

function mayReason({ reasoningEffort, messages }: ModelRequest, { thinksFromStart }: Dialect): boolean {
  if (reasoningEffort === undefined) return false;
  const asked = messages.findLast((message) => message.role === 'assistant');
  return !thinksFromStart || !asked?.toolCalls?.length || thoughtsOf(asked).length > 0;
}

/** One API drops the calls of an answer whose content has parts, so it gets no mark. */
function markedTexts(messages: readonly Message[], marksResults: boolean): ReadonlySet<number> {
  return markedMessages(messages, marksResults, (message) => message.toolCalls === undefined);
}

function withMark({ content, ...message }: Record<string, unknown>): Record<string, unknown> {
  const [text, ...others] = Array.isArray(content)
    ? (content as object[])
    : [{ type: 'text', text: content }];
  return { ...message, content: [{ ...text, ...cacheMark }, ...others] };
}

function messageToWire(message: Message): Record<string, unknown> {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: userContent(message) };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls = [], reasoning } = message;
      const thoughts = thoughtsOf(message);
      return {
        role: 'assistant',
        ...((content || toolCalls.length === 0) && { content }),
        ...(reasoning !== undefined && { reasoning_content: reasoning }),
        ...(thoughts.length > 0 && { thinking_blocks: thoughts }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toolCallToWire) }),
      };
    }
  }
}

/** Claude requires signed reasoning while calls are answered; elsewhere it only costs. */
function thoughtsOf({ toolCalls = [], signedReasoning = [] }: Message & { role: 'assistant' }): JsonObject[] {
  return toolCalls.length > 0 ? signedReasoning.flatMap(toThought) : [];
}

/** Not every server accepts parts, so only with pictures. */
function userContent({ content, images = [] }: Message & { role: 'user' }): unknown {
  if (images.length === 0) return content;
  return [
    { type: 'text', text: content },
    ...images.map(({ mimeType, data }) => ({
      type: 'image_url',
      image_url: { url: `data:${mimeType};base64,${data}` },
    })),
  ];
}

function toolCallToWire({ id, name, arguments: args, extra }: ToolCall): Record<string, unknown> {
  return {
    ...extra,
    id,
    type: 'function',
    function: { ...asObject(extra?.['function']), name, arguments: args },
  };
}

function toolToWire({ name, description, parameters }: ToolDefinition): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters } };
}
