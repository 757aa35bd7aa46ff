import { Deferred, untilAborted } from '../../base/async/promises.ts';
import type { Cost, ModelRequest, Usage } from '../../relay/messages.ts';
import { costOf, type Price } from '../../relay/prices/price.ts';
import type { RelayClient } from '../../relay/relayClient.ts';
import { sizeOfMessage, sizeOfTool } from '../context/tokenEstimate.ts';
import type { DailyBudget } from './dailyBudget.ts';
import type { Spending } from './spendingFile.ts';
import { TokenScale } from '../context/contextKnowledge.ts';
import type { AskModel } from '../../relay/streamModel.ts';

/** Assumed tokens of an answer; the prompt makes up most of a request. */
const usualAnswer = 1_000;
const charactersInToken = 3;

/** A relay's models with costs and daily budget. All requests use it: turns, summaries, titles and other extensions. */
export function meteredModel(client: Pick<RelayClient, 'ask' | 'price'>, budget: DailyBudget): AskModel {
  const scale = new TokenScale();
  return async (request, signal, onEvent) => {
    const { model } = request;
    const pricing = client.price(model);
    const estimated = sizeOf(request);
    const promptTokens = Math.ceil(estimated * scale.factor(model));
    const expected = {
      promptTokens,
      completionTokens: Math.min(request.maxTokens ?? usualAnswer, usualAnswer),
    };
    const asked = new Deferred();
    const onAsk = request.isUnasked ? undefined : asked.resolve;
    const reserve = (next: Spending) => budget.reserve(model, next, signal, onAsk);
    const reserving = budget.isLimited
      ? untilAborted(pricing, signal).then((price) => reserve(toSpending(expected, price)))
      : reserve({ tokens: 0 });
    // Awaited below, after the prompt was announced.
    reserving.catch(() => undefined);
    if (await Promise.race([reserving.then(() => false), asked.promise.then(() => true)])) {
      await onEvent({ type: 'budgetAsked' });
    }
    const { settle } = await reserving;
    let taken: Usage | undefined;
    let characters = 0;
    let isSent = false;
    try {
      await client.ask(request, signal, async (event) => {
        isSent ||= event.type === 'requestSent';
        if (event.type === 'textAdded' || event.type === 'reasoningAdded') characters += event.text.length;
        if (event.type !== 'modelFinished') return onEvent(event);
        const usage = withCost(event.usage, await pricing);
        taken = { promptTokens, completionTokens: tokensIn(characters), ...usage };
        if (usage?.promptTokens !== undefined) scale.observe(model, estimated, promptIn(usage));
        return onEvent({ ...event, ...(usage && { usage }) });
      });
    } finally {
      if (characters > 0) taken ??= { promptTokens, completionTokens: tokensIn(characters) };
      // Servers finish an unstreamed answer even after an abort.
      else if (isSent && signal.aborted && !request.stream) taken ??= expected;
      const settled = pricing.then((price) => settle(taken ? toSpending(taken, price) : { tokens: 0 }));
      if (budget.isLimited) await settled;
    }
  };
}

function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersInToken);
}

/** Some servers report cached tokens beside the prompt's instead of within them. */
function promptIn({ promptTokens = 0, cachedTokens = 0 }: Usage): number {
  return promptTokens + (cachedTokens > promptTokens ? cachedTokens : 0);
}

function withCost(usage: Usage | undefined, price: Price | undefined): Usage | undefined {
  const cost = usage?.cost ?? (usage && price && costOf(usage, price));
  return usage && { ...usage, ...(cost && { cost }) };
}

function toSpending(usage: Usage, price: Price | undefined): Spending {
  const { completionTokens = 0, cost = price && costOf(usage, price) } = usage;
  return {
    tokens: promptIn(usage) + completionTokens,
    ...(cost && { money: toMoney(cost) }),
  };
}

function toMoney({ amount, currency, kind }: Cost): Spending['money'] {
  return { amount, currency, ...(kind === 'withoutGroup' && { lacksGroup: true }) };
}

function sizeOf({ messages, tools = [] }: ModelRequest): number {
  const sizes = [...messages.map(sizeOfMessage), ...tools.map(sizeOfTool)];
  return sizes.reduce((sum, size) => sum + size, 0);
}
