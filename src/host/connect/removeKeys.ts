import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { AppService } from '../../apps/appService.ts';
import type { Clients } from '../../connections/clients.ts';
import type { KeySlot, KeyStore } from '../../connections/keyStore.ts';
import { type PlatformSession, PlatformSessions } from '../../connections/platformSessions.ts';
import type { RelayConnections } from '../../connections/relayConnections.ts';
import { hostOf } from '../../relay/relayModelId.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface RemoveKeysDependencies {
  keys: KeyStore;
  clients: Clients;
  apps: Pick<AppService, 'find'>;
  relays: Pick<RelayConnections, 'known'>;
  notifications: Notifications;
}

export async function removeKeys({
  notifications,
  keys,
  clients,
  apps,
  relays,
}: RemoveKeysDependencies): Promise<number> {
  const slots = await keys.list();
  const appName = (id: string) => apps.find(id)?.name;
  const { known } = relays;
  const relayName = (origin: string) => known.find((relay) => relay.origin === origin)?.name;
  if (slots.length === 0) {
    void notifications.information(l10n.t('There are no saved keys.'));
    return 0;
  }
  const picked = await vscode.window.showQuickPick(
    slots.map((slot) => ({
      label: slot.origin,
      description: describe(slot, appName, relayName),
      slot,
      picked: slots.length === 1,
    })),
    {
      title: l10n.t('Remove Saved Keys'),
      placeHolder: l10n.t('Select the keys to remove'),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  if (!picked?.length) return 0;
  const sessions: PlatformSession[] = [];
  for (const { slot } of picked) {
    const session = slot.kind === 'session' && (await new PlatformSessions(keys).read(slot.origin));
    if (session) sessions.push(session);
    await keys.forget(slot);
  }
  void notifications.information(
    plural(picked.length, l10n.t('Removed 1 key.'), l10n.t('Removed {0} keys.', formatNumber(picked.length))),
  );
  if (sessions.length > 0) {
    const { revokeSignIn } = await import('../apps/signIn.ts');
    await Promise.all(sessions.map((session) => revokeSignIn(notifications, clients, session)));
  }
  return picked.length;
}

function describe(
  { kind, origin }: KeySlot,
  appName: (id: string) => string | undefined,
  relayName: (origin: string) => string | undefined,
): string {
  if (kind === 'relay') {
    const name = relayName(origin);
    const hasOwnName = name !== undefined && name !== hostOf(origin);
    return hasOwnName ? l10n.t('key of the relay "{0}"', name) : l10n.t('relay key');
  }
  if (kind === 'dataset') return l10n.t('knowledge base key');
  if (kind === 'session') return l10n.t('sign-in to the platform');
  if (kind === 'proxy') return l10n.t('user name and password of the proxy');
  if (kind === 'passphrase') return l10n.t('passphrase of the client certificate');
  if (kind.startsWith('header:')) return l10n.t('header secret "{0}"', kind.slice('header:'.length));
  const name = appName(kind.slice('app:'.length));
  return name === undefined ? l10n.t('app key') : l10n.t('key of the app "{0}"', name);
}
