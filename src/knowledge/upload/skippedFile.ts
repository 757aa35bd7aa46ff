import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber } from '../../base/text/format.ts';
import { formatSize, formatSizeOver } from '../../base/text/formatSize.ts';
import type { FoundSecret } from '../../base/secrets/secretScan.ts';
import type { RefusedFile } from '../files/localFiles.ts';

export interface SkippedFile {
  path: string;
  reason:
    | 'policy'
    | 'excluded'
    | 'too-large'
    | 'type'
    | 'empty'
    | 'binary'
    | 'secret'
    | 'unreadable'
    | 'missing';
  message: string;
}

export type SkipReason = Pick<SkippedFile, 'reason' | 'message'>;

export function refusedReason({ isWithheld, isMissing, refusal }: RefusedFile): SkipReason {
  return { reason: isWithheld ? 'policy' : isMissing ? 'missing' : 'unreadable', message: refusal };
}

export function excludedReason(): SkipReason {
  return {
    reason: 'excluded',
    message: l10n.t('Excluded by the setting "switchboard.knowledge.exclude".'),
  };
}

export function sizeReason(bytes: number, maxBytes: number): SkipReason | undefined {
  if (bytes === 0) return { reason: 'empty', message: l10n.t('The file is empty.') };
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

export function skipError({ message }: SkipReason): SwitchboardError {
  return new SwitchboardError('local-file', message);
}
