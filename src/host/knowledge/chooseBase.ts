import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isCancelled } from '../../base/errors.ts';
import { messageOf } from '../../base/messageOf.ts';
import { describeBase } from '../../knowledge/view/describeBase.ts';
import type { Dataset } from '../../platform/records.ts';
import type { CommandDependencies } from './commandDependencies.ts';
import { createBase } from './createBase.ts';

interface Row extends vscode.QuickPickItem {
  dataset?: Dataset;
  /** What accepting does when it is no knowledge base. */
  does?: 'create' | 'retry';
}

/** Asks for the knowledge base that documents go to; it can be created on the way. Undefined when dismissed. */
export async function chooseBase(context: CommandDependencies, title: string): Promise<Dataset | undefined> {
  const row = await showBases(context, { title, isMany: false });
  const [first] = row ?? [];
  const dataset = first?.does === 'create' ? await createBase(context) : first?.dataset;
  if (dataset) context.memory.useBase(context.access.origin, dataset.id);
  return dataset;
}

/** Asks for the knowledge bases to search. Undefined when dismissed. */
export async function chooseBases(
  context: CommandDependencies,
  title: string,
): Promise<Dataset[] | undefined> {
  const rows = await showBases(context, { title, isMany: true });
  return rows?.flatMap(({ dataset }) => dataset ?? []);
}

async function showBases(
  context: CommandDependencies,
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
  const others = isMany ? [] : [create];

  const load = async () => {
    pick.busy = true;
    try {
      const all = await knowledge.bases.load(controller.signal);
      const usable = isMany ? all : all.filter(({ isExternal }) => !isExternal);
      const recent = memory
        .recentBases(access.origin)
        .flatMap((id) => usable.find((dataset) => dataset.id === id) ?? []);
      const rest = usable.filter((dataset) => !recent.includes(dataset));
      pick.items = [
        ...section(l10n.t('Used last'), recent),
        ...section(recent.length > 0 ? l10n.t('Others') : l10n.t('Knowledge bases'), rest),
        ...(others.length > 0 ? [separator(''), ...others] : []),
      ];
      if (usable.length === 0 && isMany) {
        pick.placeholder = l10n.t('The platform has no knowledge base yet.');
      }
      // Those searched last are likely meant again.
      if (isMany)
        pick.selectedItems = pick.items.filter(({ dataset }) => dataset && recent.includes(dataset));
    } catch (error) {
      if (isCancelled(error)) return;
      const detail = messageOf(error);
      pick.items = [
        { label: `$(refresh) ${l10n.t('Try Again')}`, detail, does: 'retry', alwaysShow: true },
        ...others,
      ];
    } finally {
      pick.busy = false;
    }
  };

  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => {
        const [active] = pick.activeItems;
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
