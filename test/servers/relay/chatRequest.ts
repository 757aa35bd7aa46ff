import * as z from 'zod';

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });

const callSchema = z.looseObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
});

const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(partSchema), z.null()]).optional(),
  tool_calls: z.array(callSchema).min(1).optional(),
  tool_call_id: z.string().optional(),
});

const toolSchema = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    description: z.string().optional(),
    parameters: z
      .looseObject({
        type: z.literal('object'),
        properties: z.record(z.string(), z.unknown()).optional(),
        required: z.array(z.string()).optional(),
      })
      .optional(),
  }),
});

/** The body of a chat request, as the strictest vendor would accept it. */
export const chatRequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(toolSchema).min(1).optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
    ])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type ChatMessage = ChatRequest['messages'][number];

export function textOf(message: ChatMessage | undefined): string {
  const content = message?.content;
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => part.text ?? []).join('\n');
}

export function lastUserText(request: ChatRequest): string {
  return textOf(request.messages.findLast((message) => message.role === 'user'));
}

export const foundBefore = /<knowledge-([0-9a-f]+)>\n[^]*\n<\/knowledge-\1>\n\n/;

const factsBefore = /^<context-([0-9a-f]+)>\n[^]*?\n<\/context-\1>\n\n/;

const modeBefore = /^\[Mode: [^\]]*\]\n\n/;

export function withoutFacts(message: string): string {
  return message.replace(factsBefore, '');
}

/** The user's question in the last message, without the client's additions. */
export function questionOf(request: ChatRequest): string {
  return questionIn(lastUserText(request));
}

export function questionIn(message: string): string {
  return withoutFacts(message).replace(modeBefore, '').replace(foundBefore, '');
}

/** Messages after the last user message: the rounds of the turn so far. */
export function messagesOfTurn(request: ChatRequest): readonly ChatMessage[] {
  return request.messages.slice(request.messages.findLastIndex((message) => message.role === 'user') + 1);
}

export interface Continuation {
  before: string;
  request: ChatRequest;
}

/** A request for the rest of an answer: its beginning comes last but one, an instruction last. */
export function continuationOf(request: ChatRequest): Continuation | undefined {
  const [answer, word] = request.messages.slice(-2);
  if (answer?.role !== 'assistant' || answer.tool_calls || word?.role !== 'user') return undefined;
  if (!/^your answer above was cut off\b.*\bcontinue\b/i.test(textOf(word))) return undefined;
  return { before: textOf(answer), request: { ...request, messages: request.messages.slice(0, -2) } };
}
