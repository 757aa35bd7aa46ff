import * as l10n from '@vscode/l10n';
import { type ErrorDetails, SwitchboardError } from './errors.ts';

/** @param details `cause`: the failure after which there would have been another try */
export function cancelled(details: Pick<ErrorDetails, 'cause' | 'mayBeBilled'> = {}): SwitchboardError {
  return new SwitchboardError('cancelled', l10n.t('Stopped.'), details);
}
