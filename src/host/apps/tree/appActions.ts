import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appInfoText } from '../../../apps/appInfoText.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { isMissingOnServer } from '../../../platform/platformErrors.ts';
import { askKey } from '../../connect/connectServer.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { confirmModal } from '../../ui/modals.ts';

export async function showInfo(context: AppCommandContext, app: AppRecord): Promise<string> {
  const { apps, documents } = context;
  const client = await apps.client(app.id);
  const text = await withProgress(
    context.notifications,
    l10n.t('Loading app info of {0}…', app.name),
    async (signal) => {
      const { info, site } = await apps.describe(client, await client.info(signal), signal, app);
      await apps.refresh(app.id, info);
      const [parameters, tools, feedbacks] = await Promise.all([
        client.parameters(signal),
        client.meta(signal).catch(() => ({})),
        client.feedbacks(1, signal).catch((error: unknown) => {
          if (isMissingOnServer(error)) return [];
          throw error;
        }),
      ]);
      return appInfoText({ app: apps.find(app.id) ?? app, info, site, parameters, tools, feedbacks });
    },
  );
  await documents.show(app.name, text);
  return text;
}

export async function changeKey(context: AppCommandContext, app: AppRecord): Promise<boolean> {
  const { apps } = context;
  if (app.account) return (await (await import('../signIn.ts')).signIn(context, app.baseUrl)).signedIn;
  if (app.isFromEnvironment) {
    const name = 'SWITCHBOARD_APP_KEYS';
    void context.notifications.warning(
      l10n.t(
        'The key of "{0}" comes from the environment ({1}). Change it there, and restart the editor.',
        app.name,
        name,
      ),
    );
    return false;
  }
  const key = await askKey(
    { keyKind: 'app', keyTitle: l10n.t('Key of {0}', app.name), keyExample: 'app-…' },
    app.origin,
  );
  if (key === undefined) return false;
  const info = await withProgress(
    context.notifications,
    l10n.t('Testing connection to {0}…', app.baseUrl),
    async (signal) => (await apps.tryOut({ baseUrl: app.baseUrl, key })).testConnection(signal),
  );
  if (info.name !== app.name && !app.isRenamed && !(await confirmOther(app, info.name))) return false;
  await apps.setKey(app, key);
  await apps.refresh(app.id, info);
  // Announced, since errors of the old key stay visible.
  void context.notifications.information(l10n.t('Changed the key of "{0}".', app.name));
  return true;
}

function confirmOther(app: AppRecord, name: string): Promise<boolean> {
  return confirmModal(
    l10n.t('This is the key of "{0}". Use it instead of the key of "{1}"?', name, app.name),
    l10n.t('Use It'),
  );
}

export async function renameApp(
  { notifications, apps }: AppCommandContext,
  app: AppRecord,
): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: l10n.t('Rename {0}', app.name),
    prompt: l10n.t('Shown in Switchboard only. Leave empty to use the name on the platform.'),
    value: app.name,
  });
  if (name === undefined) return undefined;
  await apps.rename(app.id, name);
  if (!name.trim()) {
    const client = await apps.client(app.id);
    await withProgress(notifications, l10n.t('Loading app info of {0}…', app.name), async (signal) =>
      apps.refresh(app.id, await client.info(signal)),
    );
  }
  return apps.find(app.id)?.name;
}

export async function removeApp({ apps }: AppCommandContext, app: AppRecord): Promise<boolean> {
  const isSure = await confirmModal(
    l10n.t('Remove "{0}" from Switchboard?', app.name),
    l10n.t('Remove'),
    l10n.t('Its saved key and form inputs are removed. The app and its conversations stay on the platform.'),
  );
  if (isSure) await apps.remove(app);
  return isSure;
}
