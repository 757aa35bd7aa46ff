import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { formatNumber, formatSize, formatSizeOver } from '../base/format.ts';
import type { FoundSecret } from '../base/secrets/secretScan.ts';
import type { RefusedFile } from './localFiles.ts';

export interface SkippedFile {
  path: string;
  reason: 'policy' | 'excluded' | 'too-large' | 'type' | 'empty' | 'binary' | 'secret' | 'unreadable';
  /** For the user. */
  message: string;
}

/** Why a file is not sent, with its message for the user. */
export type SkipReason = Pick<SkippedFile, 'reason' | 'message'>;

export function refusedReason({ isWithheld, refusal }: RefusedFile): SkipReason {
  return { reason: isWithheld ? 'policy' : 'unreadable', message: refusal };
}

export function excludedReason(): SkipReason {
  return {
    reason: 'excluded',
    message: l10n.t('Excluded by the setting "switchboard.knowledge.exclude".'),
  };
}

/** Undefined for a size that can be sent. */
export function sizeReason(bytes: number, maxBytes: number): SkipReason | undefined {
  if (bytes === 0) return { reason: 'empty', message: l10n.t('It is empty.') };
  if (bytes <= maxBytes) return undefined;
  return {
    reason: 'too-large',
    message: l10n.t(
      '{0} is over the limit of {1} ("switchboard.knowledge.maxFileSizeMb").',
      formatSizeOver(bytes, maxBytes),
      formatSize(maxBytes),
    ),
  };
}

export function typeReason(): SkipReason {
  return {
    reason: 'type',
    message: l10n.t("The platform doesn't support this file type. Save it as PDF, DOCX or text."),
  };
}

export function binaryReason(): SkipReason {
  return {
    reason: 'binary',
    message: l10n.t("Not a text file, and the platform doesn't support this file type."),
  };
}

export function secretReason({ line, words }: FoundSecret): SkipReason {
  return { reason: 'secret', message: l10n.t('Line {0} looks like {1}.', formatNumber(line), words) };
}

/** For a file that was fit to be sent when it was planned. */
export function skipError({ message }: SkipReason): SwitchboardError {
  return new SwitchboardError('local-file', message);
}
