import * as l10n from '@vscode/l10n';
import { rejudge, SwitchboardError } from '../../base/errors/errors.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import { inputsRefusedMessage, refusedInputs } from '../../platform/platformMessages.ts';
import { sanitizeServerMessage } from '../../base/text/sanitizeServerMessage.ts';
import type { AppStep, AppRun, FormField } from '../app.ts';

export function answerTruncated(address: string, began: boolean, cause?: SwitchboardError): SwitchboardError {
  return new SwitchboardError(
    'truncated',
    began
      ? l10n.t('The answer was cut off before the app finished it. The partial answer was kept. Try again.')
      : l10n.t(
          'The platform closed the request without an answer. Its background worker may not be running, or the conversation or a file may be unknown to it.',
        ),
    { address, why: cause?.why, systemError: cause?.systemError, cause },
  );
}

/** The platform is up and sends keep-alives, so its worker is the likely cause. */
export function workerNotResponding(
  address: string,
  limitMs: number,
  cause?: SwitchboardError,
): SwitchboardError {
  return new SwitchboardError(
    'timeout-first-token',
    l10n.t(
      "The platform accepted the request, but didn't start it within {0}. Its background worker may be busy or not running, or a file may be unknown to it. Try again. If that doesn't help, contact your platform administrator.",
      formatDuration(limitMs),
    ),
    { address, cause },
  );
}

/** The form gained this field since it was filled in. */
export function runFormChanged({ label, variable }: FormField): SwitchboardError {
  return new SwitchboardError(
    'request',
    l10n.t(
      'The app\'s form now requires "{0}". Run the app again and fill it in.',
      sanitizeServerMessage(label || variable),
    ),
  );
}

/** The conversation lacks a field that the form has gained; it gets no answers before its inputs are edited. */
export function formChanged({ label, variable }: FormField): SwitchboardError {
  return new SwitchboardError(
    'inputs',
    l10n.t(
      'The app\'s form now requires "{0}", which this conversation does not have. Edit its inputs, then try again.',
      sanitizeServerMessage(label || variable),
    ),
  );
}

export function withMaskedError<T extends { error?: string | undefined }>(record: T, key: string): T {
  return record.error === undefined ? record : { ...record, error: maskSecrets(record.error, [key]) };
}

export function failedRun(
  { error }: AppRun,
  step: AppStep | undefined,
  address: string,
  key: string,
): SwitchboardError {
  const why = error ?? step?.error;
  const isRefused = !step && refusedInputs.test(why ?? '');
  const message = isRefused
    ? inputsRefusedMessage()
    : step
      ? l10n.t('The run failed in step "{0}". See the server\'s message.', shown(step))
      : l10n.t("The run failed. See the server's message.");
  return new SwitchboardError(isRefused ? 'inputs' : 'request', message, {
    ...(why && { why: sanitizeServerMessage(why, [key]) }),
    address,
  });
}

export function inStep(error: SwitchboardError, step: AppStep | undefined): SwitchboardError {
  if (!step) return error;
  return rejudge(error, error.code, l10n.t('The step "{0}" failed. {1}', shown(step), error.message));
}

function shown({ title }: AppStep): string {
  return sanitizeServerMessage(title);
}
