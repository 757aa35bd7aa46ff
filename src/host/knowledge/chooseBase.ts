import { messageOf, isCancelled } from '../../base/errors/errors.ts';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { chosenItem } from '../ui/quickPicks.ts';
import { describeBase } from '../../knowledge/view/describeBase.ts';
import type { Dataset } from '../../platform/records.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import { addKnowledgeBase, scopeReason } from './addKnowledgeBase.ts';
import { createBase } from './createBase.ts';

interface Row extends vscode.QuickPickItem {
  dataset?: Dataset;
  does?: 'create' | 'add' | 'retry';
}

/** Asks for a target knowledge base, which can be created. Undefined when dismissed. */
export async function chooseBase(
  context: KnowledgeCommandContext,
  title: string,
): Promise<Dataset | undefined> {
  const row = await showBases(context, { title, isMany: false });
  const [first] = row ?? [];
  if (first?.does === 'add') {
    await addKnowledgeBase(context);
    return chooseBase(context, title);
  }
  const dataset = first?.does === 'create' ? await createBase(context) : first?.dataset;
  if (dataset) context.memory.useBase(context.access.origin, dataset.id);
  return dataset;
}

export async function chooseBases(
  context: KnowledgeCommandContext,
  title: string,
): Promise<Dataset[] | undefined> {
  const rows = await showBases(context, { title, isMany: true });
  return rows?.flatMap(({ dataset }) => dataset ?? []);
}

async function showBases(
  context: KnowledgeCommandContext,
  { title, isMany }: { title: string; isMany: boolean },
): Promise<readonly Row[] | undefined> {
  const { knowledge, memory, access } = context;
  const pick = vscode.window.createQuickPick<Row>();
  const controller = new AbortController();
  pick.title = title;
  pick.canSelectMany = isMany;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.placeholder = isMany
    ? l10n.t('Choose the knowledge bases to search')
    : l10n.t('Choose a knowledge base, or create one');
  const create: Row = {
    label: `$(add) ${l10n.t('Create Knowledge Base…')}`,
    does: 'create',
    alwaysShow: true,
  };
  const add: Row = {
    label: `$(add) ${l10n.t('Add Knowledge Base…')}`,
    detail: scopeReason(),
    does: 'add',
    alwaysShow: true,
  };
  const others = () => (isMany ? [] : [knowledge.bases.state.isScoped ? add : create]);

  const load = async () => {
    pick.busy = true;
    try {
      const all = await knowledge.bases.load(controller.signal);
      const usable = all.filter(({ isExternal, isAgent, isUnsearchable }) =>
        isMany ? !isUnsearchable : !isExternal && !isAgent,
      );
      const recent = memory
        .recentBases(access.origin)
        .flatMap((id) => usable.find((dataset) => dataset.id === id) ?? []);
      const rest = usable.filter((dataset) => !recent.includes(dataset));
      pick.items = [
        ...section(l10n.t('Recently used'), recent),
        ...section(recent.length > 0 ? l10n.t('Others') : l10n.t('Knowledge bases'), rest),
        ...(isMany ? [] : [separator(''), ...others()]),
      ];
      if (usable.length === 0 && isMany) {
        pick.placeholder = l10n.t('The platform has no knowledge base yet.');
      }
      if (isMany)
        pick.selectedItems = pick.items.filter(({ dataset }) => dataset && recent.includes(dataset));
    } catch (error) {
      if (isCancelled(error)) return;
      const detail = messageOf(error);
      pick.items = [
        { label: `$(refresh) ${l10n.t('Try Again')}`, detail, does: 'retry', alwaysShow: true },
        ...others(),
      ];
    } finally {
      pick.busy = false;
    }
  };

  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => {
        const active = chosenItem(pick);
        if (active?.does === 'retry') void load();
        else if (isMany) {
          if (pick.selectedItems.length > 0) resolve([...pick.selectedItems]);
        } else if (active) resolve([active]);
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

function section(label: string, datasets: readonly Dataset[]): Row[] {
  if (datasets.length === 0) return [];
  return [
    separator(label),
    ...datasets.map((dataset) => ({
      label: dataset.name,
      description: describeBase(dataset),
      ...(dataset.description && { detail: dataset.description }),
      dataset,
    })),
  ];
}

function separator(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
