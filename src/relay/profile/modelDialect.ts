import type { ResponsesForm } from '../protocols/responsesForm.ts';

export interface Dialect {
  stream: boolean;
  streamOptions: boolean;
  /** OpenAI's reasoning models accept only the second. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** The model's maximum, if the default exceeded it. */
  answerLimit?: number;
  /** By the messages protocol: Claude 4.6 and later take an effort, earlier models a token budget. */
  effort: 'adaptive' | 'budget';
  /** Claude can't start reasoning while its earlier calls without reasoning are answered. */
  thinksFromStart: boolean;
  /** False: requests with tools disable reasoning. */
  effortWithTools: boolean;
  /** False: the system text goes into the first user message. */
  systemRole: boolean;
  /** Answers that go back with reasoning: own ones with calls, all with calls, all, or none. */
  reasoning: 'own' | 'calls' | 'all' | 'none';
  /** Other models' calls get Google's placeholder signature. */
  signatures: boolean;
  wordAfterResults: boolean;
  wordBeforeCalls: boolean;
  pictures: 'all' | 'newest' | 'none';
  /** `plain`: without JSON Schema keywords and lengths that some vendors refuse. */
  tools: 'full' | 'plain';
  /** `plain`: other models' calls as text, and nothing but text and own calls. */
  history: 'full' | 'plain';
  cacheMarks: boolean;
  responses?: ResponsesForm;
}

export interface RenderTarget {
  model: string;
  dialect: Dialect;
  hasTools: boolean;
}

export const serviceForm: Dialect = {
  stream: true,
  streamOptions: true,
  maxTokensField: 'max_tokens',
  effort: 'adaptive',
  thinksFromStart: false,
  effortWithTools: true,
  systemRole: true,
  reasoning: 'own',
  signatures: false,
  wordAfterResults: false,
  wordBeforeCalls: false,
  pictures: 'all',
  tools: 'full',
  history: 'full',
  cacheMarks: true,
};
