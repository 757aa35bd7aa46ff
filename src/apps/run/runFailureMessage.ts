import * as l10n from '@vscode/l10n';
import { causeText } from '../../base/causeText.ts';
import type { SwitchboardError } from '../../base/errors.ts';
import type { AppStep } from '../app.ts';
import type { AppRecord } from '../appRegistry.ts';

/** Names the step that failed, and gives the server's reason. */
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
