import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clients } from '../../connections/clients.ts';
import type { RelayAccess, RelayConnections } from '../../connections/relayConnections.ts';
import { type Balance, presentBalance } from '../../relay/prices/balance.ts';
import { openLink } from '../panel/pageActions.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface ShowBalanceDependencies {
  relays: Pick<RelayConnections, 'all' | 'ready'>;
  clients: Pick<Clients, 'relay'>;
  notifications: Notifications;
}

/** Loads the balance of a relay; null if it reports none, undefined if loading failed. */
export async function showBalance({
  notifications,
  relays,
  clients,
}: ShowBalanceDependencies): Promise<Balance | null | undefined> {
  await relays.ready;
  const relay = await chooseConnected(relays.all);
  if (!relay) return undefined;
  try {
    const title = l10n.t('Loading the balance of {0}…', relay.name);
    const balance = await withProgress(notifications, title, async (signal) =>
      (await clients.relay(relay)).balance(signal),
    );
    void tell(notifications, relay, balance);
    return balance ?? null;
  } catch (error) {
    tellError(notifications, error);
    return undefined;
  }
}

async function chooseConnected(relays: readonly RelayAccess[]): Promise<RelayAccess | undefined> {
  if (relays.length < 2) return relays[0];
  const items = relays.map((relay) => ({ label: relay.name, description: relay.baseUrl, relay }));
  return (await vscode.window.showQuickPick(items, { title: l10n.t('Show Balance') }))?.relay;
}

async function tell(
  notifications: Notifications,
  relay: RelayAccess,
  balance: Balance | undefined,
): Promise<void> {
  const open = l10n.t('Open Relay Website');
  if ((await notifications.information(presentBalance(relay.name, balance), open)) === open)
    openLink(relay.origin);
}
