import type { SwitchboardError } from '../base/errors.ts';

/** How a model wants to be asked where its vendor departs from the service's form. */
export interface Dialect {
  stream: boolean;
  streamOptions: boolean;
  /** OpenAI's reasoning models accept only the second. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
}

/** The service's own form, which is tried first with every model. */
export const serviceForm: Dialect = { stream: true, streamOptions: true, maxTokensField: 'max_tokens' };

/**
 * What to try after a refusal, or undefined when it teaches nothing. Only fields the user did not choose are
 * ever left out: a refused temperature or tool stays an error. Each lesson can be learnt once, so it ends.
 */
export function learnFrom(refusal: SwitchboardError, dialect: Dialect): Dialect | undefined {
  if (refusal.code !== 'request' || refusal.status === undefined) return undefined;
  switch (refusal.parameter) {
    case 'stream_options':
    case 'stream_options.include_usage':
      return dialect.streamOptions ? { ...dialect, streamOptions: false } : undefined;
    case 'stream':
      return dialect.stream ? { ...dialect, stream: false } : undefined;
    case 'max_tokens':
      return dialect.maxTokensField === 'max_tokens' && /max_completion_tokens/.test(refusal.why ?? '')
        ? { ...dialect, maxTokensField: 'max_completion_tokens' }
        : undefined;
    default:
      return undefined;
  }
}
