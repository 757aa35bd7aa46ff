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

/** The body of a chat request, as the strictest vendor would take it. */
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

/** The text of a message, its parts joined. */
export function textOf(message: ChatMessage | undefined): string {
  const content = message?.content;
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => part.text ?? []).join('\n');
}

/** The last message the user wrote. */
export function lastUserText(request: ChatRequest): string {
  return textOf(request.messages.findLast((message) => message.role === 'user'));
}

/** What a client found for a question and put before it. */
export const foundBefore = /<knowledge-([0-9a-f]+)>\n[^]*\n<\/knowledge-\1>\n\n/;

/** Facts that a client puts before a message. */
const factsBefore = /^<context-([0-9a-f]+)>\n[^]*?\n<\/context-\1>\n\n/;

/** What a client says of the mode it is in, before the message. */
const modeBefore = /^\[Mode: [^\]]*\]\n\n/;

export function withoutFacts(message: string): string {
  return message.replace(factsBefore, '');
}

/** What the user asked in the last message, without what stands before it. */
export function questionOf(request: ChatRequest): string {
  return questionIn(lastUserText(request));
}

/** What the user asked in a message, without what stands before it. */
export function questionIn(message: string): string {
  return withoutFacts(message).replace(modeBefore, '').replace(foundBefore, '');
}

/** What came after the last user message: the rounds of the turn so far. */
export function messagesOfTurn(request: ChatRequest): readonly ChatMessage[] {
  return request.messages.slice(request.messages.findLastIndex((message) => message.role === 'user') + 1);
}

/** An answer that is to be gone on with. */
export interface Continuation {
  /** What there is of it. */
  before: string;
  /** What it was the answer to. */
  request: ChatRequest;
}

/** The request is for the rest of an answer: its beginning comes last but one, then a word to go on with it. */
export function continuationOf(request: ChatRequest): Continuation | undefined {
  const [answer, word] = request.messages.slice(-2);
  if (answer?.role !== 'assistant' || answer.tool_calls || word?.role !== 'user') return undefined;
  if (!/^your answer above was cut off\b.*\bcontinue\b/i.test(textOf(word))) return undefined;
  return { before: textOf(answer), request: { ...request, messages: request.messages.slice(0, -2) } };
}
