import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/format.ts';

/** For the model. */
export function redactionNote(count: number): string {
  return `[${count} ${plural(count, 'secret was', 'secrets were')} redacted. Ask the user if one is needed.]`;
}

/** For the user. */
export function redactionMessage(count: number): string {
  return plural(
    count,
    l10n.t('1 secret redacted. To send it, attach the file and choose Send Unredacted.'),
    l10n.t(
      '{0} secrets redacted. To send them, attach the file and choose Send Unredacted.',
      formatNumber(count),
    ),
  );
}
