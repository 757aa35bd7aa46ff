import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { secretsNamedIn } from '../../relay/headers.ts';
import type { KeyStore } from '../../connections/keyStore.ts';
import type { RelayConnections } from '../../connections/relayConnections.ts';
import { offerToConnect } from './chooseRelay.ts';
import type { Notifications } from '../ui/notifications.ts';

/** Saves a secret of a relay's headers, which only that relay's origin receives. Returns its name, if any. */
export async function setHeaderSecret(
  notifications: Notifications,
  keys: KeyStore,
  { known }: Pick<RelayConnections, 'known'>,
): Promise<string | undefined> {
  if (known.length === 0) {
    void offerToConnect(notifications, l10n.t('Connect a relay first.'));
    return undefined;
  }
  const secrets = known.flatMap(({ name: relay, origin, headers }) =>
    [...new Set(Object.values(headers).flatMap(secretsNamedIn))].map((name) => ({
      label: name,
      name,
      origin,
      ...(known.length > 1 && { description: relay }),
    })),
  );
  if (secrets.length === 0) {
    void offerHeaders(notifications);
    return undefined;
  }
  const title = l10n.t('Set Header Secret');
  const placeHolder = l10n.t('Select the secret');
  const secret =
    secrets.length === 1
      ? secrets[0]
      : await vscode.window.showQuickPick(secrets, { title, placeHolder, ignoreFocusOut: true });
  if (!secret) return undefined;
  const { name, origin } = secret;
  const value = await vscode.window.showInputBox({
    title: l10n.t('Secret "{0}" for {1}', name, origin),
    prompt: l10n.t("Kept in the editor's secret storage and sent only to this relay."),
    password: true,
    ignoreFocusOut: true,
    validateInput: problemOf,
  });
  if (value === undefined) return undefined;
  await keys.set({ kind: `header:${name}`, origin }, value.trim());
  return name;
}

async function offerHeaders(notifications: Notifications): Promise<void> {
  const open = l10n.t('Open Settings');
  const answer = await notifications.information(
    l10n.t(
      'No header uses a secret. Set a header\'s value to {0} in the setting "switchboard.relay.headers" first.',
      '${secret:name}',
    ),
    open,
  );
  if (answer === open) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'switchboard.relay.headers');
  }
}

function problemOf(value: string): string | undefined {
  if (value.trim() === '') return l10n.t('Enter a value.');
  return /^[\t\x20-\x7E\x80-\xFF]*$/.test(value.trim())
    ? undefined
    : l10n.t('The value contains an invalid character.');
}
