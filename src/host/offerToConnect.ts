import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds } from './ids.ts';
import { showInformation } from './notifications.ts';

/** Says what a relay is missing for, with the button that connects one. */
export async function offerToConnect(text: string): Promise<void> {
  const connect = l10n.t('Connect Relay…');
  const answer = await showInformation(text, connect);
  if (answer === connect) await vscode.commands.executeCommand(commandIds.connectRelay);
}
