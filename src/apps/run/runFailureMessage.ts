import * as l10n from '@vscode/l10n';
import { causeText, type SwitchboardError } from '../../base/errors/errors.ts';
import type { AppStep } from '../app.ts';
import type { AppRecord } from '../appRegistry.ts';

export function runFailureMessage(
  { name }: Pick<AppRecord, 'name'>,
  steps: readonly AppStep[],
  error: SwitchboardError,
): string {
  const failed = steps.findLast(({ status }) => status === 'failed');
  const whole = failed ? l10n.t('"{0}" failed at "{1}".', name, failed.title) : `${name}: ${error.message}`;
  const why = failed?.error ?? error.why;
  return [whole, causeText({ why, systemError: error.systemError })].filter(Boolean).join(' ');
}
