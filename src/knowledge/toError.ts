import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';

/** Anything thrown, as an error for a person. */
export function toError(error: unknown): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === 'AbortError') {
    return new SwitchboardError('cancelled', l10n.t('Stopped.'), { cause: error });
  }
  return new SwitchboardError('request', l10n.t('It could not be read or sent.'), { why, cause: error });
}
