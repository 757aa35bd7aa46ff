import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { consoleOf } from '../../connections/otherAddresses.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { SignInDependencies, SignInResult } from '../apps/signIn.ts';
import type { DiagnoseDependencies } from '../connect/diagnoseConnection.ts';
import { connectServer } from '../connect/connectServer.ts';
import type { PlatformConnections } from '../../connections/serverConnections.ts';

export interface ConnectPlatformDependencies extends DiagnoseDependencies, SignInDependencies {
  platforms: PlatformConnections;
}

export interface ConnectPlatformResult {
  connected: boolean;
  address?: string;
  knowledgeBases?: number;
  isScoped?: true;
  signedIn?: SignInResult;
}

export async function connectPlatform(deps: ConnectPlatformDependencies): Promise<ConnectPlatformResult> {
  const { platforms, clients, memory } = deps;
  const key = { isScoped: false };
  let signedIn: SignInResult | undefined;
  const { isConnected, count, ...place } = await connectServer(deps.notifications, {
    connections: platforms,
    unencrypted: memory,
    keyKind: 'dataset',
    addressTitle: l10n.t('Connect Platform (1/2): Address'),
    addressPrompt: l10n.t('The base address of your platform, with or without /v1'),
    addressExample: 'https://platform.example.com',
    keyTitle: l10n.t('Connect Platform (2/2): Knowledge Base Key'),
    keyExample: 'dataset-…',
    triedPath: '/v1/datasets',
    notTried: l10n.t("Couldn't test the connection."),
    async insteadOfKey(address) {
      const { offersSignIn, signIn, signInAt } = await import('../apps/signIn.ts');
      const console = consoleOf(address.baseUrl);
      if (console === undefined && !(await offersSignIn(deps, address))) return undefined;
      const way = await askWay(address.baseUrl, console);
      if (way === 'key') return undefined;
      if (way === 'signIn') {
        signedIn = console === undefined ? await signInAt(deps, address) : await signIn(deps, console);
      }
      return { isConnected: false };
    },
    async diagnose(access) {
      const { diagnoseServers } = await import('../connect/diagnoseConnection.ts');
      return diagnoseServers(deps, [{ kind: 'platform', baseUrl: access.baseUrl, access }]);
    },
    async tryServer(access, signal) {
      const total = await (await clients.platform(access)).testConnection(signal);
      key.isScoped = total === 'scoped';
      if (total === 'scoped') {
        const outcome = l10n.t(
          "Connected to {0}. The key can't list knowledge bases, so it was probably made for some of them: add those to use.",
          access.baseUrl,
        );
        return { outcome };
      }
      const bases = plural(
        total,
        l10n.t('1 knowledge base'),
        l10n.t('{0} knowledge bases', formatNumber(total)),
      );
      return { outcome: l10n.t('Connected to {0}: {1}.', access.baseUrl, bases), count: total };
    },
  });
  return {
    ...{ connected: isConnected, ...place },
    ...(count !== undefined && { knowledgeBases: count }),
    ...(isConnected && key.isScoped && { isScoped: true }),
    ...(signedIn && { signedIn }),
  };
}

/** @param console the sign-in address if it is on another host, to which nothing was sent before */
async function askWay(baseUrl: string, console: string | undefined): Promise<'signIn' | 'key' | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        ...{ label: `$(account) ${l10n.t('Sign In')}`, way: 'signIn' as const },
        ...(console !== undefined && { description: console }),
        detail: l10n.t('Your apps, without a key each. Opens the browser.'),
      },
      {
        ...{ label: `$(key) ${l10n.t('Enter Knowledge Base Key…')}`, way: 'key' as const },
        detail: l10n.t('For knowledge bases. Apps then need their own keys.'),
      },
    ],
    { title: l10n.t('Connect {0}', baseUrl), ignoreFocusOut: true },
  );
  return picked?.way;
}
