import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isCancelled, messageOf } from '../../base/errors/errors.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { describeBase } from '../../knowledge/view/describeBase.ts';
import type { Dataset } from '../../platform/records.ts';
import type { KnowledgeBase } from '../../tools/knowledge/source.ts';
import { chosenItem } from '../ui/quickPicks.ts';
import { addKnowledgeBase, scopeReason } from './addKnowledgeBase.ts';
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

export interface BaseRow extends vscode.QuickPickItem {
  dataset?: Dataset;
  gone?: KnowledgeBase;
  does?: 'create' | 'add' | 'retry';
}

interface Offer {
  isShown(dataset: Dataset): boolean;
  /** IDs, the latest first. */
  recent: readonly string[];
  /** Those that are gone are listed, too, so that they can be deselected. */
  chosen?: readonly KnowledgeBase[];
  preselected?: readonly string[];
  fewest?: number;
  /** Rows below the knowledge bases, also when these can't be loaded. */
  others?: () => readonly BaseRow[];
}

/** Shows a list of knowledge bases, the recently used first, until it is accepted. Undefined when dismissed. */
export async function pickBases<Other = never>(
  pick: vscode.QuickPick<BaseRow>,
  knowledge: Knowledge,
  {
    isShown,
    recent,
    chosen = [],
    preselected = [],
    fewest = pick.canSelectMany ? 0 : 1,
    others = () => [],
  }: Offer,
  onButton?: () => Other,
): Promise<readonly BaseRow[] | Other | undefined> {
  const controller = new AbortController();
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const selected = new Set([...preselected, ...chosen.map(({ id }) => id)]);
  let isLoaded = false;
  const load = async () => {
    pick.busy = true;
    try {
      const all = await knowledge.bases.load(controller.signal);
      const rows = toRows(all.filter(isShown), recent);
      const gone = chosen.filter(({ id }) => !all.some((dataset) => dataset.id === id));
      const goneRows = gone.map((base) => ({ label: base.name, gone: base }));
      isLoaded = true;
      pick.items = [
        ...rows,
        ...section(l10n.t('No longer on the platform'), goneRows),
        ...section('', others()),
      ];
      if (rows.length === 0 && pick.canSelectMany)
        pick.placeholder = l10n.t('The platform has no knowledge base yet.');
      if (pick.canSelectMany)
        pick.selectedItems = pick.items.filter((row) => selected.has((row.dataset ?? row.gone)?.id ?? ''));
    } catch (error) {
      if (!isCancelled(error)) pick.items = [retry(error), ...others()];
    } finally {
      pick.busy = false;
    }
  };
  try {
    return await new Promise((resolve) => {
      pick.onDidChangeSelection((rows) => {
        if (pick.canSelectMany && rows.some(({ does }) => does === 'retry')) void load();
      });
      pick.onDidTriggerButton(() => resolve(onButton?.()));
      pick.onDidAccept(() => {
        const active = chosenItem(pick);
        const chosenRows = pick.canSelectMany ? pick.selectedItems : active ? [active] : [];
        if (active?.does === 'retry') void load();
        // Before the list is loaded, nothing can be deselected.
        else if ((isLoaded || !pick.canSelectMany) && chosenRows.length >= fewest) resolve([...chosenRows]);
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

function toRows(datasets: readonly Dataset[], recent: readonly string[]): BaseRow[] {
  const usedLast = recent.flatMap((id) => datasets.find((dataset) => dataset.id === id) ?? []);
  const others = datasets.filter((dataset) => !usedLast.includes(dataset));
  return [
    ...section(l10n.t('Recently used'), usedLast.map(toRow)),
    ...section(usedLast.length > 0 ? l10n.t('Others') : l10n.t('Knowledge bases'), others.map(toRow)),
  ];
}

function toRow(dataset: Dataset): BaseRow {
  const { name, description } = dataset;
  return {
    label: name,
    description: describeBase(dataset),
    ...(description && { detail: description }),
    dataset,
  };
}

function section(label: string, rows: readonly BaseRow[]): BaseRow[] {
  return rows.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

function retry(error: unknown): BaseRow {
  const detail = messageOf(error);
  return { label: `$(refresh) ${l10n.t('Try Again')}`, detail, does: 'retry', alwaysShow: true };
}
