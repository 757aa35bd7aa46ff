import { asObject, type JsonObject } from '../../base/json.ts';
import type { ToolCall, AssistantMessage } from '../messages.ts';
import type { RenderTarget } from '../profile/modelDialect.ts';

const noRecord = 'No reasoning was recorded for this message.';

/** A model's own reasoning stays beside calls, or everywhere if it wants that; signed reasoning always stays. */
export function ownPartsOnly(answer: AssistantMessage, { model, dialect }: RenderTarget): AssistantMessage {
  const { reasoning, signedReasoning, toolCalls } = answer;
  if (answer.model === model) {
    const isWanted = reasoning === undefined || toolCalls?.length || dialect.reasoning === 'all';
    return isWanted ? answer : without(answer, 'reasoning');
  }
  const hasExtra = toolCalls?.some(({ extra }) => extra);
  if (reasoning === undefined && !signedReasoning && !hasExtra) return answer;
  const rest = without(answer, 'reasoning', 'signedReasoning');
  return toolCalls ? { ...rest, toolCalls: toolCalls.map(withoutExtra) } : rest;
}

function withoutExtra({ id, name, arguments: args }: ToolCall): ToolCall {
  return { id, name, arguments: args };
}

export function withoutReasoning(answer: AssistantMessage): AssistantMessage {
  const { reasoning, signedReasoning } = answer;
  return reasoning === undefined && !signedReasoning
    ? answer
    : without(answer, 'reasoning', 'signedReasoning');
}

export function reasoningForCalls(answer: AssistantMessage): AssistantMessage {
  return answer.toolCalls?.length ? reasoningForAll(answer) : answer;
}

export function reasoningForAll(answer: AssistantMessage): AssistantMessage {
  return answer.reasoning?.trim() ? answer : { ...answer, reasoning: noRecord };
}

function without(answer: AssistantMessage, ...names: ('reasoning' | 'signedReasoning')[]): AssistantMessage {
  const rest = { ...answer };
  for (const name of names) delete rest[name];
  return rest;
}

/** Google's documented placeholder for calls of other models. */
const standIn: JsonObject = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Gemini signs only the first of parallel calls, so one signature is enough. */
export function signatureStandIns(answer: AssistantMessage): AssistantMessage {
  if (!answer.toolCalls?.length || answer.toolCalls.some(isSigned)) return answer;
  const toolCalls = answer.toolCalls.map((call) => ({
    ...call,
    extra: { ...call.extra, extra_content: standIn },
  }));
  return { ...answer, toolCalls };
}

function isSigned({ extra }: ToolCall): boolean {
  return asObject(asObject(extra?.['extra_content'])?.['google'])?.['thought_signature'] !== undefined;
}
