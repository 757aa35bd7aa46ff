import { createHash } from 'node:crypto';
import * as z from 'zod';
import { openaiError } from '../dialects/errors.ts';
import type { Reply } from '../http/reply.ts';
import { type CheckedRequest, checkRequest } from './checkRequest.ts';
import { type ChatMessage, textOf as chatText } from './chatRequest.ts';
import type { ResponsesOptions } from './streamedAnswer.ts';

const inputPart = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('input_text'), text: z.string() }),
  z.looseObject({ type: z.literal('input_image'), image_url: z.string() }),
  z.looseObject({ type: z.literal('input_file') }),
]);
const outputPart = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('output_text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
]);
const id = z.string().optional();

const itemSchema = z.union([
  z.looseObject({
    ...{ type: z.literal('message').optional(), role: z.enum(['user', 'system', 'developer']), id },
    content: z.union([z.string(), z.array(inputPart).min(1)]),
  }),
  z.looseObject({
    ...{ type: z.literal('message').optional(), role: z.literal('assistant'), id },
    content: z.union([z.string(), z.array(outputPart).min(1)]),
    phase: z.enum(['commentary', 'final_answer']).optional(),
  }),
  z.looseObject({
    ...{ type: z.literal('function_call'), id, call_id: z.string().min(1) },
    ...{ name: z.string(), namespace: z.string().nullish(), arguments: z.string() },
  }),
  z.looseObject({
    ...{ type: z.literal('function_call_output'), id, call_id: z.string().min(1) },
    output: z.union([z.string(), z.array(inputPart).min(1)]),
  }),
  z.looseObject({
    ...{ type: z.literal('reasoning'), id: z.string(), encrypted_content: z.string().nullish() },
    summary: z.array(z.looseObject({ type: z.literal('summary_text'), text: z.string() })),
  }),
]);
type Item = z.infer<typeof itemSchema>;

const schema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  store: z.boolean().nullish(),
  instructions: z.string().nullish(),
  include: z.array(z.string()).nullish(),
  reasoning: z
    .looseObject({ effort: z.string().nullish(), summary: z.enum(['auto', 'concise', 'detailed']).nullish() })
    .nullish(),
  input: z.array(itemSchema).min(1),
  // Codex also offers other types of tools, which no script calls.
  tools: z
    .array(
      z.looseObject({
        ...{ type: z.string(), strict: z.boolean().nullish() },
        ...{ name: z.string().optional(), tools: z.array(z.looseObject({ name: z.string() })).optional() },
      }),
    )
    .optional(),
  tool_choice: z.unknown().optional(),
  max_output_tokens: z.int().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  prompt_cache_key: z.string().optional(),
  previous_response_id: z.null().optional(),
});
type Body = z.infer<typeof schema>;

/** The request in chat-completions form, which scripts read, or its refusal. */
export function checkResponsesRequest(body: unknown): CheckedRequest {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const param = (issue?.path ?? []).join('.');
    return { refusal: openaiError(null, `Invalid value for '${param}': ${issue?.message}`, param) };
  }
  const { data } = parsed;
  const refusal = findProblem(data) ?? findItemProblem(data) ?? findPairProblem(data.input);
  if (refusal) return { refusal };
  const { model, stream, instructions, input, temperature, reasoning, max_output_tokens: limit } = data;
  const tools = (data.tools ?? []).flatMap((tool) =>
    tool.type === 'namespace' ? toolsOf(tool) : tool.type === 'function' ? [tool] : [],
  );
  const checked = checkRequest({
    ...{ model, stream, temperature },
    ...(limit && { max_completion_tokens: limit }),
    ...(reasoning?.effort && { reasoning_effort: reasoning.effort }),
    messages: [...(instructions ? [{ role: 'system', content: instructions }] : []), ...toMessages(input)],
    ...(tools.length > 0 && {
      tools: tools.map(({ type, name, description, parameters }) => ({
        ...{ type, function: { name, description, parameters } },
      })),
      ...(typeof data.tool_choice === 'string' && { tool_choice: data.tool_choice }),
    }),
  });
  return 'refusal' in checked ? checked : { ...checked, responses: optionsOf(data) };
}

/** The tools of a namespace, such as that of an MCP server, under names that scripts can tell apart. */
function toolsOf({ name: namespace = '', tools = [] }: NonNullable<Body['tools']>[number]) {
  return tools.map((tool) => ({ ...tool, type: 'function', name: nameIn(namespace, tool.name) }));
}

function nameIn(namespace: string, name: string): string {
  return `${namespace}__${name}`;
}

function optionsOf({ include, reasoning, tools = [] }: Body): ResponsesOptions {
  const members = tools.flatMap(({ type, name: namespace = '', tools: inside = [] }) =>
    type === 'namespace'
      ? inside.map(({ name }) => [nameIn(namespace, name), { namespace, name }] as const)
      : [],
  );
  return {
    namespaced: Object.fromEntries(members),
    encryptedReasoning: include?.includes('reasoning.encrypted_content') ?? false,
    summaries: Boolean(reasoning?.summary),
  };
}

/** Stands for a vendor's encryption of reasoning. Valid for one model and one id only. */
export function encryptedFor(model: string, itemId: string): string {
  const holder = Buffer.from(JSON.stringify([model, itemId])).toString('base64url');
  return `gAAAAAB${holder}.${createHash('sha256').update(holder).digest('base64url')}`;
}

