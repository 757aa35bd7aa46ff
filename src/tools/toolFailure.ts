import type { Refusal } from './policy/refusal.ts';

/** Ends a tool with a text for the model: what failed and what to try next. `toolSet` makes a result of it. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  constructor(
    message: string,
    readonly refusal?: Refusal,
    /** Why, in the user's language, where the user had a part in it. */
    readonly note?: string,
  ) {
    super(message);
  }
}

/** The verdict if it allows; otherwise ends the tool with the policy's sentence. */
export function granted<T extends object>(verdict: T | Refusal): T {
  if ('reason' in verdict && 'forModel' in verdict) throw new ToolFailure(verdict.forModel, verdict);
  return verdict;
}
