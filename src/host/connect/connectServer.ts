import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Address, isUnencrypted, normaliseAddress } from '../../base/address.ts';
import { overHttps, shorterAddresses } from '../../connections/otherAddresses.ts';
import { causeText, type ErrorCode, isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { checkKey, type CheckedKeyKind } from '../../base/secrets/checkKey.ts';
import { maskedKey, type GivenConnection } from '../../connections/connectionLink.ts';
import type { ServerAccess, TypedServer } from '../../connections/serverConnections.ts';
import { withProgress } from '../ui/withProgress.ts';
import { askModal, askText } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

/** Origins that the user allowed to receive a key over plain HTTP. */
export interface UnencryptedOrigins {
  isUnencryptedAllowed(origin: string): boolean;
  allowUnencrypted(origin: string): void;
}

export interface ServerQuestions<A extends ServerAccess> {
  connections: {
    readonly baseUrl: string | undefined;
    accessFor(typed: TypedServer): A | Promise<A>;
    save(access: A): Promise<void>;
  };
  unencrypted: UnencryptedOrigins;
  keyKind: CheckedKeyKind;
  addressTitle: string;
  addressPrompt: string;
  addressExample: string;
  keyTitle: string;
  keyExample: string;
  triedPath: string;
  notTried: string;
  /** Throws a `SwitchboardError`. Resolves with a message and the number of listed things, if they can be listed. */
  tryServer(access: A, signal: AbortSignal): Promise<{ outcome: string; count?: number }>;
  diagnose(access: A): Promise<unknown>;
  readPasted?(text: string): GivenConnection | undefined;
  tell?(outcome: string): void;
  /** Another way to connect this server than by a key. Undefined to ask for the key. */
  insteadOfKey?(address: Address): Promise<ConnectOutcome | undefined>;
}

export interface ConnectOutcome {
  isConnected: boolean;
  address?: string;
  count?: number;
}

type Step = 'address' | 'encryption' | 'key' | 'try';
type NextStep = Step | 'save' | 'diagnose';

/** Tests an address and a key, saves them after a success or if the user insists; asks for what `given` lacks. */
export async function connectServer<A extends ServerAccess>(
  notifications: Notifications,
  questions: ServerQuestions<A>,
  given?: Address & { key: string },
): Promise<ConnectOutcome> {
  try {
    return await askTryAndSave(notifications, questions, given);
  } catch (error) {
    if (isCancelled(error)) return { isConnected: false };
    throw error;
  }
}

async function askTryAndSave<A extends ServerAccess>(
  notifications: Notifications,
  questions: ServerQuestions<A>,
  given: (Address & { key: string }) | undefined,
): Promise<ConnectOutcome> {
  let address: Address | undefined = given;
  let key = given?.key;
  let isKeyGiven = false;
  let step: Step = given ? 'try' : 'address';
  for (;;) {
    if (step === 'address') {
      const typed = await askAddress(questions, address?.baseUrl ?? questions.connections.baseUrl ?? '');
      if (!typed) return { isConnected: false };
      ({ key, ...address } = { key, ...typed });
      isKeyGiven = typed.key !== undefined;
      step = 'encryption';
    } else if (step === 'encryption') {
      address = address && (await secure(questions, address));
      step = address ? (isKeyGiven ? 'try' : 'key') : 'address';
    } else if (step === 'key') {
      const other = key === undefined && address && (await questions.insteadOfKey?.(address));
      if (other) return other;
      key = await askKey(questions, address?.origin ?? '');
      if (key === undefined) return { isConnected: false };
      step = 'try';
    } else {
      if (!address || key === undefined) return { isConnected: false };
      const outcome = await tryAndSave(notifications, questions, { ...address, key });
      if (typeof outcome === 'object' && 'isConnected' in outcome) return outcome;
      if (typeof outcome === 'string') step = outcome;
      else address = outcome;
    }
  }
}

async function tryAndSave<A extends ServerAccess>(
  notifications: Notifications,
  questions: ServerQuestions<A>,
  typed: Address & { key: string },
): Promise<ConnectOutcome | Step | Address> {
  const { connections } = questions;
  const access = await connections.accessFor(typed);
  let elsewhere: Address | undefined;
  try {
    const { outcome, count } = await withProgress(
      notifications,
      l10n.t('Testing connection to {0}…', typed.baseUrl + questions.triedPath),
      async (signal) => {
        try {
          return await questions.tryServer(access, signal);
        } catch (error) {
          if (isOtherPage(error)) elsewhere = await findServer(questions, typed, signal);
          throw error;
        }
      },
    );
    await connections.save(access);
    tell(notifications, questions, outcome);
    return { isConnected: true, address: access.baseUrl, ...(count !== undefined && { count }) };
  } catch (error) {
    if (isCancelled(error)) throw error;
    const next = await askAfterFailure(questions, error, typed, elsewhere);
    if (next === 'diagnose') {
      await questions.diagnose(access);
      return { isConnected: false };
    }
    if (next !== 'save') return next ?? { isConnected: false };
    await connections.save(access);
    tell(notifications, questions, l10n.t('Saved {0} even though the test failed.', access.baseUrl));
    return { isConnected: true, address: access.baseUrl };
  }
}

function tell<A extends ServerAccess>(
  notifications: Notifications,
  questions: ServerQuestions<A>,
  outcome: string,
): void {
  if (questions.tell) questions.tell(outcome);
  else void notifications.information(outcome);
}

/** Errors of the service itself, which prove the address right. */
const verdicts: ReadonlySet<ErrorCode> = new Set([
  'key',
  'vendor-key',
  'vendor-not-permitted',
  'balance',
  'not-permitted',
  'network-not-allowed',
  'rate-limit',
  'app-unavailable',
]);

function isOtherPage(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status !== undefined && !verdicts.has(error.code);
}

/** Finds the nearest parent address where the service replies. The key is only sent to the origin it was typed for. */
async function findServer<A extends ServerAccess>(
  { connections, tryServer }: ServerQuestions<A>,
  { key, ...typed }: Address & { key: string },
  signal: AbortSignal,
): Promise<Address | undefined> {
  for (const candidate of shorterAddresses(typed)) {
    try {
      await tryServer(await connections.accessFor({ ...candidate, key }), signal);
      return candidate;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SwitchboardError && verdicts.has(error.code)) return candidate;
    }
  }
  return undefined;
}

