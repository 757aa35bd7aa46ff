import type { SearchResult } from '../knowledge/searchKnowledge.ts';
import type { AskModel } from '../relay/streamModel.ts';
import { findings, findingsText, groundingMessage, type NumberOf } from '../tools/knowledge/searchBases.ts';

const longestAnswer = 50_000;

/** Has a model answer a question from segments, by the message that a conversation sends. Throws a `SwitchboardError`. */
export async function groundedAnswer(
  ask: AskModel,
  { model, stream }: { model: string; stream: boolean },
  { question, found }: { question: string; found: readonly SearchResult[] },
  signal: AbortSignal,
): Promise<string> {
  const answer = { segments: found, failures: [] };
  const bases = [
    ...new Map(found.map(({ datasetId: id, datasetName: name }) => [id, { id, name }])).values(),
  ];
  const numberOf: NumberOf = (segment) => found.findIndex((each) => each === segment) + 1;
  const numbered = findings(answer, bases, numberOf);
  const content = [groundingMessage(findingsText(question, answer, numbered)), question].join('\n\n');
  let text = '';
  await ask({ model, stream, messages: [{ role: 'user', content }] }, signal, (event) => {
    if (event.type === 'textAdded' && text.length < longestAnswer) text += event.text;
  });
  return text.slice(0, longestAnswer);
}
