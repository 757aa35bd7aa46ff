import { continuationOf, type ChatRequest } from '../relay/chatRequest.ts';
import { type ScriptContext, type ScriptedModel, type Step, text } from '../script/script.ts';

export function goingOn(model: ScriptedModel): ScriptedModel {
  return {
    ...model,
    async *answer(request, context) {
      const rest = await restOf(request, (asked) => wholeOf(model, asked, context));
      if (rest === undefined) yield* model.answer(request, context);
      else yield text(rest);
    },
  };
}

/** Undefined if there is no answer to be continued. @param whole returns the answer to a request */
export async function restOf(
  request: ChatRequest,
  whole: (request: ChatRequest) => string | Promise<string>,
): Promise<string | undefined> {
  const continuation = continuationOf(request);
  if (!continuation) return undefined;
  const answer = await whole(continuation.request);
  return answer.startsWith(continuation.before) ? answer.slice(continuation.before.length) : undefined;
}

async function wholeOf(model: ScriptedModel, request: ChatRequest, context: ScriptContext): Promise<string> {
  const steps: Step[] = [];
  for await (const step of model.answer(request, context)) steps.push(step);
  return steps.map((step) => (step.type === 'text' ? step.text : '')).join('');
}
