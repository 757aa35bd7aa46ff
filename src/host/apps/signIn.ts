import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { recordsOf } from '../../apps/accountApps.ts';
import type { AppService } from '../../apps/appService.ts';
import { type Address, normaliseAddress } from '../../base/address.ts';
import { isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatTime } from '../../base/text/formatTime.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { Clients } from '../../connections/clients.ts';
import { apiOf, consoleOf } from '../../connections/otherAddresses.ts';
import type { KeyStore } from '../../connections/keyStore.ts';
import type { PlatformConnections } from '../../connections/serverConnections.ts';
import { type PlatformSession, PlatformSessions } from '../../connections/platformSessions.ts';
import { findOpenapi } from '../../platform/openapi/accountCaller.ts';
import {
  awaitApproval,
  type DeviceCode,
  type SignedIn,
  startDeviceFlow,
} from '../../platform/openapi/deviceFlow.ts';
import { createOpenapiClient } from '../../platform/openapi/openapiClient.ts';
import type { ListedApp, Workspace } from '../../platform/openapi/openapiRecords.ts';
import { secure, type UnencryptedOrigins } from '../connect/connectServer.ts';
import { appsViewId } from '../ids.ts';
import type { Settings } from '../settings.ts';
import { withProgress } from '../ui/withProgress.ts';
import { askModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface SignInDependencies {
  apps: AppService;
  platforms: PlatformConnections;
  clients: Clients;
  keys: KeyStore;
  settings: Settings;
  memory: UnencryptedOrigins & { platformUser(newId: () => string): string };
  notifications: Notifications;
}

export interface SignInResult {
  signedIn: boolean;
  address?: string;
  workspace?: string;
  apps?: number;
}

export async function offersSignIn(
  { notifications, clients }: SignInDependencies,
  { baseUrl }: Address,
): Promise<boolean> {
  const context = await clients.contextOf({ baseUrl, key: '' });
  const once = Object.assign(context, { retry: { retries: 0, firstMs: 0, maxMs: 0, maxAskedMs: 0 } });
  return withProgress(
    notifications,
    l10n.t('Testing connection to {0}…', baseUrl),
    async (signal) => (await findOpenapi(once, signal)) !== undefined,
  );
}

/** Signs in by a code in the browser, chooses a workspace and lists its apps. Asks for nothing else. */
export async function signIn(deps: SignInDependencies, typed?: string): Promise<SignInResult> {
  try {
    const known = addressOf(typed ?? deps.platforms.baseUrl ?? '');
    const offered = known && (await secured(deps, known));
    if (offered && (await offersSignIn(deps, offered))) return await signInAt(deps, offered);
    const asked = await askConsole(deps, known);
    const console = asked && (await secured(deps, asked));
    if (!console) return { signedIn: false };
    if (!(await offersSignIn(deps, console))) throw notOffered(console);
    return await signInAt(deps, console);
  } catch (error) {
    if (isCancelled(error)) return { signedIn: false };
    throw error;
  }
}

function secured({ memory }: SignInDependencies, address: Address): Promise<Address | undefined> {
  return secure({ unencrypted: memory }, address);
}

async function askConsole(
  { keys }: SignInDependencies,
  api: Address | undefined,
): Promise<Address | undefined> {
  const [session] = await new PlatformSessions(keys).all();
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Sign In to Platform: Address of the Console'),
    prompt: api
      ? l10n.t("{0} doesn't offer to sign in. Its console may have another address.", api.baseUrl)
      : l10n.t("The address of the platform's console in the browser"),
    placeHolder: 'https://platform.example.com',
    value: (api && consoleOf(api.baseUrl)) ?? session?.baseUrl ?? '',
    ignoreFocusOut: true,
    validateInput(text) {
      const normal = normaliseAddress(text);
      return text.trim() && 'problem' in normal ? normal.problem : undefined;
    },
  });
  return addressOf(typed ?? '');
}

