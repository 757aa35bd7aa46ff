import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isDeepStrictEqual } from 'node:util';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
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

export class ComparisonReports implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly shown = new Map<string, Comparison>();
  private readonly changes = this.parts.add(new vscode.EventEmitter<void>());

  constructor() {
    this.parts.add(
      vscode.languages.registerCodeLensProvider(
        { scheme: reportScheme },
        {
          onDidChangeCodeLenses: this.changes.event,
          provideCodeLenses: ({ uri }) => lensesOf(uri, this.shown.get(uri.toString())),
        },
      ),
    );
    this.parts.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())));
  }

  async show(comparison: Comparison): Promise<void> {
    const uri = await showReport(l10n.t('Search Settings Compared'), tableOf(comparison).text);
    this.shown.set(uri.toString(), comparison);
    this.changes.fire();
  }

  /** Applies a row of a table, as *Search Settings…* does, and offers to undo it. Returns false without such a row. */
  async apply(notifications: Notifications, uri: unknown, row: unknown): Promise<boolean> {
    const comparison = uri instanceof vscode.Uri ? this.shown.get(uri.toString()) : undefined;
    const compared = typeof row === 'number' ? comparison?.compared[row] : undefined;
    if (!(uri instanceof vscode.Uri) || !comparison || !compared) return false;
    const { knowledge, datasets } = comparison;
    const before = new Map(datasets.map(({ id }) => [id, knowledge.searchSettings(id)]));
    const { settings } = compared.variant;
    // A filter that was changed since stays changed.
    await this.save(uri, comparison, (id) => ({ ...settings.get(id), filter: before.get(id)?.filter }));
    const names = datasets.map(({ name }) => inList(name, 40)).join(', ');
    const undo = l10n.t('Undo');
    const text = l10n.t('{0} now uses: {1}', names, inline(compared.variant.label, 80));
    void notifications
      .information(text, undo)
      .then((answer) => (answer === undo ? this.save(uri, comparison, (id) => before.get(id)) : undefined));
    return true;
  }

  dispose(): void {
    this.parts.dispose();
  }

  private async save(
    uri: vscode.Uri,
    comparison: Comparison,
    settingsOf: (datasetId: string) => SearchSettings | undefined,
  ): Promise<void> {
    for (const { id } of comparison.datasets) saveSearch(comparison, id, settingsOf(id));
    await updateReport(uri, tableOf(comparison).text);
    this.changes.fire();
  }
}

function lensesOf(uri: vscode.Uri, comparison: Comparison | undefined): vscode.CodeLens[] {
  if (!comparison) return [];
  const used = inUse(comparison);
  return tableOf(comparison).lines.flatMap((line, row) => {
    const compared = comparison.compared[row]!;
    if (compared === used || compared.refusal !== undefined) return [];
    const range = new vscode.Range(line, 0, line, 0);
    const title = l10n.t('Apply {0}', inline(compared.variant.label, 60));
    const command = commandId('applySearchSettings');
    return [new vscode.CodeLens(range, { command, title, arguments: [uri, row] })];
  });
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
