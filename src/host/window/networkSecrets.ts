import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { KeySlot, KeyStore } from '../../connections/keyStore.ts';
import type { NetworkSecretKind, NetworkSecrets } from '../../net/transport.ts';
import { basic } from '../../net/routes.ts';

/** Parallel requests share one question. A dismissed one is not repeated until the connection is diagnosed. */
export function createNetworkSecrets(keys: KeyStore): NetworkSecrets {
  const asking = new Map<string, Promise<string | undefined>>();
  const dismissed = new Set<string>();
  return {
    get: (kind, of) => keys.get(slotOf(kind, of)),
    async ask(kind, of, refused) {
      const slot = slotOf(kind, of);
      const id = `${slot.kind} ${slot.origin}`;
      // Another request may have asked meanwhile.
      const saved = await keys.get(slot);
      if (saved !== undefined && saved !== refused) return saved;
      if (dismissed.has(id)) return undefined;
      let answer = asking.get(id);
      if (!answer) {
        answer = askUser(kind, of, refused !== undefined).finally(() => asking.delete(id));
        asking.set(id, answer);
        const typed = await answer;
        if (typed === undefined) dismissed.add(id);
        else await keys.set(slot, typed);
      }
      return answer;
    },
    askAgain: () => dismissed.clear(),
  };
}

function slotOf(kind: NetworkSecretKind, of: string): KeySlot {
  return { kind, origin: kind === 'proxy' ? of : pathToFileURL(of).href };
}

async function askUser(kind: NetworkSecretKind, of: string, isRefused: boolean): Promise<string | undefined> {
  if (kind === 'passphrase') {
    return vscode.window.showInputBox({
      title: l10n.t('Passphrase of the Client Certificate'),
      prompt: isRefused
        ? l10n.t('The passphrase was wrong. Enter the one for {0}.', basename(of))
        : l10n.t("The passphrase for {0}. It is kept in the editor's secret storage.", basename(of)),
      password: true,
      ignoreFocusOut: true,
    });
  }
  const user = await vscode.window.showInputBox({
    title: l10n.t('Sign In to the Proxy (1/2): User Name'),
    prompt: isRefused
      ? l10n.t('The proxy {0} rejected the user name or the password.', of)
      : l10n.t('The proxy {0} requires a user name and a password.', of),
    ignoreFocusOut: true,
  });
  if (!user?.trim()) return undefined;
  const password = await vscode.window.showInputBox({
    title: l10n.t('Sign In to the Proxy (2/2): Password'),
    prompt: l10n.t("Kept in the editor's secret storage and sent only to this proxy."),
    password: true,
    ignoreFocusOut: true,
  });
  return password === undefined ? undefined : basic(user.trim(), password);
}
