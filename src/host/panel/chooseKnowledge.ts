import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isCancelled, messageOf } from '../../base/errors/errors.ts';
import type { KnowledgeBase } from '../../chat/store/events.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import type { Dataset } from '../../platform/records.ts';
import { describeBase } from '../../knowledge/view/describeBase.ts';

interface Row extends vscode.QuickPickItem {
  base?: KnowledgeBase;
  does?: 'retry';
}

/** Asks for knowledge bases, recent ones first. An empty list is valid; undefined when dismissed. */
export async function chooseKnowledge(
  knowledge: Knowledge,
  chosen: readonly KnowledgeBase[],
  recent: readonly string[],
): Promise<KnowledgeBase[] | 'addFiles' | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  const controller = new AbortController();
  pick.title = l10n.t('Knowledge Bases for This Conversation');
  pick.placeholder = l10n.t('Choose the knowledge bases to search');
  pick.canSelectMany = true;
  // A click outside would discard the selection like Escape.
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.buttons = [
    { iconPath: new vscode.ThemeIcon('add'), tooltip: l10n.t('Add Files to a Knowledge Base…') },
  ];

  const isChosen = (id: string) => chosen.some((base) => base.id === id);
  const show = (rows: Row[]) => {
    pick.items = rows;
    pick.selectedItems = rows.filter(({ base }) => base && isChosen(base.id));
  };
  const load = async () => {
    pick.busy = true;
    try {
      const all = await knowledge.bases.load(controller.signal);
      // One that is chosen stays, so that it can be deselected.
      const usable = all.filter(({ id, isUnsearchable }) => !isUnsearchable || isChosen(id));
      show(toRows(usable, chosen, recent));
    } catch (error) {
      if (!isCancelled(error)) show([retry(error)]);
    } finally {
      pick.busy = false;
    }
  };
  try {
    return await new Promise((resolve) => {
      pick.onDidChangeSelection((rows) => {
        if (rows.some(({ does }) => does === 'retry')) void load();
      });
      pick.onDidTriggerButton(() => resolve('addFiles'));
      pick.onDidAccept(() => {
        // Before the list is loaded, nothing can be deselected.
        if (!pick.busy) resolve(pick.selectedItems.flatMap(({ base }) => base ?? []));
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
      void load();
    });
  } finally {
    controller.abort();
    pick.dispose();
  }
}

function toRows(
  datasets: readonly Dataset[],
  chosen: readonly KnowledgeBase[],
  recent: readonly string[],
): Row[] {
  const usedLast = recent.flatMap((id) => datasets.find((dataset) => dataset.id === id) ?? []);
  const others = datasets.filter((dataset) => !usedLast.includes(dataset));
  const gone = chosen.filter(({ id }) => !datasets.some((dataset) => dataset.id === id));
  return [
    ...section(l10n.t('Recently used'), usedLast.map(toRow)),
    ...section(usedLast.length > 0 ? l10n.t('Others') : l10n.t('Knowledge bases'), others.map(toRow)),
    ...section(
      l10n.t('No longer on the platform'),
      gone.map((base) => ({ label: base.name, base })),
    ),
  ];
}

function toRow(dataset: Dataset): Row {
  const { id, name, description } = dataset;
  return {
    label: name,
    description: describeBase(dataset),
    ...(description && { detail: description }),
    base: { id, name },
  };
}

function section(label: string, rows: readonly Row[]): Row[] {
  return rows.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

function retry(error: unknown): Row {
  const detail = messageOf(error);
  return { label: `$(refresh) ${l10n.t('Try Again')}`, detail, does: 'retry', alwaysShow: true };
}
