import { cacheMark, markedMessages } from './cacheMarks.ts';
import { type Dialect, serviceForm } from './dialect.ts';
import type { Message, ModelRequest, ToolCall, ToolDefinition } from './messages.ts';
import type { MarkOptions } from './wireProtocol.ts';

// What is sent: exactly the service's form, no field more than it names, apart from `stream_options` (without it
// relays may lose the last chunk) and `reasoning_content` (which some models want back during a tool exchange). The same
// message is written the same way in every request that has it: vendors charge less for a beginning they know.

/** The body of a chat request, in the service's form but for what is known of the model's vendor. */
export function toWire(
  request: ModelRequest,
  dialect: Dialect = serviceForm,
  marks: MarkOptions = { isOn: false },
): Record<string, unknown> {
  const { model, messages, tools, toolChoice = 'auto', maxTokens, temperature, reasoningEffort } = request;
  const stream = request.stream && dialect.stream;
  const told = dialect.systemRole ? messages : withoutSystemRole(messages);
  const marked = marks.isOn ? markedMessages(told, marks.onResults === true) : new Set<number>();
  return {
    model,
    messages: told.map((message, index) => {
      const wire = messageToWire(message, model, dialect);
      return marked.has(index) ? withMark(wire) : wire;
    }),
    ...(maxTokens !== undefined && { [dialect.maxTokensField]: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
    stream,
    ...(stream && dialect.streamOptions && { stream_options: { include_usage: true } }),
    ...(tools && tools.length > 0 && { tools: tools.map(toolToWire), tool_choice: toolChoice }),
  };
}

/** Two messages of one role in a row would be refused by the models that know no system role. */
function withoutSystemRole(messages: readonly Message[]): Message[] {
  const system = messages.flatMap((message) => (message.role === 'system' ? message.content : []));
  const rest = messages.filter((message) => message.role !== 'system');
  const first = rest.findIndex(({ role }) => role === 'user');
  return rest.map((message, index) =>
    index === first ? { ...message, content: [...system, message.content].join('\n\n') } : message,
  );
}

/** A mark stands on a part of the content, so that a text becomes a part. */
function withMark({ content, ...message }: Record<string, unknown>): Record<string, unknown> {
  const [text, ...others] = Array.isArray(content)
    ? (content as object[])
    : [{ type: 'text', text: content }];
  return { ...message, content: [{ ...text, ...cacheMark }, ...others] };
}

function messageToWire(
  message: Message,
  model: string,
  { reasoning: isEchoed }: Dialect,
): Record<string, unknown> {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: userContent(message) };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls = [], reasoning } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      return {
        role: 'assistant',
        ...(content && { content }),
        // Only for the model it came from: other vendors refuse it.
        ...(reasoning && isEchoed && message.model === model && { reasoning_content: reasoning }),
        tool_calls: toolCalls.map(toolCallToWire),
      };
    }
  }
}

/** Parts only where there is a picture: not every server accepts them. */
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

function toolCallToWire({ id, name, arguments: args }: ToolCall): Record<string, unknown> {
  return { id, type: 'function', function: { name, arguments: args } };
}

function toolToWire({ name, description, parameters }: ToolDefinition): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters } };
}
