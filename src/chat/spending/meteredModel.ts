import { Deferred } from '../../base/deferred.ts';
import type { ModelRequest, StreamModel, Usage } from '../../relay/messages.ts';
import { costOf, type Price } from '../../relay/price.ts';
import type { RelayClient } from '../../relay/relayClient.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import { sizeOfMessage, sizeOfTool } from '../context/promptSize.ts';
import { TokenScale } from '../context/tokenScale.ts';
import type { DailyBudget } from './dailyBudget.ts';
import type { Spending } from './spendingFile.ts';

/** What an answer is taken to be before it is there: a request is asked about for its prompt, which is nearly all of it. */
const usualAnswer = 1_000;
/** Characters in a token, of an answer that nobody counted. */
const charactersInToken = 3;

/**
 * A relay's models, with what each request costs in its usage and in the daily budget, which asks before it would be passed.
 * Every request goes through this: of turns, summaries, titles and other extensions.
 */
export function meteredModel(
  client: Pick<RelayClient, 'streamModel' | 'price'>,
  budget: DailyBudget,
): StreamModel {
  const scale = new TokenScale();
  return async function* metered(request, signal) {
    const { model } = request;
    // Asked for meanwhile: it is needed when the answer is there.
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
    // It is awaited below, after it is said that the user is asked.
    reserving.catch(() => undefined);
    if (await Promise.race([reserving.then(() => false), asked.promise.then(() => true)])) {
      yield { type: 'budgetAsked' };
    }
    const { settle } = await reserving;
    let taken: Usage | undefined;
    let characters = 0;
    let isSent = false;
    try {
      for await (const event of client.streamModel(request, signal)) {
        isSent ||= event.type === 'requestSent';
        if (event.type === 'textAdded' || event.type === 'reasoningAdded') characters += event.text.length;
        if (event.type !== 'modelFinished') {
          yield event;
          continue;
        }
        const usage = withCost(event.usage, await pricing);
        taken = { promptTokens, completionTokens: tokensIn(characters), ...usage };
        if (usage?.promptTokens !== undefined) scale.observe(model, estimated, promptIn(usage));
        yield { ...event, ...(usage && { usage }) };
      }
    } finally {
      if (characters > 0) taken ??= { promptTokens, completionTokens: tokensIn(characters) };
      // A whole answer is made to its end although nobody waits for it.
      else if (isSent && signal.aborted && !request.stream) taken ??= expected;
      const settled = pricing.then((price) => settle(taken ? toSpending(taken, price) : { tokens: 0 }));
      // The next request is looked at with this one.
      if (budget.isLimited) await settled;
    }
  };
}

function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersInToken);
}

/** Some count what was cached beside the prompt instead of in it. */
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
    ...(cost && { money: { amount: cost.amount, currency: cost.currency } }),
  };
}

function sizeOf({ messages, tools = [] }: ModelRequest): number {
  const sizes = [...messages.map(sizeOfMessage), ...tools.map(sizeOfTool)];
  return sizes.reduce((sum, size) => sum + size, 0);
}
