import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever.ts';
import type { UndoProblem } from '../chat/events.ts';

export function undoProblemMessage({ reason, why = '' }: UndoProblem): string {
  switch (reason) {
    case 'changed':
      return l10n.t('Not undone: changed since');
    case 'gone':
      return l10n.t('Not undone: deleted since');
    case 'lost':
      return l10n.t('Not undone: the earlier text is no longer stored (limit: 100 MB for each conversation)');
    case 'failed':
      return l10n.t('Not undone: {0}', why);
    default:
      return assertNever(reason);
  }
}
