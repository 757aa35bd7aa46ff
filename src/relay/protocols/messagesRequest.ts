import { asObject, type JsonObject, parseJson } from '../../base/json.ts';
import { cacheMark, markedMessages } from './cacheMarks.ts';
import type { Dialect } from '../profile/modelDialect.ts';
import type { Message, ModelRequest, ToolDefinition } from '../messages.ts';
import { reasoningRoom, toThinking, toThought } from './thinking.ts';
import { MessagesReader } from './messagesAnswer.ts';
import type { MarkOptions, WireProtocol } from './wireProtocol.ts';

// Requests by the messages protocol. A message is written identically in every request.

export const messagesProtocol: WireProtocol = {
  name: 'messages',
  path: '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  toBody: toMessagesBody,
  fields: () => ({
    temperature: 'temperature',
    maxTokens: 'max_tokens',
    reasoningEffort: 'effort|output_config|thinking|budget_tokens',
  }),
  createReader: () => new MessagesReader(),
};

/** The protocol requires a limit. This is new-api's default, which current models support. */
const defaultMaxTokens = 8192;

type Block = JsonObject;

interface WireTurn {
  role: 'user' | 'assistant';
  content: Block[];
}

export function toMessagesBody(request: ModelRequest, dialect: Dialect, marks: MarkOptions): JsonObject {
  const { model, messages, tools = [], toolChoice, maxTokens, temperature } = request;
  const marked = marks.isOn ? markedMessages(messages, true) : new Set<number>();
  const system: Block[] = [];
  const turns: WireTurn[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = toBlocks(message);
    if (marked.has(index)) mark(blocks);
    if (message.role === 'system') {
      system.push(...blocks);
      continue;
    }
    // All results belong into one message, and roles alternate.
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) turns.push({ role, content: blocks });
  }
  const limit = maxTokens ?? dialect.answerLimit ?? defaultMaxTokens + reasoningRoom(request);
  const reasoning = toThinking(request, dialect, limit, continuesWithoutReasoning(turns));
  const { thinking = { type: 'disabled' } } = reasoning;
  return {
    model,
    max_tokens: limit,
    ...reasoning,
    ...(system.length > 0 && { system }),
    messages: turns,
    // Reasoning requires the default temperature.
    ...(temperature !== undefined && thinking.type === 'disabled' && { temperature }),
    stream: request.stream && dialect.stream,
    ...(tools.length > 0 && {
      tools: tools.map(toTool),
      tool_choice: { type: toolChoice === 'required' ? 'any' : 'auto' },
    }),
  };
}

/** While its calls are answered, a model can't begin to reason: the calling answer would have to begin with that. */
function continuesWithoutReasoning(turns: readonly WireTurn[]): boolean {
  const [asked, last] = turns.slice(-2);
  const isOpen = last?.content.some(({ type }) => type === 'tool_result') === true;
  return isOpen && !isThought(asked?.content[0]);
}

function isThought(block: Block | undefined): boolean {
  return block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking';
}

function mark(blocks: Block[]): void {
  const at = blocks.findLastIndex((block) => !isThought(block));
  if (at >= 0) blocks[at] = { ...blocks[at], ...cacheMark };
}

function toBlocks(message: Message): Block[] {
  switch (message.role) {
    case 'system':
      return textBlocks(message.content);
    case 'user':
      return [
        ...textBlocks(message.content),
        ...(message.images ?? []).map(({ mimeType, data }) => ({
          type: 'image',
          source: { type: 'base64', media_type: mimeType, data },
        })),
      ];
    case 'tool':
      return [{ type: 'tool_result', tool_use_id: message.toolCallId, content: message.content }];
    case 'assistant': {
      const { content, toolCalls = [], signedReasoning = [] } = message;
      return [
        ...(toolCalls.length > 0 ? signedReasoning.flatMap(toThought) : []),
        ...textBlocks(content),
        ...toolCalls.map(({ id, name, arguments: args }) => ({
          type: 'tool_use',
          id,
          name,
          input: asObject(parseJson(args)) ?? {},
        })),
      ];
    }
  }
}

function textBlocks(text: string): Block[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function toTool({ name, description, parameters }: ToolDefinition): Block {
  return { name, description, input_schema: parameters };
}
