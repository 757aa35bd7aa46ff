import { appIdOf } from '../apps/appModelId.ts';
import type { AnswerItem } from './items.ts';

/** Whether an answer can be gone on with: it was cut, stopped, or reached a limit, after something came. */
export function canContinue({ model, text, end }: AnswerItem): boolean {
  // The platform has no way to continue an answer.
  if (!end || !text.trim() || appIdOf(model) !== undefined) return false;
  switch (end.reason) {
    case 'length':
    case 'stopped':
    case 'failed':
    case 'interrupted':
      return true;
    case 'answered':
    case 'called':
    case 'filtered':
      return false;
  }
}
