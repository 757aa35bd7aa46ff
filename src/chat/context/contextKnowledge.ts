import type { Usage } from '../../relay/messages.ts';
import type { ContextRefusal } from './contextRefusal.ts';
import { ContextWindows, type ModelLimits, type WindowMemory } from './contextWindows.ts';

export interface Sent {
  tokens: number;
  answer?: number | undefined;
}

export interface Budget {
  /** In tokens as `estimateTokens` counts. Infinity for an unknown window unless the prompt exceeds all known ones. */
  prompt: number;
  answer?: number;
}

/** Largest context window on the market, in tokens. */
const largestWindow = 10_000_000;
export const assumedWindow = 1_000_000;

export class ContextKnowledge {
  private readonly scale = new TokenScale();
  private readonly windows: ContextWindows;

  constructor(limitsOf: (modelId: string) => ModelLimits, memory: WindowMemory) {
    this.windows = new ContextWindows(limitsOf, memory);
  }

  window(model: string): number | undefined {
    return this.windows.limits(model).contextWindow;
  }

  /** @param estimate size of the whole prompt; only called if the window is unknown */
  budget(model: string, wished?: number, estimate = () => 0): Budget {
    const said = this.windows.limits(model);
    const isBeyondAll = said.contextWindow === undefined && estimate() > largestWindow;
    const limits = isBeyondAll ? { ...said, contextWindow: assumedWindow } : said;
    const { prompt, ...rest } = planTokens(limits, wished);
    return { prompt: Math.floor(prompt / this.scale.factor(model)), ...rest };
  }

  inTokens(model: string, estimated: number): number {
    return Math.ceil(estimated * this.scale.factor(model));
  }

  counted(model: string, estimated: number, { promptTokens, cachedTokens = 0 }: Usage): void {
    if (promptTokens === undefined) return;
    // Some servers report cached tokens beside the prompt's instead of within them.
    this.scale.observe(model, estimated, promptTokens + (cachedTokens > promptTokens ? cachedTokens : 0));
  }

  refused(model: string, refusal: ContextRefusal, { tokens, answer = 0 }: Sent): number | undefined {
    const assumed = this.inTokens(model, tokens);
    const learnt = this.windows.learn(model, refusal, assumed);
    if (!learnt) return undefined;
    // The prompt filled at least the window's share beside the answer.
    const prompt = learnt.prompt ?? learnt.window - answer;
    if (prompt > assumed) this.scale.observe(model, tokens, prompt);
    return learnt.window;
  }
}

/** Bounds of the ratio; values beyond are a different kind of count. */
const lowest = 0.5;
const highest = 3;
/** Short prompts mostly reflect the vendor's framing. */
const fewTokens = 200;

export class TokenScale {
  private readonly factors = new Map<string, number>();

  factor(model: string): number {
    return this.factors.get(model) ?? 1;
  }

  observe(model: string, estimated: number, counted: number): void {
    if (estimated < fewTokens || !(counted > 0)) return;
    const seen = Math.min(highest, Math.max(lowest, counted / estimated));
    const known = this.factors.get(model) ?? 1;
    // Low estimates cost a refusal, high ones only some room.
    const weight = seen > known ? 0.7 : 0.2;
    this.factors.set(model, known + weight * (seen - known));
  }
}

interface TokenPlan {
  /** In tokens; Infinity if the window is unknown. */
  prompt: number;
  answer?: number;
}

/** Share of the window reserved for the answer by default, and its maximum in tokens. */
const answerShare = 0.25;
const longestReserve = 32_000;
/** Allows for inexact estimates. */
const margin = 0.97;

/** Lowers a wish of more than half of the window: servers refuse requests whose output limit exceeds the window. */
function planTokens({ contextWindow, maxTokens }: ModelLimits, wished?: number): TokenPlan {
  if (contextWindow === undefined)
    return { prompt: Infinity, ...(wished !== undefined && { answer: wished }) };
  if (wished !== undefined) {
    const answer = Math.min(wished, Math.floor(contextWindow / 2));
    return { prompt: Math.floor((contextWindow - answer) * margin), answer };
  }
  const reserve = Math.min(maxTokens ?? Infinity, contextWindow * answerShare, longestReserve);
  return { prompt: Math.floor((contextWindow - reserve) * margin) };
}
