import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';

export function runningElsewhere(): SwitchboardError {
  return new SwitchboardError('conflict', l10n.t('This conversation is running in another window.'));
}
