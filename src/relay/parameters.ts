/** How much a model may reason, as OpenAI names it; each model supports some of these. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** What the user may set of a request; what is absent is not sent, and the model's default applies. */
export interface Parameters {
  temperature?: number | undefined;
  /** Of the answer, in tokens. */
  maxTokens?: number | undefined;
  reasoningEffort?: ReasoningEffort | undefined;
}

export type ParameterName = keyof Parameters;
