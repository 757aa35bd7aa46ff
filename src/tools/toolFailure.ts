import { messageOf } from '../base/errors/errors.ts';
import type { Refusal } from './policy/verdict.ts';

export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  constructor(
    message: string,
    readonly refusal?: Refusal,
    readonly note?: string,
  ) {
    super(message);
  }
}

export function reasonForUser(error: unknown): string {
  if (!(error instanceof ToolFailure)) return messageOf(error);
  return error.note ?? error.refusal?.forUser ?? error.message;
}

export function granted<T extends object>(verdict: T | Refusal): T {
  if ('reason' in verdict && 'forModel' in verdict) throw new ToolFailure(verdict.forModel, verdict);
  return verdict;
}

/** True if a tool only works in the editor's own chat, whose requests have a token. */
export function refusesOtherCallers(error: unknown): boolean {
  return error instanceof Error && /toolInvocationToken|invocation (context|token)/i.test(error.message);
}
