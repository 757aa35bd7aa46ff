import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { canRunAs, iconOf, kindLabel, type RunnableKind } from '../../../apps/appKinds.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { addApp } from '../addApp.ts';
import type { AppCommandContext } from '../appCommandContext.ts';

export async function chooseApp(
  context: AppCommandContext,
  kind: RunnableKind,
): Promise<AppRecord | undefined> {
  const apps = context.apps.listed.filter((app) => canRunAs(app, kind));
  if (apps.length === 0) return offerToAdd(context, kind);
  const [only] = apps;
  if (only && apps.length === 1) return only;
  const picked = await vscode.window.showQuickPick(
    apps.map((app) => ({
      ...labelOf(app, context.apps.pictureFile(app)),
      description: app.description,
      detail: app.baseUrl,
      app,
    })),
    {
      title: kind === 'workflow' ? l10n.t('Run Workflow') : l10n.t('Run Completion'),
      placeHolder: l10n.t('Choose what to run'),
      matchOnDescription: true,
    },
  );
  return picked?.app;
}

function labelOf({ name, kind, look }: AppRecord, pictureFile: string | undefined) {
  if (pictureFile !== undefined) return { label: name, iconPath: vscode.Uri.file(pictureFile) };
  return { label: look?.icon ? `${look.icon} ${name}` : `$(${iconOf(kind)}) ${name}` };
}

export async function askRunnableKind({ kind, name }: AppRecord): Promise<RunnableKind | undefined> {
  if (kind !== 'unknown') return kind === 'completion' ? kind : 'workflow';
  const kinds: readonly RunnableKind[] = ['workflow', 'completion'];
  const picked = await vscode.window.showQuickPick(
    kinds.map((each) => ({ label: kindLabel(each), runAs: each })),
    { title: l10n.t('Run {0} As', name) },
  );
  return picked?.runAs;
}

async function offerToAdd(context: AppCommandContext, kind: RunnableKind): Promise<AppRecord | undefined> {
  const add = l10n.t('Add Platform App…');
  const answer = await context.notifications.information(
    kind === 'workflow'
      ? l10n.t('No workflows yet. Add one with its key.')
      : l10n.t('No completion apps yet. Add one with its key.'),
    add,
  );
  if (answer !== add) return undefined;
  const { app } = await addApp(context);
  if (!app || canRunAs(app, kind)) return app;
  void context.notifications.information(
    l10n.t('Added "{0}". It is a chat app: select it in the chat.', app.name),
  );
  return undefined;
}
