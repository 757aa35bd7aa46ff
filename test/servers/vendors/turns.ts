import type { Reply } from '../http/reply.ts';
import {
  type ChatBody,
  objectIn,
  readChatBody,
  readMessagesBody,
  type SentBlock,
  type SentBody,
  type SentMessage,
  textsOf,
  type VendorContext,
} from './vendorBody.ts';

// A conversation as Claude and Bedrock get it by any protocol: relays translate chat completions.

export type TurnBlock =
  | { type: 'text'; text: string }
  | { type: 'image' }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; id: string; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking' };

export interface Turn {
  role: string;
  blocks: readonly TurnBlock[];
}

export interface TurnBody {
  model: string;
  turns: readonly Turn[];
  hasTools: boolean;
  isThinking: boolean;
}

export type TurnRule = (body: TurnBody) => Reply | undefined;

/** Undefined for a body of another form or protocol. */
export function readTurns(body: SentBody, { protocol }: VendorContext): TurnBody | undefined {
  if (protocol === 'messages') {
    const sent = readMessagesBody(body);
    return (
      sent && {
        model: sent.model,
        turns: sent.messages.map(({ role, content }) => ({
          role,
          blocks: typeof content === 'string' ? [{ type: 'text', text: content }] : content.flatMap(toBlock),
        })),
        hasTools: (sent.tools?.length ?? 0) > 0,
        isThinking: ['enabled', 'adaptive'].includes(sent.thinking?.type ?? ''),
      }
    );
  }
  const chat = protocol === 'chat-completions' ? readChatBody(body) : undefined;
  return (
    chat && {
      model: chat.model,
      turns: translated(chat),
      hasTools: (chat.tools?.length ?? 0) > 0,
      isThinking: false,
    }
  );
}

function toBlock(sent: SentBlock): TurnBlock[] {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  switch (sent.type) {
    case 'text':
      return [{ type: 'text', text: text(sent['text']) }];
    case 'image':
    case 'redacted_thinking':
      return [{ type: sent.type }];
    case 'thinking':
      return [{ type: 'thinking', thinking: text(sent['thinking']), signature: text(sent['signature']) }];
    case 'tool_use':
      return [
        { type: 'tool_use', id: text(sent['id']), name: text(sent['name']), input: sent['input'] ?? null },
      ];
    case 'tool_result':
      return [{ type: 'tool_result', id: text(sent['tool_use_id']), text: text(sent['content']) }];
    default:
      return [];
  }
}

/** Results of a round and the following message become one user turn; system texts move out. */
function translated({ messages }: ChatBody): Turn[] {
  const turns: Turn[] = [];
  let isAfterResult = false;
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'developer') continue;
    const blocks = blocksOf(message);
    const last = turns.at(-1);
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    if (isAfterResult && last && role === 'user') {
      turns[turns.length - 1] = { role, blocks: [...last.blocks, ...blocks] };
    } else turns.push({ role, blocks });
    isAfterResult = message.role === 'tool';
  }
  return turns;
}

function blocksOf(message: SentMessage): TurnBlock[] {
  if (message.role === 'tool') {
    return [{ type: 'tool_result', id: message.tool_call_id ?? '', text: textsOf(message).join('') }];
  }
  const calls = message.tool_calls ?? [];
  // Relays leave out a text that is empty beside calls.
  const texts = textsOf(message).filter((text) => calls.length === 0 || text !== '');
  const pictures = Array.isArray(message.content)
    ? message.content.filter(({ type }) => type === 'image_url')
    : [];
  return [
    ...texts.map((text): TurnBlock => ({ type: 'text', text })),
    ...pictures.map((): TurnBlock => ({ type: 'image' })),
    ...calls.map(({ id, function: { name, arguments: json } }): TurnBlock => ({
      ...{ type: 'tool_use', id, name },
      input: objectIn(json) ?? json,
    })),
  ];
}

export function placesOf({ turns }: TurnBody): { block: TurnBlock; turn: number; at: number }[] {
  return turns.flatMap(({ blocks }, turn) => blocks.map((block, at) => ({ block, turn, at })));
}

export function callIds({ blocks }: Turn): string[] {
  return blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

export function resultIds({ blocks }: Turn): string[] {
  return blocks.flatMap((block) => (block.type === 'tool_result' ? [block.id] : []));
}
