import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type AppInfo, appKinds } from '../../apps/app.ts';
import { kindLabel } from '../../apps/appKinds.ts';
import { type AppRecord, nothingKnown } from '../../apps/appRegistry.ts';
import type { AppService } from '../../apps/appService.ts';
import type { ServerAccess } from '../../connections/serverConnections.ts';
import { connectServer } from '../connect/connectServer.ts';
import type { AppCommandContext } from './appCommandContext.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface FirstUse {
  label: string;
  run(): Promise<unknown>;
}

export interface AddAppResult {
  added: boolean;
  address?: string;
  app?: AppRecord;
}

export async function addApp(
  deps: AppCommandContext,
  firstUse?: (app: AppRecord) => FirstUse,
): Promise<AddAppResult> {
  const { apps, platforms, memory } = deps;
  let found: AppInfo | undefined;
  let app: AppRecord | undefined;
  const { isConnected, address } = await connectServer<ServerAccess>(deps.notifications, {
    connections: {
      baseUrl: platforms.baseUrl,
      accessFor: (typed) => ({ ...typed, fromEnvironment: false }),
      async save(access) {
        app = await keep(apps, access, found ?? nothingKnown);
      },
    },
    unencrypted: memory,
    keyKind: 'app',
    addressTitle: l10n.t('Add Platform App (1/2): Address'),
    addressPrompt: l10n.t("The base address of the app's platform, with or without /v1"),
    addressExample: 'https://platform.example.com',
    keyTitle: l10n.t('Add Platform App (2/2): App Key'),
    keyExample: 'app-…',
    triedPath: '/v1/info',
    notTried: l10n.t("Couldn't test the connection."),
    async tryServer(access, signal) {
      found = undefined;
      const client = await apps.tryOut(access);
      found = await client.testConnection(signal);
      // An app that isn't set up still reports its name.
      await client.parameters(signal);
      ({ info: found } = await apps.describe(client, found, signal));
      return {
        outcome: l10n.t('Added app "{0}" ({1}).', found.name, kindLabel(found.kind)),
        count: 1,
      };
    },
    async diagnose({ baseUrl }) {
      const { diagnoseServers } = await import('../connect/diagnoseConnection.ts');
      return diagnoseServers(deps, [{ kind: 'platform', baseUrl, access: undefined }]);
    },
    tell: (outcome) => void offer(deps.notifications, outcome, app && firstUse?.(app)),
  });
  return { added: isConnected, ...(address !== undefined && { address }), ...(app && { app }) };
}

async function offer(
  notifications: Notifications,
  outcome: string,
  use: FirstUse | undefined,
): Promise<void> {
  const answer = await notifications.information(outcome, ...(use ? [use.label] : []));
  if (use && answer === use.label) await use.run();
}

/** A key has one app. Adding an app again restores its removed key. */
async function keep(apps: AppService, access: ServerAccess, found: AppInfo): Promise<AppRecord> {
  const known = (await apps.findByKey(access)) ?? (await withoutKey(apps, access, found));
  if (!known) return apps.add(access, await withKind(found));
  await apps.setKey(known, access.key);
  await apps.refresh(known.id, found);
  return apps.find(known.id) ?? known;
}

async function withoutKey(
  apps: AppService,
  { baseUrl }: ServerAccess,
  { name }: AppInfo,
): Promise<AppRecord | undefined> {
  for (const app of apps.apps) {
    if (app.account || app.baseUrl !== baseUrl || app.name !== name) continue;
    if (!(await apps.hasKey(app))) return app;
  }
  return undefined;
}

/** Older servers don't report the kind. */
async function withKind(info: AppInfo): Promise<AppInfo> {
  if (info.kind !== 'unknown') return info;
  const kinds = appKinds.filter((kind) => kind !== 'unknown');
  const picked = await vscode.window.showQuickPick(
    kinds.map((appKind) => ({ label: kindLabel(appKind), appKind })),
    {
      title: l10n.t('Select App Type'),
      placeHolder: l10n.t(
        "The platform doesn't report the type. If you skip this step, the app is used as a chat app.",
      ),
      ignoreFocusOut: true,
    },
  );
  return picked ? { ...info, kind: picked.appKind } : info;
}
