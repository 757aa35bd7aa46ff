import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import { readModelId } from '../relay/relayModelId.ts';

/** Asks for a model of the relay; undefined if none was chosen. */
export async function pickModel(catalog: ModelCatalog): Promise<string | undefined> {
  const rows = catalog.state.models.map(({ id, name, vendor, relay }) => ({
    label: name,
    description: [relay, vendor, name === readModelId(id).id ? undefined : readModelId(id).id]
      .filter(Boolean)
      .join(' · '),
    id,
  }));
  const picked = await vscode.window.showQuickPick(rows, {
    title: l10n.t('Retry with Another Model'),
    placeHolder: l10n.t('The conversation goes on with this model'),
    matchOnDescription: true,
  });
  return picked?.id;
}
