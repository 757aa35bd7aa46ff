import type { ChatRequest } from '../servers/relay/chatRequest.ts';
import { textOf } from '../servers/relay/chatRequest.ts';
import { createCall } from '../servers/models/offeredTools.ts';
import { type ScriptedCall, type ScriptedModel, text, toolCall } from '../servers/script/script.ts';

const tool = /(?:^|_)search_knowledge$/;

/**
 * Looks the question up by `search_knowledge`, whichever way the program offers it, and answers with the file and the
 * lines of the first result, or with what came instead.
 */
export const knowledgeAsker: ScriptedModel = {
  id: 'knowledge-asker',
  ownedBy: 'openai',
  describe: 'Answers from knowledge bases with the place of the first segment.',
  contextWindow: 128_000,
  maxTokens: 16_384,
  *answer(request) {
    const call = nextCall(request);
    if (call) return yield toolCall(call);
    const result = request.messages.findLast(({ role }) => role === 'tool');
    const found = textOf(result);
    const place = /file=\\?"([^"\\]+)\\?"/.exec(found)?.[1];
    yield text(place ? `It is in ${place}.` : `Nothing found: ${found || 'no tool'}`);
  },
};

const mcpTool = 'mcp__switchboard-knowledge__search_knowledge';
const query = { query: 'speed limit in the basin' };

function nextCall(request: ChatRequest): ScriptedCall | undefined {
  const names = request.tools?.map(({ function: { name } }) => name) ?? [];
  const made = request.messages.flatMap(({ tool_calls: calls = [] }) =>
    calls.map(({ function: { name } }) => name),
  );
  const isAsked = made.some((name) => tool.test(name) || name === 'tool_call');
  if (isAsked) return undefined;
  const direct = names.find((name) => tool.test(name));
  if (direct) return createCall(direct, query);
  // Programs that load tools when they are searched for.
  const isSearched = made.length > 0;
  if (names.includes('ToolSearch'))
    return isSearched ? undefined : createCall('ToolSearch', { query: `select:${mcpTool}`, max_results: 5 });
  // That of Qwen Code takes a name; it also lets a model call what it has found.
  const indirect = request.tools?.find(({ function: { name } }) => name === 'tool_call')?.function;
  if (indirect?.parameters?.properties?.['id'])
    return createCall('tool_call', { id: 'switchboard-knowledge__search_knowledge', args: query });
  if (names.includes('tool_search'))
    return isSearched ? createCall(mcpTool, query) : createCall('tool_search', { query: 'search_knowledge' });
  return undefined;
}
