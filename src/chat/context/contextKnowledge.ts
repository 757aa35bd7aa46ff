import type { Usage } from '../../relay/messages.ts';
import { ContextWindows, type ModelLimits, type WindowMemory } from './contextWindows.ts';
import { planTokens } from './planTokens.ts';
import { TokenScale } from './tokenScale.ts';

/** How much was sent in a request. */
export interface Sent {
  /** Of the prompt, as `estimateTokens` counts. */
  tokens: number;
  /** Asked for the answer, if anything was. */
  answer?: number | undefined;
}

/** What a request may take. */
export interface Budget {
  /** For the prompt, as `estimateTokens` counts; Infinity when the window is not known, and the prompt not beyond all windows. */
  prompt: number;
  /** What to ask for the answer; absent leaves it to the server. */
  answer?: number;
}

/** No model accepts more today, in tokens. */
const largestWindow = 10_000_000;
/** What a model of which nobody said a window is given of a conversation that none would take. */
export const assumedWindow = 1_000_000;

/** What is known of the models' contexts: said by settings and the list, learnt from what servers count and refuse. */
export class ContextKnowledge {
  private readonly scale = new TokenScale();
  private readonly windows: ContextWindows;

  constructor(limitsOf: (modelId: string) => ModelLimits, memory: WindowMemory) {
    this.windows = new ContextWindows(limitsOf, memory);
  }

  /** In tokens; undefined when nobody said. */
  window(model: string): number | undefined {
    return this.windows.limits(model).contextWindow;
  }

  /**
   * Where nobody said the window, nothing is cut ahead of time, but for a prompt that no model would take.
   * @param wished `chat.maxTokens`
   * @param estimate of the whole prompt; asked for only where nobody said the window
   */
  budget(model: string, wished?: number, estimate = () => 0): Budget {
    const said = this.windows.limits(model);
    const isBeyondAll = said.contextWindow === undefined && estimate() > largestWindow;
    const limits = isBeyondAll ? { ...said, contextWindow: assumedWindow } : said;
    const { prompt, ...rest } = planTokens(limits, wished);
    return { prompt: Math.floor(prompt / this.scale.factor(model)), ...rest };
  }

  /** An estimate in the model's own tokens. */
  inTokens(model: string, estimated: number): number {
    return Math.ceil(estimated * this.scale.factor(model));
  }

  /** The server counted a prompt. */
  counted(model: string, estimated: number, { promptTokens, cachedTokens = 0 }: Usage): void {
    if (promptTokens === undefined) return;
    // Some count what was cached beside the prompt instead of in it.
    this.scale.observe(model, estimated, promptTokens + (cachedTokens > promptTokens ? cachedTokens : 0));
  }

  /** The server refused a prompt, with this text. The window as it is known now, or undefined when nothing was learnt. */
  refused(model: string, text: string, { tokens, answer = 0 }: Sent): number | undefined {
    const assumed = this.inTokens(model, tokens);
    const learnt = this.windows.learn(model, text, assumed);
    if (!learnt) return undefined;
    // The prompt had at least what the window leaves beside the answer.
    const prompt = learnt.prompt ?? learnt.window - answer;
    if (prompt > assumed) this.scale.observe(model, tokens, prompt);
    return learnt.window;
  }
}
