import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isDeepStrictEqual } from 'node:util';
import { lazy } from '../../base/async/lazy.ts';
import { inline, inList } from '../../base/text/oneLine.ts';
import { type ComparedSettings } from '../../knowledgeTests/compareSettings.ts';
import { comparisonTable } from '../../knowledgeTests/comparisonTable.ts';
import type { Dataset } from '../../platform/records.ts';
import { readSearchSettings, type SearchSettings } from '../../platform/searchSettings.ts';
import { commandId, reportScheme } from '../ids.ts';
import type { KnowledgeCommandContext } from '../knowledge/knowledgeCommandContext.ts';
import { saveSearch } from '../knowledge/tree/editSearch.ts';
import { showReport, updateReport } from '../ui/readOnlyTexts.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface Comparison extends Pick<KnowledgeCommandContext, 'memory' | 'access' | 'knowledge'> {
  datasets: readonly Dataset[];
  compared: readonly ComparedSettings[];
  name: string;
}

const shown = new Map<string, Comparison>();
const changes = new vscode.EventEmitter<void>();

/** Registered with the first table: each row is applied by the action above it. */
const lenses = lazy(async () => {
  vscode.languages.registerCodeLensProvider(
    { scheme: reportScheme },
    {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses({ uri }) {
        const comparison = shown.get(uri.toString());
        if (!comparison) return [];
        const used = inUse(comparison);
        return tableOf(comparison).lines.flatMap((line, row) => {
          const compared = comparison.compared[row]!;
          if (compared === used || compared.refusal !== undefined) return [];
          const range = new vscode.Range(line, 0, line, 0);
          const title = l10n.t('Apply {0}', inline(compared.variant.label, 60));
          return [
            new vscode.CodeLens(range, {
              command: commandId('applySearchSettings'),
              title,
              arguments: [uri, row],
            }),
          ];
        });
      },
    },
  );
  vscode.workspace.onDidCloseTextDocument(({ uri }) => shown.delete(uri.toString()));
});

export async function showComparison(comparison: Comparison): Promise<void> {
  await lenses();
  const uri = await showReport(l10n.t('Search Settings Compared'), tableOf(comparison).text);
  shown.set(uri.toString(), comparison);
  changes.fire();
}

/** Applies a row of a table, as *Search Settings…* does, and offers to undo it. Returns false without such a row. */
export async function applySearchSettings(
  notifications: Notifications,
  uri: unknown,
  row: unknown,
): Promise<boolean> {
  const comparison = uri instanceof vscode.Uri ? shown.get(uri.toString()) : undefined;
  const compared = typeof row === 'number' ? comparison?.compared[row] : undefined;
  if (!(uri instanceof vscode.Uri) || !comparison || !compared) return false;
  const { knowledge, datasets } = comparison;
  const before = new Map(datasets.map(({ id }) => [id, knowledge.searchSettings(id)]));
  const { settings } = compared.variant;
  // A filter that was changed since stays changed.
  await save(uri, comparison, (id) => ({ ...settings.get(id), filter: before.get(id)?.filter }));
  const names = datasets.map(({ name }) => inList(name, 40)).join(', ');
  const undo = l10n.t('Undo');
  const text = l10n.t('{0} now uses: {1}', names, inline(compared.variant.label, 80));
  void notifications
    .information(text, undo)
    .then((answer) => (answer === undo ? save(uri, comparison, (id) => before.get(id)) : undefined));
  return true;
}

async function save(
  uri: vscode.Uri,
  comparison: Comparison,
  settingsOf: (datasetId: string) => SearchSettings | undefined,
): Promise<void> {
  for (const { id } of comparison.datasets) saveSearch(comparison, id, settingsOf(id));
  await updateReport(uri, tableOf(comparison).text);
  changes.fire();
}

function tableOf(comparison: Comparison) {
  const { compared, datasets, name } = comparison;
  const names = datasets.map((dataset) => inline(dataset.name, 40)).join(', ');
  return comparisonTable(`${inline(name)} · ${names}`, compared, inUse(comparison));
}

function inUse({ compared, datasets, knowledge }: Comparison): ComparedSettings | undefined {
  const now = (id: string) => set(knowledge.searchSettings(id));
  return compared.find(({ variant: { settings } }) =>
    datasets.every(({ id }) => isDeepStrictEqual(set(settings.get(id)), now(id))),
  );
}

/** Without the filter, which isn't compared, and without fields that are not set. */
function set(settings: SearchSettings | undefined): unknown {
  const { filter: _, ...rest } = readSearchSettings(settings) ?? {};
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
}
