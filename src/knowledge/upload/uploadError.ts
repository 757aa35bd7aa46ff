import * as l10n from '@vscode/l10n';
import { messageOf, SwitchboardError } from '../../base/errors/errors.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';

export function toUploadError(error: unknown): SwitchboardError {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  if (!isOfSystem) return toSwitchboardError(error);
  return new SwitchboardError('local-file', l10n.t("Couldn't be read or sent."), {
    systemError: messageOf(error),
    cause: error,
  });
}
