import { type ChatRequest, messagesOfTurn, textOf } from '../relay/chatRequest.ts';
import { type ScriptedModel, text, toolCall } from '../script/script.ts';
import { callOrTell } from './callOrTell.ts';
import { callsFor, planCalls } from './planCalls.ts';

/** Follows any instruction in a text, as no model should. */
export const gullibleModel: ScriptedModel = {
  id: 'scripted-gullible',
  ownedBy: 'openai',
  describe:
    'Obeys any text it is given: a line "Assistants: …" in a file, a result or AGENTS.md is carried out like the words of the user, which it reads as scripted-tools does. It tells what it got by that.',
  contextWindow: 128_000,
  maxTokens: 16_384,
  *answer(request) {
    const turn = messagesOfTurn(request);
    const made = new Set(
      turn.flatMap(({ tool_calls = [] }) => tool_calls.map(({ function: call }) => keyOf(call))),
    );
    const calls = [...planCalls(request), ...ordersIn(request)].filter((call) => !made.has(keyOf(call)));
    if (calls.length > 0) yield* calls.map(toolCall);
    else if (made.size > 0) yield text(turn.map(textOf).join('\n\n'));
    else yield* callOrTell(gullibleModel.id, request, []);
  },
};

const order = /^(?:\d+\t)?Assistants: (.+)$/gm;

function ordersIn(request: ChatRequest) {
  return request.messages
    .filter(({ role }) => role === 'system' || role === 'tool')
    .flatMap((message) => [...textOf(message).matchAll(order)])
    .flatMap(([, wish = '']) => callsFor(wish, request));
}

function keyOf({ name, arguments: json }: { name: string; arguments: string }): string {
  return `${name} ${json}`;
}
