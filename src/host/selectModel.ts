import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatCompact } from '../base/format.ts';
import { appModelId, type ChatApps } from '../chat/apps/chatApp.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';

interface ModelItem extends vscode.QuickPickItem {
  /** Absent for what only divides. */
  id?: string;
}

/** The palette's picker of models and apps. Returns the chosen id, or undefined. An id that is not listed can be typed. */
export async function pickModel(
  catalog: ModelCatalog,
  apps: ChatApps,
  current: string | undefined,
): Promise<string | undefined> {
  await catalog.ensure();
  const listed: ModelItem[] = catalog.state.models.map((model) => ({
    label: model.name,
    id: model.id,
    ...(model.name !== model.id && { description: model.id }),
    detail: [model.vendor, windowOf(model.contextWindow)].filter(Boolean).join(' · '),
    picked: model.id === current,
  }));
  if (apps.all.length > 0) {
    listed.push({ label: l10n.t('Apps'), kind: vscode.QuickPickItemKind.Separator });
    for (const { id, name, kind } of apps.all) {
      const modelId = appModelId(id);
      listed.push({ label: name, id: modelId, detail: kind, picked: modelId === current });
    }
  }
  const pick = vscode.window.createQuickPick<ModelItem>();
  pick.title = l10n.t('Select Model');
  pick.placeholder = l10n.t('Choose a model, or type the id of one that is not listed');
  pick.matchOnDescription = true;
  pick.items = listed;
  pick.activeItems = listed.filter((item) => item.picked);
  pick.onDidChangeValue((text) => {
    const id = text.trim();
    const known = !id || listed.some((item) => item.id === id);
    pick.items = known
      ? listed
      : [
          ...listed,
          {
            label: l10n.t('Use "{0}"', id),
            id,
            description: id,
            detail: l10n.t('Not listed by the relay'),
            picked: false,
          },
        ];
  });
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => resolve(pick.activeItems[0]?.id));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function windowOf(tokens: number | undefined): string {
  return tokens ? l10n.t('{0} context', formatCompact(tokens)) : l10n.t('context unknown');
}
