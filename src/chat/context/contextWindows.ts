import type { ContextRefusal } from './contextRefusal.ts';

/** Limits from settings and the relay's model list, in tokens; absent if unknown. */
export interface ModelLimits {
  contextWindow?: number;
  maxTokens?: number;
}

export interface WindowMemory {
  get(modelId: string): number | undefined;
  set(modelId: string, contextWindow: number): void;
}

export interface LearntWindow {
  window: number;
  /** The prompt's size as the server counted it, or its lower bound. */
  prompt?: number;
}

/** Assumed share of the window in a prompt refused without a number. */
const guessShare = 0.9;
const smallestGuess = 1000;

export class ContextWindows {
  private readonly learnt = new Map<string, { window: number; said: number | undefined }>();

  constructor(
    private readonly limitsOf: (modelId: string) => ModelLimits,
    private readonly memory: WindowMemory,
  ) {}

  /** A refusal overrides the list; a setting or list that changed since overrides the refusal. */
  limits(modelId: string): ModelLimits {
    const said = this.limitsOf(modelId);
    const learnt = this.learnt.get(modelId);
    if (learnt && learnt.said === said.contextWindow) return { ...said, contextWindow: learnt.window };
    const contextWindow = said.contextWindow ?? this.memory.get(modelId);
    return contextWindow === undefined ? said : { ...said, contextWindow };
  }

  /** Learns from a refusal of about `sent` tokens; a window inferred without a number lasts for the session only. */
  learn(modelId: string, { window: named, prompt }: ContextRefusal, sent: number): LearntWindow | undefined {
    const said = this.limitsOf(modelId).contextWindow;
    if (named !== undefined) {
      this.learnt.set(modelId, { window: named, said });
      this.memory.set(modelId, named);
      return { window: named, ...(prompt !== undefined && { prompt }) };
    }
    const known = this.limits(modelId).contextWindow ?? Infinity;
    const window = Math.floor(Math.min(known, sent) * guessShare);
    if (window < smallestGuess) return undefined;
    this.learnt.set(modelId, { window, said });
    return { window };
  }
}
