import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appIdOf } from '../../apps/appModelId.ts';
import type { CatalogModel, ModelCatalog } from '../../chat/models/modelCatalog.ts';
import { isForChat } from '../../relay/messages.ts';
import { readModelId } from '../../relay/relayModelId.ts';

type Row = vscode.QuickPickItem & { id?: string };

export interface UsableModelDependencies {
  chat: { shown: { choices: { model: string | undefined } } };
  models: { catalog: Pick<ModelCatalog, 'state' | 'isUnlisted' | 'ensure'> };
  view: { openModelPicker(): Promise<void> };
}

/** False for an app, and for a model that its relay no longer lists. */
export function isUsable(
  catalog: Pick<ModelCatalog, 'isUnlisted'>,
  model: string | undefined,
): model is string {
  return model !== undefined && appIdOf(model) === undefined && !catalog.isUnlisted(model);
}

/** The chat's model for `title`, else one that is picked for this time. Without models, the panel leads to some. */
export async function usableModel(
  { chat, models: { catalog }, view }: UsableModelDependencies,
  title: string,
): Promise<string | undefined> {
  const { model } = chat.shown.choices;
  if (isUsable(catalog, model)) return model;
  await catalog.ensure();
  if (catalog.state.models.length === 0) {
    await view.openModelPicker();
    return undefined;
  }
  const placeHolder =
    appIdOf(model ?? '') !== undefined
      ? l10n.t("The chat is with an app, which can't do this. Select a model for this time")
      : l10n.t('No available model is chosen in the chat. Select one for this time');
  return pick(catalog, { title, placeHolder });
}

export function pickModel(catalog: Pick<ModelCatalog, 'state'>): Promise<string | undefined> {
  return pick(catalog, {
    title: l10n.t('Retry with Another Model'),
    placeHolder: l10n.t('The conversation continues with this model'),
  });
}

async function pick(
  catalog: Pick<ModelCatalog, 'state'>,
  texts: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder'>,
): Promise<string | undefined> {
  const { models } = catalog.state;
  const others = models.filter((model) => !isForChat(model)).map(toRow);
  const rows: Row[] = [
    ...models.filter(isForChat).map(toRow),
    ...(others.length > 0
      ? [{ label: l10n.t('Not for chat'), kind: vscode.QuickPickItemKind.Separator }, ...others]
      : []),
  ];
  const picked = await vscode.window.showQuickPick(rows, { ...texts, matchOnDescription: true });
  return picked?.id;
}

function toRow({ id, name, vendor, relay }: CatalogModel): Row {
  const plainId = readModelId(id).id;
  const description = [relay, vendor, name === plainId ? undefined : plainId].filter(Boolean).join(' · ');
  return { label: name, description, id };
}
