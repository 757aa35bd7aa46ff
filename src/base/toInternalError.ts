import * as l10n from '@vscode/l10n';
import { SwitchboardError } from './errors.ts';

/** What nobody expected, told as a mistake of ours. */
export function toInternalError(error: unknown): SwitchboardError {
  const why = error instanceof Error ? error.message : String(error);
  return new SwitchboardError('request', l10n.t('Internal error. See the log for details.'), {
    why,
    cause: error,
  });
}
