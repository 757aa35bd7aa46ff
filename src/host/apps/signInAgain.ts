import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { commandId } from '../ids.ts';
import type { Notifications } from '../ui/notifications.ts';

const asked = new Set<string>();

/** Offers once per window and platform to sign in again; the sign-in can't be extended. */
export function offerToSignInAgain(notifications: Notifications, { baseUrl, origin }: AppRecord): void {
  if (asked.has(origin)) return;
  asked.add(origin);
  void ask(notifications, baseUrl);
}

async function ask(notifications: Notifications, baseUrl: string): Promise<void> {
  const signIn = l10n.t('Sign In Again…');
  const text = l10n.t(
    'Your sign-in to {0} has expired or expires soon. Sign in again to keep using its apps.',
    baseUrl,
  );
  if ((await notifications.warning(text, signIn)) === signIn) {
    await vscode.commands.executeCommand(commandId('signIn'), baseUrl);
  }
}

export function forgetQuestion(origin: string): void {
  asked.delete(origin);
}
