import * as l10n from '@vscode/l10n';
import type { SwitchboardError } from '../../base/errors.ts';
import type { AppStep } from '../app.ts';
import type { AppRecord } from '../appRegistry.ts';

/** Names the step that failed, and gives the server's reason. */
export function runFailureMessage(
  { name }: Pick<AppRecord, 'name'>,
  steps: readonly AppStep[],
  { message, why }: SwitchboardError,
): string {
  const failed = steps.findLast(({ status }) => status === 'failed');
  const reason = failed?.error ?? why;
  const whole = failed ? l10n.t('"{0}" failed at "{1}".', name, failed.title) : `${name}: ${message}`;
  return reason ? `${whole} ${l10n.t('Server response: {0}', reason)}` : whole;
}
