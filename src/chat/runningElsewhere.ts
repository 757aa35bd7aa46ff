import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';

/** What cannot be done to a conversation while another window answers in it. */
export function runningElsewhere(): SwitchboardError {
  return new SwitchboardError('conflict', l10n.t('This conversation is running in another window.'));
}
