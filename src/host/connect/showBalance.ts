import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { Clients } from '../../connections/clients.ts';
import type { RelayAccess, RelayConnections } from '../../connections/relayConnections.ts';
import { type Balance, presentBalance } from '../../relay/prices/balance.ts';
import { showInformation } from '../ui/notifications.ts';
import { openLink } from '../panel/pageActions.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';

export interface ShowBalanceDependencies {
  relays: Pick<RelayConnections, 'all' | 'ready'>;
  clients: Pick<Clients, 'relay'>;
  log: Log;
}

/** Loads the balance of a relay; null if it reports none, undefined if loading failed. */
export async function showBalance({
  relays,
  clients,
  log,
}: ShowBalanceDependencies): Promise<Balance | null | undefined> {
  await relays.ready;
  const relay = await chooseConnected(relays.all);
  if (!relay) return undefined;
  try {
    const title = l10n.t('Loading the balance of {0}…', relay.name);
    const balance = await withProgress(title, async (signal) => (await clients.relay(relay)).balance(signal));
    void tell(relay, balance);
    return balance ?? null;
  } catch (error) {
    tellError(error, log);
    return undefined;
  }
}

async function chooseConnected(relays: readonly RelayAccess[]): Promise<RelayAccess | undefined> {
  if (relays.length < 2) return relays[0];
  const items = relays.map((relay) => ({ label: relay.name, description: relay.baseUrl, relay }));
  return (await vscode.window.showQuickPick(items, { title: l10n.t('Show Balance') }))?.relay;
}

async function tell(relay: RelayAccess, balance: Balance | undefined): Promise<void> {
  const open = l10n.t('Open Relay Website');
  if ((await showInformation(presentBalance(relay.name, balance), open)) === open) openLink(relay.origin);
}
