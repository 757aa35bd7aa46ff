import * as z from 'zod';
import type { Reply } from '../http/reply.ts';
import type { ServedProtocol } from '../script/script.ts';

// Bodies are read as far as the vendors' rules need; other forms are left to the relay's general checks.

export type SentBody = Readonly<Record<string, unknown>>;

/** Circumstances of a request that its body doesn't show. */
export interface VendorContext {
  protocol: ServedProtocol;
}

/** The vendor's refusal; undefined if it accepts the body. */
export type VendorCheck = (body: SentBody, context: VendorContext) => Reply | undefined;

const call = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
  tool_calls: z.array(call).optional(),
  tool_call_id: z.string().optional(),
});
const tool = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.unknown().optional(),
  }),
});
const chatSchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema),
  tools: z.array(tool).optional(),
});

export type ChatBody = z.infer<typeof chatSchema>;
export type SentMessage = ChatBody['messages'][number];
export type SentCall = z.infer<typeof call>;

export function readChatBody(body: SentBody): ChatBody | undefined {
  return chatSchema.safeParse(body).data;
}

const block = z.looseObject({ type: z.string() });
const messagesSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(block)]) })),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  thinking: z.looseObject({ type: z.string() }).optional(),
});

export type MessagesBody = z.infer<typeof messagesSchema>;
export type SentBlock = z.infer<typeof block>;

export function readMessagesBody(body: SentBody): MessagesBody | undefined {
  return messagesSchema.safeParse(body).data;
}

export type ChatRule = (body: ChatBody) => Reply | undefined;

export function firstRefusal<T>(
  rules: readonly ((given: T) => Reply | undefined)[],
  given: T,
): Reply | undefined {
  for (const rule of rules) {
    const refusal = rule(given);
    if (refusal) return refusal;
  }
  return undefined;
}

/** A vendor that serves chat completions only; other protocols get the relay's general checks. */
export function chatOnly(...rules: readonly ChatRule[]): VendorCheck {
  return (body, { protocol }) => {
    const chat = protocol === 'chat-completions' ? readChatBody(body) : undefined;
    return chat && firstRefusal(rules, chat);
  };
}

export function textsOf({ content }: SentMessage): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).flatMap(({ text }) => text ?? []);
}

export function hasPicture({ content }: SentMessage): boolean {
  return Array.isArray(content) && content.some(({ type }) => type === 'image_url');
}

/** Every call with its path in the body, as OpenAI writes paths. */
export function callsOf({ messages }: ChatBody): { call: SentCall; path: string; index: number }[] {
  return messages.flatMap(({ tool_calls = [] }, index) =>
    tool_calls.map((each, n) => ({ call: each, path: `messages[${index}].tool_calls[${n}]`, index })),
  );
}

export function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** A vendor's error as new-api passes it on. */
export function refused(
  message: string,
  { type = 'invalid_request_error', param = null, code = null, status = 400 }: RefusalFields = {},
): Reply {
  return { status, body: { error: { message, type, param, code } } };
}

interface RefusalFields {
  type?: string;
  param?: string | null;
  code?: string | number | null;
  status?: number;
}
