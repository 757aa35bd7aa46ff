import { countPrompt } from '../relay/tokens.ts';
import { lastUserText, questionOf, textOf, type ChatRequest } from '../relay/chatRequest.ts';
import { type ScriptedModel, text } from '../script/script.ts';

export function summarising(model: ScriptedModel): ScriptedModel {
  return {
    ...model,
    async *answer(request, context) {
      const fits = countPrompt(request) <= (model.contextWindow ?? Infinity);
      if (fits && /^\[From the editor, not from the user:\]/m.test(lastUserText(request)))
        yield text(summaryOf(request));
      else yield* model.answer(request, context);
    },
  };
}

/** The requested headings, with facts known to a script: first message, amount of work, named paths. */
function summaryOf({ messages, ...request }: ChatRequest): string {
  const first = messages.filter(({ role }) => role === 'user').slice(0, 1);
  const question = questionOf({ ...request, messages: first });
  // An earlier summary still holds.
  const [, told = question.trim()] =
    /^## Goal\n(.*)/m.exec(question) ?? / role="user">\n(.*)/.exec(question) ?? [];
  const goal = told.slice(0, 100);
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  const paths = calls.flatMap((call) => /"path": ?"([^"]+)"/.exec(call.function.arguments)?.[1] ?? []);
  const answers = messages.filter((message) => message.role === 'assistant' && textOf(message) !== '');
  return [
    `## Goal\n${goal}`,
    `## Done\n${answers.length} answers and ${calls.length} tool calls of a scripted model.`,
    ...(paths.length > 0 ? [`## Files read and changed\n${[...new Set(paths)].join(', ')}`] : []),
    '## Next\nGo on with the newest message.',
  ].join('\n\n');
}
