import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { maskedKey, readLinkQuery } from '../../connections/connectionLink.ts';
import { connectRelay, type ConnectRelayDependencies, type ConnectRelayResult } from './connectRelay.ts';
import { askModal } from '../ui/modals.ts';

/** Any web page can open a link, so a confirmation comes first. Nothing of the link is logged. */
export async function openConnectionLink(
  deps: ConnectRelayDependencies,
  { path, query }: Pick<vscode.Uri, 'path' | 'query'>,
): Promise<ConnectRelayResult> {
  if (!/^\/connect\/?$/.test(path)) {
    void deps.notifications.warning(l10n.t("Switchboard doesn't recognize this link."));
    return { connected: false };
  }
  const given = readLinkQuery(query);
  if ('problem' in given) {
    void deps.notifications.warning(given.problem);
    return { connected: false };
  }
  await deps.relays.ready;
  const before = (await deps.relayEditor()).placeFor(given.origin).baseUrl;
  const others = deps.relays.known.filter(({ baseUrl }) => baseUrl !== before).map(({ name }) => name);
  const connect = l10n.t('Connect');
  const answer = await askModal(
    {
      severity: 'warning',
      text: l10n.t('Connect to the relay at {0}?', new URL(given.origin).host),
      detail: [
        l10n.t(
          'A link requested this connection with the key {0}. Messages and files you share with models will go to {1}. Continue only if you opened the link yourself, from a provider you trust.',
          maskedKey(given.key),
          given.baseUrl,
        ),
        before && before !== given.baseUrl && l10n.t('Replaces {0}.', before),
        before === given.baseUrl && l10n.t('Replaces the saved key.'),
        !before && others.length > 0 && l10n.t('Used alongside {0}.', others.join(', ')),
      ]
        .filter(Boolean)
        .join('\n\n'),
    },
    connect,
  );
  return answer === connect ? connectRelay(deps, given) : { connected: false };
}
