import { readContextRefusal } from './contextRefusal.ts';

/** What settings and the relay's list say of a model, in tokens; what nobody said is absent. */
export interface ModelLimits {
  contextWindow?: number;
  maxTokens?: number;
}

/** Remembers windows that servers named in refusals, per relay, between sessions. */
export interface WindowMemory {
  get(modelId: string): number | undefined;
  set(modelId: string, contextWindow: number): void;
}

/** What was learnt from one refusal. */
export interface LearntWindow {
  window: number;
  /** What the server counted of our prompt, or the least it can have counted. */
  prompt?: number;
}

/** A request that a server refused without a number is assumed to be over by this much. */
const guessShare = 0.9;
/** A window below this is not concluded from a refusal that names none. */
const smallestGuess = 1000;

/** How large the models' context windows are, as far as anybody said. */
export class ContextWindows {
  /** By model: what a refusal taught in this session, and what had been said of the model then. */
  private readonly learnt = new Map<string, { window: number; said: number | undefined }>();

  constructor(
    private readonly limitsOf: (modelId: string) => ModelLimits,
    private readonly memory: WindowMemory,
  ) {}

  /** A refusal is newer than the list; a setting or a list that changed since is newer than the refusal. */
  limits(modelId: string): ModelLimits {
    const said = this.limitsOf(modelId);
    const learnt = this.learnt.get(modelId);
    if (learnt && learnt.said === said.contextWindow) return { ...said, contextWindow: learnt.window };
    const contextWindow = said.contextWindow ?? this.memory.get(modelId);
    return contextWindow === undefined ? said : { ...said, contextWindow };
  }

  /**
   * Learns from a refusal's text, sent for a prompt of about `sent` tokens. A window without a number is a guess and
   * lasts only for the session. Undefined when nothing can be concluded.
   */
  learn(modelId: string, text: string, sent: number): LearntWindow | undefined {
    const { window: named, prompt } = readContextRefusal(text);
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