/** Asks once per origin before a key is sent unencrypted. Undefined to enter another address. */
export async function secure(
  { unencrypted }: Pick<ServerQuestions<ServerAccess>, 'unencrypted'>,
  address: Address,
): Promise<Address | undefined> {
  const { origin } = address;
  if (!isUnencrypted(address) || unencrypted.isUnencryptedAllowed(origin)) return address;
  const https = overHttps(address);
  const useHttps = l10n.t('Use {0}', https.origin);
  const sendUnencrypted = l10n.t('Send Unencrypted');
  const answer = await askModal(
    {
      severity: 'warning',
      text: l10n.t('Send the key to {0} unencrypted?', origin),
      detail: l10n.t(
        'With http://, your key and everything you send are not encrypted, so anyone on the network path can read them. Continue only if you trust the network to this server.',
      ),
    },
    useHttps,
    sendUnencrypted,
  );
  if (answer === useHttps) return https;
  if (answer !== sendUnencrypted) return undefined;
  unencrypted.allowUnencrypted(origin);
  return address;
}

async function askAddress<A extends ServerAccess>(
  { addressTitle, addressPrompt, addressExample, readPasted }: ServerQuestions<A>,
  value: string,
): Promise<(Address & { key?: string }) | undefined> {
  const read = (text: string): (Address & { key?: string }) | { problem: string } =>
    readPasted?.(text) ?? normaliseAddress(text);
  const typed = await askText(l10n.t('Enter an address, or press Escape.'), {
    title: addressTitle,
    prompt: addressPrompt,
    placeHolder: addressExample,
    value,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const normal = read(text);
      if ('problem' in normal) {
        return { message: normal.problem, severity: vscode.InputBoxValidationSeverity.Error };
      }
      const { baseUrl, key } = normal;
      return {
        message:
          key === undefined
            ? l10n.t('Requests will go to {0}', `${baseUrl}/v1/…`)
            : l10n.t('Requests will go to {0} with the key {1}', `${baseUrl}/v1/…`, maskedKey(key)),
        severity: vscode.InputBoxValidationSeverity.Info,
      };
    },
  });
  if (typed === undefined) return undefined;
  const normal = read(typed);
  return 'problem' in normal ? undefined : normal;
}

