import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { formatNumber, formatSize, formatSizeOver } from '../base/format.ts';
import type { FoundSecret } from '../base/secrets/secretScan.ts';
import type { RefusedFile } from './localFiles.ts';

export interface LeftOut {
  path: string;
  reason: 'policy' | 'excluded' | 'too-large' | 'type' | 'empty' | 'binary' | 'secret' | 'unreadable';
  /** For the user. */
  sentence: string;
}

/** Why a file is not sent, with its sentence for the user. */
export type Objection = Pick<LeftOut, 'reason' | 'sentence'>;

export function refusedObjection({ isWithheld, refusal }: RefusedFile): Objection {
  return { reason: isWithheld ? 'policy' : 'unreadable', sentence: refusal };
}

export function excludedObjection(): Objection {
  return {
    reason: 'excluded',
    sentence: l10n.t('Excluded by the setting "switchboard.knowledge.exclude".'),
  };
}

/** Undefined for a size that can be sent. */
export function sizeObjection(bytes: number, maxBytes: number): Objection | undefined {
  if (bytes === 0) return { reason: 'empty', sentence: l10n.t('It is empty.') };
  if (bytes <= maxBytes) return undefined;
  return {
    reason: 'too-large',
    sentence: l10n.t(
      '{0} is larger than {1}, the limit of the setting "switchboard.knowledge.maxFileSizeMb".',
      formatSizeOver(bytes, maxBytes),
      formatSize(maxBytes),
    ),
  };
}

export function typeObjection(): Objection {
  return {
    reason: 'type',
    sentence: l10n.t("The platform doesn't support this file type. Save it as PDF, DOCX or text."),
  };
}

export function binaryObjection(): Objection {
  return {
    reason: 'binary',
    sentence: l10n.t("Not a text file, and the platform doesn't support this file type."),
  };
}

export function secretObjection({ line, words }: FoundSecret): Objection {
  return { reason: 'secret', sentence: l10n.t('Line {0} looks like {1}.', formatNumber(line), words) };
}

/** For a file that was fit to be sent when it was planned. */
export function objectionError({ sentence }: Objection): SwitchboardError {
  return new SwitchboardError('local-file', sentence);
}
