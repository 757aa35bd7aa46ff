import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import { presentProfile } from '../../panel/present/presentProfile.ts';
import { readModelId } from '../../relay/relayModelId.ts';
import { commandId, settingsQueries } from '../ids.ts';

type Row = vscode.QuickPickItem & { run?: () => unknown };

export async function showModelDetails(
  models: Pick<RelayModels, 'catalog' | 'known' | 'forget'>,
  modelId: string,
): Promise<void> {
  const known = models.known(modelId);
  const facts = presentProfile(known).map(({ text, source }): Row => ({ label: text, detail: source }));
  const canForget = known.some(({ source }) => source !== 'setting' && source !== 'list');
  const rows: Row[] = [
    ...(facts.length > 0 ? facts : [{ label: l10n.t('Nothing is known about this model yet.') }]),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(beaker) ${l10n.t('Check Model…')}`,
      run: () => vscode.commands.executeCommand(commandId('checkModel'), modelId),
    },
    ...(canForget
      ? [
          {
            label: `$(discard) ${l10n.t('Clear Detected Details')}`,
            run: () => models.forget(modelId),
          },
        ]
      : []),
    {
      label: `$(gear) ${l10n.t('Override in Settings')}`,
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', settingsQueries.models),
    },
  ];
  const { id } = readModelId(modelId);
  const name = models.catalog.find(modelId)?.name ?? id;
  const picked = await vscode.window.showQuickPick(rows, {
    title: l10n.t('Model Details: {0}', name),
    ...(name !== id && { placeHolder: id }),
    matchOnDetail: true,
  });
  await picked?.run?.();
}
