import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { causeText, connectionCodes } from '../../base/errors/errors.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import { commandId } from '../ids.ts';
import type { Notifications } from './notifications.ts';

export interface ErrorRemedy {
  label: string;
  run(): Promise<unknown>;
}

export function tellError(notifications: Notifications, error: unknown, remedy?: ErrorRemedy): void {
  const failure = toSwitchboardError(error);
  const { code, status, address, message } = failure;
  if (code === 'cancelled') return;
  notifications.log.error(`${code} ${status ?? ''} ${address ?? ''}`);
  void tell(
    notifications,
    [message, causeText(failure)].filter(Boolean).join(' '),
    connectionCodes.has(code),
    remedy,
  );
}

async function tell(
  notifications: Notifications,
  message: string,
  isOfConnection: boolean,
  remedy: ErrorRemedy | undefined,
): Promise<void> {
  const showLog = l10n.t('Show Log');
  const diagnose = l10n.t('Diagnose Connection…');
  const answer = await notifications.error(
    message,
    ...(remedy ? [remedy.label] : []),
    ...(isOfConnection ? [diagnose] : []),
    showLog,
  );
  if (remedy && answer === remedy.label) await remedy.run();
  if (answer === diagnose) await vscode.commands.executeCommand(commandId('diagnoseConnection'));
  if (answer === showLog) await vscode.commands.executeCommand(commandId('showLog'));
}