export async function signInAt(deps: SignInDependencies, address: Address): Promise<SignInResult> {
  const { clients, platforms, settings, apps } = deps;
  const { baseUrl, origin } = address;
  const found = await approve(deps, baseUrl);
  if (!found) return { signedIn: false };
  const client = createOpenapiClient(await clients.contextOf({ baseUrl, key: found.token }));
  const before = await new PlatformSessions(deps.keys).read(origin);
  const { workspaces, defaultWorkspaceId } = found.account;
  const preferred = before?.workspace.id ?? defaultWorkspaceId;
  const workspace = await chooseWorkspace(workspaces, preferred);
  if (!workspace) {
    // Nothing would use the token.
    await client.signOut(AbortSignal.timeout(signOutMs)).catch(() => undefined);
    return { signedIn: false };
  }
  const session = toSession(baseUrl, found, workspace);
  await new PlatformSessions(deps.keys).save(session);
  if (!platforms.baseUrl) await settings.set('platform.baseUrl', apiOf(baseUrl));
  const listed = await listApps(deps.notifications, client, session);
  await keepApps(apps, session, listed);
  void tellSignedIn(deps.notifications, session, listed.length);
  return { signedIn: true, address: baseUrl, workspace: workspace.name, apps: listed.length };
}

export async function refreshAccountApps({
  notifications,
  apps,
  clients,
  keys,
}: SignInDependencies): Promise<number> {
  let count = 0;
  for (const session of await new PlatformSessions(keys).all()) {
    if (session.expiresAtMs <= Date.now()) continue;
    const listed = await listApps(notifications, await clientOf(clients, session), session);
    await keepApps(apps, session, listed);
    count += listed.length;
  }
  return count;
}

/** Chooses the workspace whose apps are listed; the console's own choice stays. */
export async function selectWorkspace(deps: SignInDependencies): Promise<string | undefined> {
  const session = await chooseSession(deps);
  if (!session) return undefined;
  const client = await clientOf(deps.clients, session);
  const workspaces = await withProgress(deps.notifications, l10n.t('Loading workspaces…'), (signal) =>
    client.workspaces(signal),
  );
  const workspace = await pickWorkspace(workspaces, session.workspace.id);
  if (!workspace) return undefined;
  const changed = { ...session, workspace: { id: workspace.id, name: workspace.name } };
  const listed = await listApps(deps.notifications, client, changed);
  await new PlatformSessions(deps.keys).save(changed);
  await keepApps(deps.apps, changed, listed);
  return workspace.name;
}

export async function signOut(deps: SignInDependencies): Promise<boolean> {
  const session = await chooseSession(deps);
  if (!session) return false;
  await new PlatformSessions(deps.keys).forget(session);
  await keepApps(deps.apps, session, []);
  if (await revokeSignIn(deps.notifications, deps.clients, session)) {
    void deps.notifications.information(l10n.t('Signed out of {0}.', session.baseUrl));
  }
  return true;
}

/** Ends a sign-in on the platform. False, after telling so, if the platform couldn't be told. */
export async function revokeSignIn(
  notifications: Notifications,
  clients: Clients,
  session: PlatformSession,
): Promise<boolean> {
  try {
    await (await clientOf(clients, session)).signOut(AbortSignal.timeout(signOutMs));
    return true;
  } catch (error) {
    // One that had ended is no failure.
    if (error instanceof SwitchboardError && error.code === 'key') return true;
    void notifications.information(
      l10n.t(
        "Signed out of {0} here. The platform couldn't be notified, so the sign-in stays valid there until {1}. Revoke it in your account's settings on the platform.",
        session.baseUrl,
        formatTime(session.expiresAtMs),
      ),
    );
    return false;
  }
}

const signOutMs = 10_000;

async function approve(deps: SignInDependencies, baseUrl: string): Promise<SignedIn | undefined> {
  const { clients, settings, memory } = deps;
  const context = await clients.contextOf({ baseUrl, key: '' });
  const flow = { context, clientId: settings.get('platform.clientId').trim() };
  // Random, because the platform ends an earlier sign-in with the same label.
  const label = `Switchboard on ${hostname()} (${memory.platformUser(randomUUID).slice(-8)})`;
  const code = await withProgress(
    deps.notifications,
    l10n.t('Starting the sign-in to {0}…', baseUrl),
    (signal) => startDeviceFlow(flow, label, signal),
  );
  if (!(await showCode(code, baseUrl))) return undefined;
  return withProgress(
    deps.notifications,
    l10n.t('Signing in to {0}. Enter the code {1} at {2}', baseUrl, code.userCode, code.verificationUri),
    (signal) => awaitApproval(flow, code, signal),
  );
}

