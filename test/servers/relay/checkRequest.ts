import type { Reply } from '../http/reply.ts';
import { openaiError } from '../dialects/errors.ts';
import { type ChatRequest, chatRequestSchema } from './chatRequest.ts';
import type { ResponsesOptions } from './streamedAnswer.ts';

/** A request as the strictest vendor accepts it, or that vendor's refusal. */
export type CheckedRequest = { request: ChatRequest; responses?: ResponsesOptions } | { refusal: Reply };

export function checkRequest(body: unknown): CheckedRequest {
  const parsed = chatRequestSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = toParam(issue?.path ?? []);
    return { refusal: vendorRefusal(`Invalid value for '${path}': ${issue?.message}`, path) };
  }
  const request = parsed.data;
  const problem = findProblem(request);
  return problem ? { refusal: vendorRefusal(problem.message, problem.param) } : { request };
}

/** A vendor's 400, as it comes through the relay: its own message, no request id in the text. */
function vendorRefusal(message: string, param: string): Reply {
  return openaiError(null, message, param);
}

/** `messages[0].content`, like OpenAI. */
function toParam(path: readonly PropertyKey[]): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i ? '.' : ''}${String(key)}`))
    .join('');
}

interface Problem {
  message: string;
  param: string;
}

function findProblem(request: ChatRequest): Problem | undefined {
  if (request.parallel_tool_calls !== undefined && !request.tools) {
    return {
      message:
        "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
      param: 'parallel_tool_calls',
    };
  }
  if (request.tool_choice !== undefined && !request.tools) {
    return {
      message: "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      param: 'tool_choice',
    };
  }
  if (request.stream_options && !request.stream) {
    return {
      message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      param: 'stream_options',
    };
  }
  const names = request.tools?.map((tool) => tool.function.name) ?? [];
  if (new Set(names).size < names.length) {
    return { message: "Invalid 'tools': tool names must be unique.", param: 'tools' };
  }
  return findExchangeProblem(request) ?? findOrderProblem(request) ?? findTextProblem(request);
}

/** A conversation begins with the user, and doesn't end with the assistant: newer models take no prefill. */
function findOrderProblem({ messages }: ChatRequest): Problem | undefined {
  const first = messages.findIndex(({ role }) => !/system|developer/.test(role));
  if (messages[first]?.role === 'assistant') {
    return { message: "The first message must have role 'user'.", param: `messages[${first}].role` };
  }
  if (messages.at(-1)?.role !== 'assistant') return undefined;
  return { message: 'Expected last role User or Tool but got assistant.', param: 'messages' };
}

/** Some vendors refuse blank texts, others repeated call ids or invalid tool names. */
function findTextProblem({ messages }: ChatRequest): Problem | undefined {
  const ids = new Set<string>();
  for (const [i, message] of messages.entries()) {
    const param = `messages[${i}]`;
    const { tool_calls: calls = [] } = message;
    const isBlank = isBlankContent(message.content) && (calls.length === 0 || Boolean(message.content));
    if (isBlank) return { message: `Invalid value for '${param}.content': text must be non-empty.`, param };
    for (const [n, call] of calls.entries()) {
      const path = `${param}.tool_calls[${n}]`;
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name)) {
        return {
          message: `Invalid '${path}.function.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`,
          param: `${path}.function.name`,
        };
      }
      if (ids.has(call.id)) {
        return { message: `Invalid '${path}.id': ids of calls must be unique.`, param: `${path}.id` };
      }
      ids.add(call.id);
    }
  }
  return undefined;
}

/** Results may come in parts of text, as Qwen Code sends those of MCP servers. */
function isText(content: ChatRequest['messages'][number]['content']): boolean {
  return Array.isArray(content) ? content.every(({ type }) => type === 'text') : typeof content === 'string';
}

function isBlankContent(content: ChatRequest['messages'][number]['content']): boolean {
  if (Array.isArray(content)) return content.some(({ text }) => text !== undefined && !/\S/.test(text));
  return !/\S/.test(content ?? '');
}

/** Every call needs exactly one tool message, directly after the message that made it. */
function findExchangeProblem({ messages }: ChatRequest): Problem | undefined {
  let open = new Set<string>();
  for (const [i, message] of messages.entries()) {
    const param = `messages[${i}]`;
    if (message.role === 'tool') {
      if (message.tool_call_id === undefined) {
        return { message: `Missing required parameter: '${param}.tool_call_id'.`, param };
      }
      if (!isText(message.content)) {
        return { message: `Invalid type for '${param}.content': expected a string or text parts.`, param };
      }
      if (!open.delete(message.tool_call_id)) {
        return {
          message:
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          param: `${param}.role`,
        };
      }
      continue;
    }
    if (open.size > 0) return unanswered(open, param);
    if (message.tool_call_id !== undefined) {
      return { message: `Unknown parameter: '${param}.tool_call_id'.`, param };
    }
    if (message.tool_calls && message.role !== 'assistant') {
      return { message: `Unknown parameter: '${param}.tool_calls'.`, param };
    }
    if (!message.tool_calls && (message.content ?? null) === null) {
      return { message: `Invalid value for '${param}.content': expected a string, got null.`, param };
    }
    const ids = message.tool_calls?.map((call) => call.id) ?? [];
    open = new Set(ids);
    if (open.size < ids.length) {
      return { message: `Duplicate value for 'tool_call_id' in '${param}.tool_calls'.`, param };
    }
  }
  return open.size > 0 ? unanswered(open, 'messages') : undefined;
}

function unanswered(ids: Iterable<string>, param: string): Problem {
  return {
    message:
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${[...ids].join(', ')}`,
    param,
  };
}
