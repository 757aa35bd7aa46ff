import { toFailure } from '../../base/errors/failureRecord.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import { definitionsOf } from './answerQuestion.ts';
import type { ChatTurn } from './chatTurn.ts';
import { measureParts, type ContextParts } from '../context/measureParts.ts';
import type { AnswerEnd } from '../store/events.ts';
import { ModelAsker } from './modelAsker.ts';

export async function compactConversation(turn: ChatTurn, signal: AbortSignal): Promise<AnswerEnd> {
  const { model, deps, log } = turn;
  try {
    const asker = new ModelAsker(turn, model, await deps.prompt());
    await asker.compact(await definitionsOf(turn), signal);
    return { reason: 'answered' };
  } catch (error) {
    const end = toFailure(error);
    if (end.reason !== 'stopped') {
      const detail = toSwitchboardError(error).message;
      await log.record({ type: 'noticed', id: deps.newId(), kind: 'compaction-failed', detail });
    }
    return end;
  }
}

export async function measureContext(turn: ChatTurn): Promise<ContextParts> {
  const { model, conversation, deps } = turn;
  const { instructions, maxTokens } = turn.options();
  const tools = await definitionsOf(turn);
  const { tokens, canCompact } = measureParts({
    conversation,
    system: (await deps.prompt()).systemText(tools.map(({ name }) => name)),
    instructions,
    tools,
    budget: deps.knowledge.budget(model, maxTokens).prompt,
  });
  const scaled = Object.entries(tokens).map(([part, count]) => [part, deps.knowledge.inTokens(model, count)]);
  return { tokens: Object.fromEntries(scaled) as ContextParts['tokens'], canCompact };
}
