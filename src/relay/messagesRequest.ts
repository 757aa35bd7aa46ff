import { asObject, type JsonObject, parseJson } from '../base/json.ts';
import { cacheMark, markedMessages } from './cacheMarks.ts';
import type { Dialect } from './dialect.ts';
import type { Message, ModelRequest, SignedReasoning, ToolDefinition } from './messages.ts';
import { reasoningRoom, toThinking } from './thinking.ts';
import type { MarkOptions } from './wireProtocol.ts';

// The body of a request by the messages protocol. As by chat completions, the same message is written the same way in
// every request that has it.

/** The protocol wants a limit. This is what new-api fills in where there is none, and what the models of today can give. */
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
    const blocks = toBlocks(message, model, dialect);
    if (marked.has(index)) mark(blocks);
    if (message.role === 'system') {
      system.push(...blocks);
      continue;
    }
    // The results of all calls of an answer belong into the one message after it, and roles take turns.
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
    // While it thinks, it takes no other temperature than its own.
    ...(temperature !== undefined && thinking.type === 'disabled' && { temperature }),
    stream: request.stream && dialect.stream,
    ...(tools.length > 0 && {
      tools: tools.map(toTool),
      tool_choice: { type: toolChoice === 'required' ? 'any' : 'auto' },
    }),
  };
}

/** While its calls are answered, a model cannot begin to think: the answer that made them would have to begin with that. */
function continuesWithoutReasoning(turns: readonly WireTurn[]): boolean {
  const [asked, last] = turns.slice(-2);
  const isOpen = last?.content.some(({ type }) => type === 'tool_result') === true;
  return isOpen && !isThought(asked?.content[0]);
}

function isThought(block: Block | undefined): boolean {
  return block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking';
}

/** On the last block that can bear one: reasoning goes back as it came. */
function mark(blocks: Block[]): void {
  const at = blocks.findLastIndex((block) => !isThought(block));
  if (at >= 0) blocks[at] = { ...blocks[at], ...cacheMark };
}

function toBlocks(message: Message, model: string, dialect: Dialect): Block[] {
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
      return [{ type: 'tool_result', tool_use_id: toolUseId(message.toolCallId), content: message.content }];
    case 'assistant': {
      const { content, toolCalls = [], signedReasoning = [] } = message;
      // Only for the model it came from: the signature of another is refused.
      const isEchoed = dialect.reasoning && message.model === model && toolCalls.length > 0;
      return [
        ...(isEchoed ? signedReasoning.map(toThought) : []),
        ...textBlocks(content),
        ...toolCalls.map(({ id, name, arguments: args }) => ({
          type: 'tool_use',
          id: toolUseId(id),
          name,
          input: asObject(parseJson(args)) ?? {},
        })),
      ];
    }
  }
}

/** Blocks of nothing but white space are refused. */
function textBlocks(text: string): Block[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function toThought(block: SignedReasoning): Block {
  return 'redacted' in block
    ? { type: 'redacted_thinking', data: block.redacted }
    : { type: 'thinking', thinking: block.text, signature: block.signature };
}

/** Ids that other models gave their calls may have characters that are refused here. */
function toolUseId(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}

function toTool({ name, description, parameters }: ToolDefinition): Block {
  return { name, description, input_schema: parameters };
}
