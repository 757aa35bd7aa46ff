import { appIdOf } from '../../apps/appModelId.ts';
import type { AnswerItem } from './items.ts';

export function canContinue({ model, text, end }: AnswerItem): boolean {
  // The platform can't continue an answer.
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
