import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { KnownRelay, RelayConnections } from '../../connections/relayConnections.ts';
import type { RelayEditor } from '../../connections/relayEditor.ts';
import { hostOf } from '../../relay/relayModelId.ts';
import { commandId } from '../ids.ts';
import { confirmModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export type RelayChoice = { changed: KnownRelay } | 'another' | undefined;

export async function chooseRelay(notifications: Notifications, editor: RelayEditor): Promise<RelayChoice> {
  const { relays } = editor;
  const { known } = relays;
  if (known.length === 0) return 'another';
  const [first] = known;
  if (first && known.length === 1 && relays.all.length === 0) return { changed: first };
  const picked = await vscode.window.showQuickPick(
    [
      { label: l10n.t('Add Another Relay…'), iconPath: new vscode.ThemeIcon('add') },
      ...known.map((relay) => ({
        label: l10n.t('Change {0}…', relay.name),
        description: describeRelay(relays, relay),
        relay,
      })),
    ],
    { title: l10n.t('Connect Relay'), ignoreFocusOut: true },
  );
  if (!picked) return undefined;
  return 'relay' in picked ? changeRelay(notifications, editor, picked.relay) : 'another';
}

async function changeRelay(
  notifications: Notifications,
  editor: RelayEditor,
  relay: KnownRelay,
): Promise<RelayChoice> {
  const isOfEnvironment = editor.relays.all.some(
    ({ origin, fromEnvironment }) => origin === relay.origin && fromEnvironment,
  );
  const change = { label: l10n.t('Change Address and Key…') };
  const rename = { label: l10n.t('Rename…') };
  const remove = { label: l10n.t('Remove'), detail: l10n.t('With its saved keys') };
  const makeDefault = {
    label: l10n.t('Make Default'),
    detail: l10n.t('For new conversations and models named without a relay'),
  };
  const picked = await vscode.window.showQuickPick(
    [change, rename, ...(relay.isDefault ? [] : [makeDefault]), ...(isOfEnvironment ? [] : [remove])],
    { title: relay.name, ignoreFocusOut: true },
  );
  if (picked === change) return { changed: relay };
  if (picked === makeDefault) {
    await editor.makeDefault(relay);
    void notifications.information(l10n.t('{0} is now the default relay.', relay.name));
  }
  if (picked === rename) await renameRelay(editor, relay);
  if (
    picked === remove &&
    (await confirmModal(
      l10n.t('Remove the relay {0}?', relay.name),
      l10n.t('Remove'),
      l10n.t('Its saved keys are deleted. Conversations with its models stay.'),
    ))
  ) {
    await editor.remove(relay);
  }
  return undefined;
}

export async function renameRelay(editor: RelayEditor, relay: KnownRelay): Promise<void> {
  const others = editor.relays.known.filter(({ origin }) => origin !== relay.origin).map(({ name }) => name);
  const host = hostOf(relay.origin);
  const name = await vscode.window.showInputBox({
    title: l10n.t('Rename {0}', relay.name),
    prompt: l10n.t('Name shown in the model picker. Defaults to the host name.'),
    placeHolder: host,
    value: relay.name,
    ignoreFocusOut: true,
    validateInput: (typed) =>
      others.includes(typed.trim() || host) ? l10n.t('Another relay already has this name.') : undefined,
  });
  if (name === undefined) return;
  await editor.rename(relay, name.trim() === host ? '' : name.trim());
}

function describeRelay({ all }: RelayConnections, { baseUrl, origin, isDefault }: KnownRelay): string {
  const access = all.find((each) => each.origin === origin);
  const address = !access
    ? l10n.t('{0} (no key)', baseUrl)
    : access.fromEnvironment
      ? l10n.t('{0} (from the environment)', baseUrl)
      : baseUrl;
  return isDefault ? [address, l10n.t('default')].join(' · ') : address;
}

export async function offerToConnect(notifications: Notifications, text: string): Promise<void> {
  const connect = l10n.t('Connect Relay…');
  const answer = await notifications.information(text, connect);
  if (answer === connect) await vscode.commands.executeCommand(commandId('connectRelay'));
}
