import { appIdOf } from '../../apps/appModelId.ts';
import type { ContextParts } from '../context/measureParts.ts';
import type { RequestText } from '../prompt/describeRequest.ts';
import type { Choices } from './choices.ts';
import type { SessionState } from './sessionState.ts';
import type { TurnRunner } from './turnRunner.ts';
import type { AnswerItem } from '../conversation/items.ts';

export class ContextReport {
  constructor(
    private readonly state: SessionState,
    private readonly choices: Choices,
    private readonly turns: TurnRunner,
  ) {}

  async use(measured?: ContextParts): Promise<ContextUse | undefined> {
    const { model } = this.choices;
    const { newestAnswer } = this.state.conversation;
    if (!model || appIdOf(model) !== undefined || !newestAnswer) return undefined;
    const window = (await this.state.context.knowledge()).window(model);
    const counted = countedTokens(newestAnswer);
    const tokens = counted ?? sumOf((measured ?? (await this.parts()))?.tokens ?? {});
    return { tokens, isCounted: counted !== undefined, ...(window !== undefined && { window }) };
  }

  async parts(): Promise<ContextParts | undefined> {
    const { model } = this.choices;
    if (!model || appIdOf(model) !== undefined) return undefined;
    const { measureContext } = await import('../turn/compactConversation.ts');
    return measureContext(await this.turns.turnWith(model));
  }

  async describeRequest(answerId: string): Promise<RequestText | undefined> {
    await this.turns.loadEarlier();
    const answer = this.state.conversation.all.find(({ id }) => id === answerId);
    if (answer?.type !== 'answer' || appIdOf(answer.model) !== undefined) return undefined;
    const { describeAnswer } = await import('../turn/answerQuestion.ts');
    return describeAnswer(await this.turns.turnWith(answer.model), answerId);
  }
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export interface ContextUse {
  tokens: number;
  isCounted: boolean;
  window?: number;
}

function countedTokens({ model, requests }: AnswerItem): number | undefined {
  const newest = requests?.at(-1);
  if (!newest || newest.isSummary || appIdOf(model) !== undefined) return undefined;
  const { promptTokens, completionTokens = 0, reasoningTokens = 0, cachedTokens = 0 } = newest.usage;
  if (promptTokens === undefined) return undefined;
  // Some servers report cached tokens beside the prompt's. Reasoning is hardly ever sent again.
  const prompt = promptTokens + (cachedTokens > promptTokens ? cachedTokens : 0);
  return prompt + Math.max(0, completionTokens - reasoningTokens);
}