function holderOf(encrypted: string): [model: string, itemId: string] | undefined {
  const holder = /^gAAAAAB([\w-]+)\./.exec(encrypted)?.[1] ?? '';
  const read = Buffer.from(holder, 'base64url').toString();
  const parsed = z.tuple([z.string(), z.string()]).safeParse(read.startsWith('[') ? JSON.parse(read) : null);
  return parsed.success && encryptedFor(...parsed.data) === encrypted ? parsed.data : undefined;
}

function findProblem({ max_output_tokens: limit, prompt_cache_key: key = '' }: Body): Reply | undefined {
  if (limit && limit < 16) {
    return openaiError(
      'integer_below_min_value',
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`,
      'max_output_tokens',
    );
  }
  return key.length > 64 ? tooLong('prompt_cache_key', key) : undefined;
}

const prefixes = { reasoning: 'rs', function_call: 'fc', function_call_output: 'fc', message: 'msg' };

function findItemProblem({ model, store, input }: Body): Reply | undefined {
  for (const [at, item] of input.entries()) {
    const callId = 'call_id' in item ? String(item.call_id) : '';
    if (callId.length > 64) return tooLong(`input[${at}].call_id`, callId);
    if (item.id === undefined) continue;
    const param = `input[${at}].id`;
    const prefix = prefixes[item.type ?? 'message'];
    if (item.id.length > 64) return tooLong(param, item.id);
    if (!item.id.startsWith(prefix)) {
      const message = `Invalid '${param}': '${item.id}'. Expected an ID that begins with '${prefix}'.`;
      return openaiError('invalid_value', message, param);
    }
    const encrypted = item.type === 'reasoning' ? item.encrypted_content : undefined;
    if (store !== false || (item.type === 'reasoning' && !encrypted)) return notPersisted(item.id);
    if (!encrypted) continue;
    const holder = holderOf(encrypted);
    if (!holder || holder[0] !== model) return unverified(encrypted);
    if (holder[1] !== item.id) {
      return openaiError(
        'invalid_encrypted_content',
        'Encrypted content item_id did not match the target item id.',
      );
    }
  }
  return undefined;
}

/** Every reasoning item is followed by its result, and every call has its output. */
function findPairProblem(input: readonly Item[]): Reply | undefined {
  const open = new Set<string>();
  for (const [at, item] of input.entries()) {
    if (item.type === 'reasoning') {
      const next = input[at + 1];
      const isFollowed =
        next && (next.type === 'reasoning' || next.type === 'function_call' || isAssistant(next));
      if (!isFollowed) {
        return openaiError(
          null,
          `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
          'input',
        );
      }
    }
    if (item.type === 'function_call') open.add(item.call_id);
    if (item.type === 'function_call_output' && !open.delete(item.call_id)) {
      return openaiError(
        null,
        `No tool call found for function call output with call_id ${item.call_id}.`,
        'input',
      );
    }
  }
  const [unanswered] = open;
  return unanswered === undefined
    ? undefined
    : openaiError(null, `No tool output found for function call ${unanswered}.`, 'input');
}

function isAssistant(item: Item): boolean {
  return 'role' in item && item.role === 'assistant';
}

function tooLong(param: string, value: string): Reply {
  return openaiError(
    'string_above_max_length',
    `Invalid '${param}': string too long. Expected a string with maximum length 64, but instead got a string with length ${value.length} instead.`,
    param,
  );
}

function notPersisted(itemId: string): Reply {
  const message = `Item with id '${itemId}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
  return { ...openaiError(null, message, 'input'), status: 404 };
}

function unverified(encrypted: string): Reply {
  const shown = `${encrypted.slice(0, 4)}...${encrypted.slice(-4)}`;
  return openaiError(
    'invalid_encrypted_content',
    `The encrypted content ${shown} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
  );
}

/** The items of one answer are one message of chat completions. */
function toMessages(input: readonly Item[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const item of input) {
    if (item.type === 'reasoning') continue;
    if (item.type === 'function_call_output') {
      const { call_id: callId, output } = item;
      messages.push({ role: 'tool', tool_call_id: callId, content: textOf(output) });
      continue;
    }
    const last = messages.at(-1);
    const answer = last?.role === 'assistant' ? last : undefined;
    if (item.type === 'function_call') {
      const call = {
        ...{ id: item.call_id, type: 'function' as const },
        function: {
          name: item.namespace ? nameIn(item.namespace, item.name) : item.name,
          arguments: item.arguments,
        },
      };
      if (answer) answer.tool_calls = [...(answer.tool_calls ?? []), call];
      else messages.push({ role: 'assistant', content: '', tool_calls: [call] });
    } else if (item.role === 'assistant') {
      if (answer && !answer.tool_calls)
        answer.content = [chatText(answer), textOf(item.content)].join('\n\n');
      else messages.push({ role: 'assistant', content: textOf(item.content) });
    } else {
      const role = item.role === 'developer' ? 'system' : item.role;
      messages.push({ role, content: toContent(item.content) });
    }
  }
  return messages;
}

type Parts = string | readonly z.infer<typeof inputPart | typeof outputPart>[];

function textOf(content: Parts): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => ('text' in part ? [String(part.text)] : [])).join('\n');
}

function toContent(content: Parts): ChatMessage['content'] {
  if (typeof content === 'string' || content.every(({ type }) => type === 'input_text'))
    return textOf(content);
  return content.map((part) =>
    part.type === 'input_image'
      ? { type: 'image_url', ...{ image_url: { url: part.image_url } } }
      : { type: 'text', text: textOf([part]) },
  );
}
