import type { JsonObject } from '../../base/json.ts';
import type { Dialect } from '../profile/modelDialect.ts';
import type { Message, ModelRequest, ToolDefinition } from '../messages.ts';
import { defaultResponsesForm, type ResponsesForm } from './responsesForm.ts';
import { reasoningEfforts } from '../parameters.ts';
import { betweenMessages, ResponsesReader } from './responsesAnswer.ts';
import type { WireProtocol } from './wireProtocol.ts';

// Nothing is stored at the vendor, and only reasoning has ids: relays with several accounts couldn't find them. A
// message is written identically in every request, since vendors charge less for a known prefix.

export const responsesProtocol: WireProtocol = {
  name: 'responses',
  path: '/v1/responses',
  headers: {},
  toBody: toResponsesBody,
  fields: () => ({
    temperature: 'temperature',
    maxTokens: 'max_output_tokens',
    // LiteLLM omits the field's name. `reasoning` alone would match refusals of its summary, too.
    reasoningEffort: `reasoning[._]effort|Unsupported value: '(?:${reasoningEfforts.join('|')})`,
  }),
  createReader: () => new ResponsesReader(),
};

type Item = JsonObject;

const leastTokens = 16;
/** In characters; longer keys are refused. */
const longestCacheKey = 64;

export function toResponsesBody(request: ModelRequest, dialect: Dialect): JsonObject {
  const { model, messages, tools = [], toolChoice = 'auto', maxTokens, temperature, cacheKey } = request;
  const form = dialect.responses ?? defaultResponsesForm;
  const reasoning = toReasoning(request, form);
  return {
    model,
    input: messages.flatMap((message) => toItems(message, model, form)),
    stream: request.stream && dialect.stream,
    // Otherwise the vendor stores the conversation, and strict servers refuse.
    store: false,
    ...(form.encryptedReasoning && { include: ['reasoning.encrypted_content'] }),
    ...(tools.length > 0 && { tools: tools.map(toTool), tool_choice: toolChoice }),
    ...(reasoning && { reasoning }),
    ...(maxTokens !== undefined &&
      form.tokenLimit && { max_output_tokens: Math.max(leastTokens, maxTokens) }),
    ...(temperature !== undefined && { temperature }),
    ...(cacheKey && form.cacheKey && { prompt_cache_key: cacheKey.slice(0, longestCacheKey) }),
  };
}

function toReasoning(
  { reasoningEffort: effort }: ModelRequest,
  { summaries }: ResponsesForm,
): JsonObject | undefined {
  const summarised = summaries && effort !== 'none';
  if (effort === undefined && !summarised) return undefined;
  return { ...(effort !== undefined && { effort }), ...(summarised && { summary: 'auto' }) };
}

function toItems(message: Message, model: string, form: ResponsesForm): Item[] {
  switch (message.role) {
    case 'system':
      return [{ role: form.systemRole, content: message.content }];
    case 'user':
      return [{ role: 'user', content: userContent(message) }];
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.toolCallId, output: message.content }];
    case 'assistant':
      return assistantItems(message, model, form);
  }
}

/** Not every server accepts parts, so only with pictures. */
function userContent({ content, images = [] }: Message & { role: 'user' }): unknown {
  if (images.length === 0) return content;
  return [
    ...(content ? [{ type: 'input_text', text: content }] : []),
    ...images.map(({ mimeType, data }) => ({
      type: 'input_image',
      detail: 'auto',
      image_url: `data:${mimeType};base64,${data}`,
    })),
  ];
}

/** Reasoning goes back before the item it preceded; at the end it would be refused, so it is dropped there. */
function assistantItems(
  { content, toolCalls = [], model: author, signedReasoning = [] }: Message & { role: 'assistant' },
  model: string,
  form: ResponsesForm,
): Item[] {
  const kept = author === model ? signedReasoning.flatMap((each) => ('item' in each ? [each.item] : [])) : [];
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: args,
  }));
  const texts = textsOf(content, kept);
  const items: Item[] = [];
  let waiting: Item[] = [];
  const add = (item: Item | undefined) => {
    if (!item) return;
    items.push(...waiting, item);
    waiting = [];
  };
  // If the calls have changed, all follow the kept items.
  const isInOrder = kept.filter(({ type }) => type === 'function_call').length === calls.length;
  for (const item of kept) {
    if (item['type'] === 'reasoning' && form.reasoningItems) waiting.push(item);
    if (item['type'] === 'message') add(texts.shift());
    if (item['type'] === 'function_call' && isInOrder) add(calls.shift());
  }
  for (const item of [...texts, ...calls]) add(item);
  return items;
}

function textsOf(content: string, kept: readonly Item[]): Item[] {
  const told = kept.filter(({ type }) => type === 'message');
  const texts: string[] = [];
  let at = 0;
  for (const { length } of told) {
    texts.push(content.slice(at, at + Number(length)));
    at += Number(length) + betweenMessages.length;
  }
  const isTheirs = texts.join(betweenMessages) === content && texts.every(Boolean);
  if (!isTheirs) return content ? [toMessage(content, told.at(-1))] : [];
  return texts.map((text, index) => toMessage(text, told[index]));
}

function toMessage(text: string, told: Item | undefined): Item {
  const phase = told?.['phase'];
  return {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text }],
    ...(typeof phase === 'string' && { phase }),
  };
}

/** `strict` defaults to true, which makes models fill optional arguments with empty values. */
function toTool({ name, description, parameters }: ToolDefinition): Item {
  return { type: 'function', name, description, parameters, strict: false };
}
