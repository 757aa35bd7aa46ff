import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Dataset } from '../../platform/records.ts';
import { addKnowledgeBase, scopeReason } from './addKnowledgeBase.ts';
import { type BaseRow, pickBases } from './basePicker.ts';
import { createBase } from './createBase.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';

export async function chooseBase(
  context: KnowledgeCommandContext,
  title: string,
): Promise<Dataset | undefined> {
  const { knowledge, memory, access } = context;
  const pick = vscode.window.createQuickPick<BaseRow>();
  pick.title = title;
  pick.placeholder = l10n.t('Choose a knowledge base, or create one');
  const rows = await pickBases(pick, knowledge, {
    isShown: ({ isExternal, isAgent }) => !isExternal && !isAgent,
    recent: memory.recentBases(access.origin),
    others: () => [knowledge.bases.state.isScoped ? addRow() : createRow()],
  });
  const row = rows?.[0];
  if (row?.does === 'add') {
    await addKnowledgeBase(context);
    return chooseBase(context, title);
  }
  const dataset = row?.does === 'create' ? await createBase(context) : row?.dataset;
  if (dataset) memory.useBase(access.origin, dataset.id);
  return dataset;
}

export async function chooseBases(
  { knowledge, memory, access }: KnowledgeCommandContext,
  title: string,
): Promise<Dataset[] | undefined> {
  const recent = memory.recentBases(access.origin);
  const pick = vscode.window.createQuickPick<BaseRow>();
  pick.title = title;
  pick.canSelectMany = true;
  pick.placeholder = l10n.t('Choose the knowledge bases to search');
  const rows = await pickBases(pick, knowledge, {
    isShown: ({ isUnsearchable }) => !isUnsearchable,
    recent,
    preselected: recent,
    fewest: 1,
  });
  return rows?.flatMap(({ dataset }) => dataset ?? []);
}

function createRow(): BaseRow {
  return { label: `$(add) ${l10n.t('Create Knowledge Base…')}`, does: 'create', alwaysShow: true };
}

function addRow(): BaseRow {
  return {
    label: `$(add) ${l10n.t('Add Knowledge Base…')}`,
    detail: scopeReason(),
    does: 'add',
    alwaysShow: true,
  };
}
