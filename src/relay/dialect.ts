import type { SwitchboardError } from '../base/errors.ts';

/** How a model wants to be asked where its vendor departs from the service's form. */
export interface Dialect {
  stream: boolean;
  streamOptions: boolean;
  /** OpenAI's reasoning models accept only the second. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Without it, the system text stands at the head of the first message of the user. */
  systemRole: boolean;
  /** Whether a model gets its own reasoning back beside its tool calls. */
  reasoning: boolean;
  /**
   * By the messages protocol: whether the model decides how much it reasons by the effort that is asked of it, as since
   * Claude 4.6, or takes a budget of tokens.
   */
  effort: 'adaptive' | 'budget';
  /** The most tokens that the model gives, where it was asked for more by default. */
  answerLimit?: number;
}

/** The service's own form, which is tried first with every model. */
export const serviceForm: Dialect = {
  stream: true,
  streamOptions: true,
  maxTokensField: 'max_tokens',
  systemRole: true,
  reasoning: true,
  effort: 'adaptive',
};

/** What the refused request had that a lesson may be about. */
export interface Refused {
  /** It had a limit of tokens that nobody chose. */
  isLimitOurs?: boolean;
  /** It asked by the messages protocol for an effort. */
  hasEffort?: boolean;
}

/**
 * What to try after a refusal, or undefined when it teaches nothing. Only fields the user did not choose are
 * left out here. Each lesson can be learnt once, so it ends.
 */
export function learnFrom(
  refusal: SwitchboardError,
  dialect: Dialect,
  { isLimitOurs = false, hasEffort = false }: Refused = {},
): Dialect | undefined {
  if (refusal.code !== 'request' || refusal.status === undefined) return undefined;
  const { parameter = '', why = '' } = refusal;
  const isAboutReasoning = /\breasoning_content\b|\bthinking\b.*\bblock|\.thinking\./.test(
    `${parameter} ${why}`,
  );
  if (isAboutReasoning && !/\b(missing|required?|must)\b/i.test(why)) {
    return dialect.reasoning ? { ...dialect, reasoning: false } : undefined;
  }
  if (hasEffort && dialect.effort === 'adaptive' && refusedEffort.test(`${parameter} ${why}`)) {
    return { ...dialect, effort: 'budget' };
  }
  const most = Number(/\bmax_tokens: \d+ > (\d+)/.exec(why)?.[1]);
  if (isLimitOurs && most > 0 && dialect.answerLimit === undefined) return { ...dialect, answerLimit: most };
  if (refusedSystemRole.test(why)) return dialect.systemRole ? { ...dialect, systemRole: false } : undefined;
  switch (parameter) {
    case 'stream_options':
    case 'stream_options.include_usage':
      return dialect.streamOptions ? { ...dialect, streamOptions: false } : undefined;
    case 'stream':
      return dialect.stream ? { ...dialect, stream: false } : undefined;
    case 'max_tokens':
      return dialect.maxTokensField === 'max_tokens' && /max_completion_tokens/.test(why)
        ? { ...dialect, maxTokensField: 'max_completion_tokens' }
        : undefined;
    default:
      return undefined;
  }
}

/**
 * OpenAI's o1-mini: "'messages[0].role' does not support 'system' with this model"; Google's Gemma: "Developer
 * instruction is not enabled"; templates of open models: "System role not supported", "Only user and assistant roles".
 */
const refusedSystemRole =
  /does not support 'system'|(?:developer|system)[ _](?:instruction|role|message|prompt)s? (?:is |are )?not (?:enabled|supported|allowed)|only user and assistant roles/i;

/**
 * Anthropic's models before 4.6: "adaptive thinking is not supported on this model", "This model does not support the
 * effort parameter"; servers before them: "thinking: Input tag 'adaptive' found", "output_config: Extra inputs are not
 * permitted". A level that a model does not have is another matter.
 */
const refusedEffort =
  /\badaptive\b|\bthinking\.type\b|\beffort parameter\b|\boutput_config\b.*(?:extra inputs|unexpected|unknown|unrecogni[sz]ed)/i;
