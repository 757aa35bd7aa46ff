import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { messageOf } from '../base/messageOf.ts';
import { toSwitchboardError } from '../base/toSwitchboardError.ts';

/** What was thrown while a document was read and sent. The system's own refusals are about the file. */
export function toError(error: unknown): SwitchboardError {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  if (!isOfSystem) return toSwitchboardError(error);
  return new SwitchboardError('local-file', l10n.t('It could not be read or sent.'), {
    systemError: messageOf(error),
    cause: error,
  });
}
