import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CatalogModel, ModelCatalog } from '../../chat/models/modelCatalog.ts';
import { isForChat } from '../../relay/messages.ts';
import { readModelId } from '../../relay/relayModelId.ts';

type Row = vscode.QuickPickItem & { id?: string };

export async function pickModel(catalog: ModelCatalog): Promise<string | undefined> {
  const { models } = catalog.state;
  const others = models.filter((model) => !isForChat(model)).map(toRow);
  const rows: Row[] = [
    ...models.filter(isForChat).map(toRow),
    ...(others.length > 0
      ? [{ label: l10n.t('Not for chat'), kind: vscode.QuickPickItemKind.Separator }, ...others]
      : []),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: l10n.t('Retry with Another Model'),
    placeHolder: l10n.t('The conversation continues with this model'),
    matchOnDescription: true,
  });
  return picked?.id;
}

function toRow({ id, name, vendor, relay }: CatalogModel): Row {
  const plainId = readModelId(id).id;
  const description = [relay, vendor, name === plainId ? undefined : plainId].filter(Boolean).join(' · ');
  return { label: name, description, id };
}
