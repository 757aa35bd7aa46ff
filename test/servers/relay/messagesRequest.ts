import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import type { Reply } from '../http/reply.ts';
import { type CheckedRequest, checkRequest } from './checkRequest.ts';
import type { ChatMessage } from './chatRequest.ts';

const marked = { cache_control: z.looseObject({ type: z.literal('ephemeral') }).optional() };
const text = z.looseObject({ type: z.literal('text'), text: z.string().regex(/\S/), ...marked });
const image = z.looseObject({
  type: z.literal('image'),
  source: z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string().min(1) }),
});
// Claude Code answers its search for tools with references to them.
const resultPart = z.discriminatedUnion('type', [
  text,
  image,
  z.looseObject({ type: z.literal('tool_reference'), tool_name: z.string() }),
]);
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const block = z.discriminatedUnion('type', [
  text,
  image,
  z.looseObject({
    type: z.literal('tool_use'),
    id,
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    ...{ type: z.literal('tool_result'), tool_use_id: id, ...marked },
    content: z.union([z.string(), z.array(resultPart)]),
  }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
]);
type Block = z.infer<typeof block>;

const schema = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive().optional(),
  system: z.union([z.string(), z.array(text)]).optional(),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['user', 'assistant', 'system']),
        content: z.union([z.string(), z.array(block).min(1)]),
      }),
    )
    .min(1),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .optional(),
  tool_choice: z.looseObject({ type: z.enum(['auto', 'any', 'none', 'tool']) }).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
});

/** The request in chat-completions form, which scripts read, or its refusal. */
export function checkMessagesRequest(body: unknown, headers: IncomingHttpHeaders = {}): CheckedRequest {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refusal(`${(issue?.path ?? []).join('.')}: ${issue?.message}`);
  }
  const { system = [], messages, tools, tool_choice: choice, ...rest } = parsed.data;
  const roles = messages.map(({ role }) => role).filter((role) => role !== 'system');
  // Header sent by Claude Code.
  const mayInstruct = String(headers['anthropic-beta']).includes('mid-conversation');
  const atSystem = messages.findIndex(({ role }) => role === 'system');
  if (atSystem >= 0 && !mayInstruct) {
    return refusal(`messages.${atSystem}.role: Invalid option: expected one of "user"|"assistant"`);
  }
  // Anthropic joins messages of one role; ours alternate for relays that don't.
  const isOurs = /^(?:Switchboard|node|undefined)$/.test(String(headers['user-agent']));
  if (isOurs && roles.some((role, index) => role !== (index % 2 === 0 ? 'user' : 'assistant'))) {
    return refusal('messages: roles must alternate between "user" and "assistant", beginning with "user"');
  }
  for (const [at, { content }] of messages.entries()) {
    const blocks = toBlocks(content);
    const wrong = blocks.findIndex(
      (each) => each.type === 'thinking' && each.signature !== signatureOf(rest.model, each.thinking),
    );
    if (wrong >= 0)
      return refusal(`messages.${at}.content.${wrong}: Invalid \`signature\` in \`thinking\` block`);
  }
  const systemText = textOf(toBlocks(system));
  return checkRequest({
    ...rest,
    messages: [
      ...(systemText ? [{ role: 'system', content: systemText }] : []),
      ...messages.flatMap(({ role, content }) => {
        if (role === 'system') return [{ role, content: textOf(toBlocks(content)) }];
        return role === 'user' ? toUser(toBlocks(content)) : toAssistant(toBlocks(content));
      }),
    ],
    ...(tools &&
      tools.length > 0 && {
        tools: tools.map(({ name, description, input_schema: parameters }) => ({
          type: 'function',
          function: { name, description, parameters },
        })),
        ...(choice && { tool_choice: choice.type === 'any' ? 'required' : 'auto' }),
      }),
  });
}

/** The signature of a model's reasoning: a hash, so that tests can make one. */
export function signatureOf(model: string, thinking: string): string {
  return createHash('sha256').update(`${model}\n${thinking}`).digest('base64');
}

function refusal(message: string): { refusal: Reply } {
  const error = { message, type: 'invalid_request_error', param: '', code: null };
  return { refusal: { status: 400, body: { error } } };
}

function toBlocks(content: string | readonly Block[]): readonly Block[] {
  return typeof content === 'string' ? (content ? [{ type: 'text', text: content }] : []) : content;
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map((each) => (each.type === 'text' ? each.text : '')).join('\n');
}

function resultOf(content: string | readonly z.infer<typeof resultPart>[]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => textOfResult(part)).join('\n');
}

function textOfResult(part: z.infer<typeof resultPart>): string {
  if (part.type === 'tool_reference') return part.tool_name;
  return part.type === 'text' ? part.text : '';
}

function toUser(blocks: readonly Block[]): ChatMessage[] {
  const results = blocks.flatMap((each): ChatMessage[] =>
    each.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: each.tool_use_id, content: resultOf(each.content) }]
      : [],
  );
  const parts = blocks.flatMap((each): { type: string; text?: string }[] => {
    if (each.type === 'text') return [{ type: 'text', text: each.text }];
    if (each.type !== 'image') return [];
    const { media_type: type, data } = each.source;
    return [{ type: 'image_url', ...{ image_url: { url: `data:${type};base64,${data}` } } }];
  });
  const [first] = parts;
  if (!first) return results;
  const content = parts.length === 1 && first.text !== undefined ? first.text : parts;
  return [...results, { role: 'user', content }];
}

function toAssistant(blocks: readonly Block[]): ChatMessage[] {
  const said = blocks.map((each) => (each.type === 'text' ? each.text : '')).join('');
  const calls = blocks.flatMap((each) =>
    each.type === 'tool_use'
      ? [
          {
            id: each.id,
            type: 'function' as const,
            function: { name: each.name, arguments: JSON.stringify(each.input) },
          },
        ]
      : [],
  );
  return [{ role: 'assistant', content: said, ...(calls.length > 0 && { tool_calls: calls }) }];
}
