import { toFailure } from '../base/failure.ts';
import { toSwitchboardError } from '../base/toSwitchboardError.ts';
import { definitionsOf, followTurn, type ChatTurn } from './answerQuestion.ts';
import { measureParts, type ContextParts } from './context/measureParts.ts';
import type { AnswerEnd } from './events.ts';
import { readInstructions } from './instructions/readInstructions.ts';
import { ModelAsker } from './modelAsker.ts';

/** Compacts a conversation because the user wants it. Whatever fails leaves it as it is. */
export async function compactConversation(turn: ChatTurn, signal: AbortSignal): Promise<AnswerEnd> {
  const { model, conversation } = turn;
  try {
    const prompt = await turn.prompt();
    const asker = new ModelAsker({
      ...{ model, conversation, prompt, knowledge: turn.knowledge },
      newId: () => turn.newId(),
      relay: () => turn.relay(),
      options: () => turn.options(),
    });
    for await (const event of asker.compact(await definitionsOf(turn), signal)) {
      if (event.type === 'parameterRefused') {
        turn.record({ type: 'noticed', id: turn.newId(), kind: 'parameter-refused', detail: event.refused });
        continue;
      }
      followTurn(turn, event);
      if (event.type !== 'turnsSummarised') continue;
      const read = await readInstructions(conversation, prompt.instructions);
      if (read) turn.record(read);
    }
    return { reason: 'answered' };
  } catch (error) {
    const end = toFailure(error);
    if (end.reason !== 'stopped') {
      const detail = toSwitchboardError(error).message;
      turn.record({ type: 'noticed', id: turn.newId(), kind: 'compaction-failed', detail });
    }
    return end;
  }
}

/** What fills the context of a conversation's next request, in the model's own tokens as far as they are known. */
export async function measureContext(turn: ChatTurn): Promise<ContextParts> {
  const { model, conversation, knowledge } = turn;
  const { instructions, maxTokens } = turn.options();
  const tools = await definitionsOf(turn);
  const { tokens, canCompact } = measureParts({
    conversation,
    system: (await turn.prompt()).systemText(tools.map(({ name }) => name)),
    instructions,
    tools,
    budget: knowledge.budget(model, maxTokens).prompt,
  });
  const scaled = Object.entries(tokens).map(([part, count]) => [part, knowledge.inTokens(model, count)]);
  return { tokens: Object.fromEntries(scaled) as ContextParts['tokens'], canCompact };
}
