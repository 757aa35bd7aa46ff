import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { normaliseAddress } from '../base/address.ts';
import { isCancelled, SwitchboardError } from '../base/errors.ts';
import { checkKey } from '../base/key.ts';
import type { Model } from '../relay/messages.ts';
import { toAbortSignal } from './abort.ts';
import type { KeyStore } from './keyStore.ts';
import type { RelayAccess, RelayConnections } from './relayConnections.ts';
import type { Settings } from './settings.ts';

export interface ConnectRelayDependencies {
  settings: Settings;
  keys: KeyStore;
  relays: RelayConnections;
  /** Tries a relay by its model list; throws a `SwitchboardError`. */
  tryRelay(access: RelayAccess, signal: AbortSignal): Promise<readonly Model[]>;
}

/** What the command returns: whether a connection was saved, where to, and how many models it listed. */
export interface ConnectRelayResult {
  connected: boolean;
  address?: string;
  models?: number;
}

type Step = 'address' | 'key' | 'try';

/**
 * Address, key, a try; nothing is saved before the try succeeded or the person insisted.
 * What was typed stays while steps are repeated.
 */
export async function connectRelay(deps: ConnectRelayDependencies): Promise<ConnectRelayResult> {
  let address: { baseUrl: string; origin: string } | undefined;
  let key: string | undefined;
  let step: Step = 'address';
  for (;;) {
    if (step === 'address') {
      address = await askAddress(address?.baseUrl ?? deps.relays.baseUrl ?? '');
      if (!address) return { connected: false };
      step = 'key';
    } else if (step === 'key') {
      key = await askKey(address?.origin ?? '');
      if (key === undefined) return { connected: false };
      step = 'try';
    } else {
      if (!address || key === undefined) return { connected: false };
      const outcome = await tryAndSave(deps, { ...address, key });
      if (typeof outcome !== 'string') return outcome;
      step = outcome;
    }
  }
}

async function tryAndSave(
  deps: ConnectRelayDependencies,
  typed: { baseUrl: string; origin: string; key: string },
): Promise<ConnectRelayResult | Step> {
  const access: RelayAccess = {
    ...typed,
    headers: deps.settings.get('relay.headers'),
    fromEnvironment: false,
  };
  try {
    const models = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: l10n.t('Trying {0}', `${typed.baseUrl}/v1/models`),
        cancellable: true,
      },
      (_progress, token) => deps.tryRelay(access, toAbortSignal(token)),
    );
    await save(deps, access);
    tellConnected(access.baseUrl, models.length);
    return { connected: true, address: access.baseUrl, models: models.length };
  } catch (error) {
    if (isCancelled(error)) return { connected: false };
    const next = await askAfterFailure(error, typed.baseUrl);
    if (next !== 'save') return next ?? { connected: false };
    await save(deps, access);
    return { connected: true, address: access.baseUrl };
  }
}

async function askAddress(value: string): Promise<{ baseUrl: string; origin: string } | undefined> {
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Connect Relay (1/2): Address'),
    prompt: l10n.t('The base address of your relay, with or without /v1'),
    placeHolder: 'https://relay.example.com',
    value,
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (!text.trim()) return undefined;
      const normal = normaliseAddress(text);
      return 'problem' in normal
        ? { message: normal.problem, severity: vscode.InputBoxValidationSeverity.Error }
        : {
            message: l10n.t('Requests will go to {0}', `${normal.baseUrl}/v1/…`),
            severity: vscode.InputBoxValidationSeverity.Info,
          };
    },
  });
  if (!typed?.trim()) return undefined;
  const normal = normaliseAddress(typed);
  return 'problem' in normal ? undefined : normal;
}

async function askKey(origin: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Connect Relay (2/2): Key'),
    prompt: l10n.t(
      "The key for {0}. It is kept in the editor's secret storage and sent nowhere else.",
      origin,
    ),
    placeHolder: 'sk-…',
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (!text) return undefined;
      const checked = checkKey(text, 'relay');
      if ('problem' in checked) {
        return { message: checked.problem, severity: vscode.InputBoxValidationSeverity.Error };
      }
      return checked.question
        ? { message: checked.question, severity: vscode.InputBoxValidationSeverity.Warning }
        : undefined;
    },
  });
  if (!typed?.trim()) return undefined;
  const checked = checkKey(typed, 'relay');
  return 'problem' in checked ? undefined : checked.key;
}

async function save(
  { keys, settings, relays }: ConnectRelayDependencies,
  access: RelayAccess,
): Promise<void> {
  await keys.set({ kind: 'relay', origin: access.origin }, access.key);
  await settings.set('relay.baseUrl', access.baseUrl);
  await relays.refresh();
}

function tellConnected(baseUrl: string, models: number): void {
  const text =
    models > 0
      ? l10n.t('Connected to {0}: {1} models.', baseUrl, models)
      : l10n.t(
          'Connected to {0}. It lists no models: type a model id in the picker, or name them in the setting "switchboard.relay.models".',
          baseUrl,
        );
  void vscode.window.showInformationMessage(text);
}

async function askAfterFailure(error: unknown, baseUrl: string): Promise<Step | 'save' | undefined> {
  const changeKey = l10n.t('Change Key');
  const changeAddress = l10n.t('Change Address');
  const tryAgain = l10n.t('Try Again');
  const saveAnyway = l10n.t('Save Anyway');
  const failure = error instanceof SwitchboardError ? error : undefined;
  const order = failure?.code === 'key' ? [changeKey, changeAddress] : [changeAddress, changeKey];
  const answer = await vscode.window.showWarningMessage(
    failure?.message ?? l10n.t('The relay could not be tried.'),
    { modal: true, detail: detailOf(failure, error, baseUrl) },
    ...order,
    tryAgain,
    saveAnyway,
  );
  switch (answer) {
    case changeKey:
      return 'key';
    case changeAddress:
      return 'address';
    case tryAgain:
      return 'try';
    case saveAnyway:
      return 'save';
    default:
      return undefined;
  }
}

/** The address that was called, what came back, and that nothing was saved yet. */
function detailOf(failure: SwitchboardError | undefined, error: unknown, baseUrl: string): string {
  const why = failure ? failure.why : String(error);
  return [
    l10n.t('Called: {0}', failure?.address ?? `${baseUrl}/v1/models`),
    failure?.status !== undefined && l10n.t('Status: {0}', failure.status),
    why && l10n.t('Came back: {0}', why),
    '',
    l10n.t('Nothing has been saved yet.'),
  ]
    .filter((line) => line !== false && line !== undefined)
    .join('\n');
}
