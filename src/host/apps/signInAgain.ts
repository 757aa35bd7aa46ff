import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { commandId } from '../ids.ts';
import type { Notifications } from '../ui/notifications.ts';

export async function offerToSignInAgain(
  notifications: Notifications,
  { baseUrl }: AppRecord,
): Promise<void> {
  const signIn = l10n.t('Sign In Again…');
  const text = l10n.t(
    'Your sign-in to {0} has expired or expires soon. Sign in again to keep using its apps.',
    baseUrl,
  );
  if ((await notifications.warning(text, signIn)) === signIn) {
    await vscode.commands.executeCommand(commandId('signIn'), baseUrl);
  }
}
