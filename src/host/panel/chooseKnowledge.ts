import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import type { KnowledgeBase } from '../../tools/knowledge/source.ts';
import { type BaseRow, pickBases } from '../knowledge/chooseBase.ts';

export async function chooseKnowledge(
  knowledge: Knowledge,
  chosen: readonly KnowledgeBase[],
  recent: readonly string[],
): Promise<KnowledgeBase[] | 'addFiles' | undefined> {
  const pick = vscode.window.createQuickPick<BaseRow>();
  pick.title = l10n.t('Knowledge Bases for This Conversation');
  pick.placeholder = l10n.t('Choose the knowledge bases to search');
  pick.canSelectMany = true;
  // A click outside would discard the selection like Escape.
  pick.ignoreFocusOut = true;
  pick.buttons = [
    { iconPath: new vscode.ThemeIcon('add'), tooltip: l10n.t('Add Files to a Knowledge Base…') },
  ];
  const isChosen = (id: string) => chosen.some((base) => base.id === id);
  const rows = await pickBases(
    pick,
    knowledge,
    {
      // One that is chosen stays, so that it can be deselected.
      isShown: ({ id, isUnsearchable }) => !isUnsearchable || isChosen(id),
      recent,
      chosen,
    },
    () => 'addFiles' as const,
  );
  if (!rows || rows === 'addFiles') return rows;
  return rows.flatMap(({ dataset, gone }) => {
    const base = dataset ?? gone;
    return base ? [{ id: base.id, name: base.name }] : [];
  });
}
