import * as l10n from '@vscode/l10n';
import type { KeyStore } from '../connections/keyStore.ts';
import { type PlatformSession, PlatformSessions } from '../connections/platformSessions.ts';
import { SignedOutError } from '../platform/platformErrors.ts';
import type { ListedApp } from '../platform/openapi/openapiRecords.ts';
import { accountAppId } from './appModelId.ts';
import type { AppRecord } from './appRegistry.ts';
import type { AppClient } from './client/appClient.ts';
import { readInfo } from './client/readInfo.ts';
import { sha256 } from '../base/sha256.ts';

/** Two days, or less for sign-ins that an administrator made shorter than the usual 14 days. */
function renewBeforeMs({ signedInAtMs = 0, expiresAtMs }: PlatformSession): number {
  return Math.min(2 * 24 * 60 * 60_000, (expiresAtMs - signedInAtMs) / 7);
}

/** The sign-in that an app of an account is used with; undefined if it has ended, or is another account's. */
export async function sessionFor(
  { origin, account }: Pick<AppRecord, 'origin' | 'account'>,
  keys: KeyStore,
  now: number,
): Promise<{ session: PlatformSession; isEnding: boolean } | undefined> {
  const session = await new PlatformSessions(keys).read(origin);
  if (!session || session.account.id !== account?.accountId || session.expiresAtMs <= now) return undefined;
  return { session, isEnding: session.expiresAtMs - now < renewBeforeMs(session) };
}

export interface AccountAppsDependencies {
  keys: KeyStore;
  createAccountClient(session: PlatformSession, appId: string): Promise<AppClient>;
  onSignInEnding(app: AppRecord): unknown;
  now(): number;
}

export class AccountApps {
  private readonly clients = new Map<string, { token: string; client: Promise<AppClient> }>();
  /** Accounts whose end was told, until they are signed in again. */
  private readonly told = new Set<string>();

  constructor(private readonly deps: AccountAppsDependencies) {}

  /** The same client for the same sign-in. Throws `key` without one. */
  async client(app: AppRecord): Promise<AppClient> {
    const session = await this.session(app);
    if (!session || !app.account) throw signedOut(app);
    const known = this.clients.get(app.id);
    if (known?.token === session.token) return known.client;
    const client = this.deps.createAccountClient(session, app.account.appId);
    this.clients.set(app.id, { token: session.token, client });
    return client;
  }

  async token(app: AppRecord): Promise<string | undefined> {
    return (await this.session(app))?.token;
  }

  private async session(app: AppRecord): Promise<PlatformSession | undefined> {
    const { keys, now, onSignInEnding } = this.deps;
    const found = await sessionFor(app, keys, now());
    const account = `${app.origin} ${app.account?.accountId}`;
    if (found && !found.isEnding) this.told.delete(account);
    else if (!this.told.has(account)) {
      this.told.add(account);
      onSignInEnding(app);
    }
    return found?.session;
  }
}

function signedOut({ name, baseUrl }: AppRecord): SignedOutError {
  return new SignedOutError(
    l10n.t('Your sign-in to {0} has expired, and "{1}" has no key of its own. Sign in again.', baseUrl, name),
    baseUrl,
  );
}

/** Records of a workspace's apps. Their ids stay the same, so that conversations find them after the next sign-in. */
export function recordsOf(
  { baseUrl, account, workspace }: PlatformSession,
  apps: readonly ListedApp[],
  now: number,
): AppRecord[] {
  const { origin } = new URL(baseUrl);
  return apps.map((app) => {
    const info = readInfo(app);
    return {
      ...{ id: idOf(origin, account.id, app.id), origin, baseUrl, name: app.name },
      ...{ kind: info?.kind ?? ('unknown' as const), description: app.description },
      // No route speaks or listens.
      audio: { transcribes: false, speaks: false },
      addedAtMs: now,
      account: { accountId: account.id, appId: app.id, workspace: workspace.name },
    };
  });
}

function idOf(origin: string, accountId: string, appId: string): string {
  const hash = sha256(`${origin}\n${accountId}\n${appId}`);
  return accountAppId(hash.slice(0, 24));
}