export async function askKey(
  {
    keyKind,
    keyTitle,
    keyExample,
  }: Pick<ServerQuestions<ServerAccess>, 'keyKind' | 'keyTitle' | 'keyExample'>,
  origin: string,
): Promise<string | undefined> {
  const typed = await askText(l10n.t('Enter a key, or press Escape.'), {
    title: keyTitle,
    prompt: l10n.t(
      "The key for {0}. It is kept in the editor's secret storage and sent nowhere else.",
      origin,
    ),
    placeHolder: keyExample,
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const checked = checkKey(text, keyKind);
      if ('problem' in checked) {
        return { message: checked.problem, severity: vscode.InputBoxValidationSeverity.Error };
      }
      return checked.question
        ? { message: checked.question, severity: vscode.InputBoxValidationSeverity.Warning }
        : undefined;
    },
  });
  if (typed === undefined) return undefined;
  const checked = checkKey(typed, keyKind);
  return 'problem' in checked ? undefined : checked.key;
}

async function askAfterFailure<A extends ServerAccess>(
  questions: ServerQuestions<A>,
  error: unknown,
  typed: { baseUrl: string; key: string },
  elsewhere: Address | undefined,
): Promise<NextStep | Address | undefined> {
  const changeKey = l10n.t('Change Key');
  const changeAddress = l10n.t('Change Address');
  const tryAgain = l10n.t('Try Again');
  const diagnose = l10n.t('Diagnose Connection…');
  const saveAnyway = l10n.t('Save Anyway');
  const failure = error instanceof SwitchboardError ? error : undefined;
  const useOther = elsewhere && l10n.t('Use {0}', elsewhere.baseUrl);
  const labels = { key: changeKey, address: changeAddress, try: tryAgain, diagnose };
  const answer = await askModal(
    {
      severity: 'warning',
      text: failure?.message ?? questions.notTried,
      detail: detailOf(questions, failure, error, typed, elsewhere),
    },
    ...(useOther ? [useOther] : []),
    // With a better address known, the key is not in doubt.
    ...(useOther ? [changeAddress] : stepsAfter(failure?.code).map((step) => labels[step])),
    saveAnyway,
  );
  if (answer !== undefined && answer === useOther) return elsewhere;
  switch (answer) {
    case changeKey:
      return 'key';
    case changeAddress:
      return 'address';
    case tryAgain:
      return 'try';
    case diagnose:
      return 'diagnose';
    case saveAnyway:
      return 'save';
    default:
      return undefined;
  }
}

function stepsAfter(code: ErrorCode | undefined): ('key' | 'address' | 'try' | 'diagnose')[] {
  switch (code) {
    case 'key':
      return ['key', 'address', 'diagnose'];
    case 'wrong-address':
      return ['address', 'key', 'diagnose'];
    // The address is rarely the cause.
    case 'proxy':
    case 'tls':
      return ['diagnose', 'try', 'address'];
    // No server has received the key.
    case 'timeout-connect':
    case 'offline':
      return ['address', 'try', 'diagnose'];
    // The server accepted the key: its own configuration is at fault.
    case 'app-unavailable':
    case 'not-permitted':
    case 'balance':
    case 'network-not-allowed':
      return ['try', 'key'];
    case 'rate-limit':
    case 'transient':
      return ['try', 'address', 'key'];
    default:
      return ['address', 'key', 'try'];
  }
}

function detailOf<A extends ServerAccess>(
  { keyKind, triedPath }: ServerQuestions<A>,
  failure: SwitchboardError | undefined,
  error: unknown,
  { baseUrl, key }: { baseUrl: string; key: string },
  elsewhere: Address | undefined,
): string {
  const checked = checkKey(key, keyKind);
  const doubt = failure?.code === 'key' && 'question' in checked ? checked.question : undefined;
  return [
    doubt,
    elsewhere && l10n.t('{0} responded as expected.', elsewhere.baseUrl),
    l10n.t('Request: {0}', failure?.address ?? baseUrl + triedPath),
    failure?.status !== undefined && l10n.t('Status: {0}', failure.status),
    causeText(failure ?? { why: undefined, systemError: String(error) }),
    '',
    l10n.t('Nothing has been saved yet.'),
  ]
    .filter((line) => line !== false && line !== undefined)
    .join('\n');
}