async function showCode({ userCode, verificationUri }: DeviceCode, baseUrl: string): Promise<boolean> {
  const open = l10n.t('Copy Code and Open Browser');
  const answer = await askModal(
    {
      severity: 'information',
      text: l10n.t('Your code: {0}', userCode),
      detail: l10n.t(
        'To sign in to {0}, enter this code at {1}. Only enter codes that you requested yourself: the sign-in has the full rights of your account.',
        baseUrl,
        verificationUri,
      ),
    },
    open,
  );
  if (answer !== open) return false;
  await vscode.env.clipboard.writeText(userCode);
  // Not awaited: a browser may ask first, and the progress names the address and the code.
  vscode.env.openExternal(vscode.Uri.parse(verificationUri, true)).then(undefined, () => undefined);
  return true;
}

async function chooseWorkspace(
  workspaces: readonly Workspace[],
  preferred: string | undefined,
): Promise<Workspace | undefined> {
  if (workspaces.length === 0) {
    throw new SwitchboardError(
      'not-permitted',
      l10n.t('Your account has no workspace on the platform. Ask an administrator to add you to one.'),
    );
  }
  return workspaces.length === 1 ? workspaces[0] : pickWorkspace(workspaces, preferred);
}

async function pickWorkspace(
  workspaces: readonly Workspace[],
  preferred: string | undefined,
): Promise<Workspace | undefined> {
  const items = workspaces
    .toSorted((a, b) => Number(b.id === preferred) - Number(a.id === preferred))
    .map((workspace) => ({ label: oneLine(workspace.name, 80), description: workspace.role, workspace }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Select Workspace'),
    placeHolder: l10n.t('The workspace whose apps are listed here'),
    ignoreFocusOut: true,
  });
  return picked?.workspace;
}

async function listApps(
  notifications: Notifications,
  client: ReturnType<typeof createOpenapiClient>,
  { workspace }: PlatformSession,
): Promise<ListedApp[]> {
  return withProgress(notifications, l10n.t('Loading the apps of {0}…', workspace.name), async (signal) => {
    const apps: ListedApp[] = [];
    for await (const page of client.apps(workspace.id, signal)) apps.push(...page);
    return apps;
  });
}

function keepApps(apps: AppService, session: PlatformSession, listed: readonly ListedApp[]): Promise<void> {
  return apps.keepAccountApps(new URL(session.baseUrl).origin, recordsOf(session, listed, Date.now()));
}

async function chooseSession({
  notifications,
  keys,
}: SignInDependencies): Promise<PlatformSession | undefined> {
  const sessions = await new PlatformSessions(keys).all();
  if (sessions.length === 0) {
    void notifications.information(l10n.t('You are not signed in to a platform.'));
    return undefined;
  }
  if (sessions.length === 1) return sessions[0];
  const picked = await vscode.window.showQuickPick(
    sessions.map((session) => ({ label: session.baseUrl, description: session.account.email, session })),
    { title: l10n.t('Select Platform') },
  );
  return picked?.session;
}

async function clientOf(clients: Clients, { baseUrl, token, expiresAtMs }: PlatformSession) {
  return createOpenapiClient(
    Object.assign(await clients.contextOf({ baseUrl, key: token }), { expiresAtMs }),
  );
}

function toSession(
  baseUrl: string,
  { token, expiresAtMs, account: { id, name, email } }: SignedIn,
  workspace: Workspace,
): PlatformSession {
  return {
    ...{ baseUrl, token, expiresAtMs, signedInAtMs: Date.now(), account: { id, name, email } },
    workspace: { id: workspace.id, name: workspace.name },
  };
}

async function tellSignedIn(
  notifications: Notifications,
  { baseUrl, account, workspace }: PlatformSession,
  count: number,
): Promise<void> {
  const apps = plural(count, l10n.t('1 app'), l10n.t('{0} apps', formatNumber(count)));
  const show = l10n.t('Show Apps');
  const text = l10n.t(
    'Signed in to {0} as {1}: {2} in the workspace "{3}".',
    baseUrl,
    oneLine(account.email || account.name, 80),
    apps,
    oneLine(workspace.name, 80),
  );
  if ((await notifications.information(text, show)) === show) {
    await vscode.commands.executeCommand(`${appsViewId}.focus`);
  }
}

function addressOf(text: string): Address | undefined {
  const normal = normaliseAddress(text);
  return 'problem' in normal ? undefined : normal;
}

function notOffered({ baseUrl }: Address): SwitchboardError {
  return new SwitchboardError(
    'not-permitted',
    l10n.t(
      "{0} doesn't offer to sign in: the platform needs version 1.16 with OPENAPI_ENABLED and ENABLE_OAUTH_BEARER. Add apps with their keys.",
      baseUrl,
    ),
    { address: baseUrl },
  );
}
