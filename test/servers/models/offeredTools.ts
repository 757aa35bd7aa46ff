import type { ScriptedCall } from '../script/script.ts';
import type { ChatRequest } from '../relay/chatRequest.ts';

type Tool = NonNullable<ChatRequest['tools']>[number];

/** The offered tool of this name, unless the request forbids calls. */
export function findTool(request: ChatRequest, name: string): Tool | undefined {
  if (request.tool_choice === 'none') return undefined;
  return request.tools?.find((tool) => tool.function.name === name);
}

/** A call of a tool with one main argument, named as in the tool's schema. */
export function callWith(tool: Tool, argument: Record<string, string | undefined>): Record<string, string> {
  const { properties = {}, required = [] } = tool.function.parameters ?? {};
  const given = Object.entries(argument).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(
    given.map(([name, value], i) => [name in properties ? name : (required[i] ?? name), value]),
  );
}

let made = 0;

/** A call with an id that is unique in this process; `prefix` is the vendor's. */
export function createCall(name: string, args: object, prefix = 'call'): ScriptedCall {
  made += 1;
  return { id: `${prefix}_${made.toString(36).padStart(6, '0')}`, name, arguments: JSON.stringify(args) };
}
