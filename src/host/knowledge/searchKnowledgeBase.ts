import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { chosenItem } from '../ui/quickPicks.ts';
import { formatNumber } from '../../base/text/format.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { SearchOutcome, SearchResult } from '../../knowledge/searchKnowledge.ts';
import { describeSearch } from '../../knowledge/view/describeSearch.ts';
import type { Dataset } from '../../platform/records.ts';
import { describeSourceState } from '../../shared/knowledge.ts';
import { withProgress } from '../ui/withProgress.ts';
import { chooseBases } from './chooseBase.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import { openSource } from './openSource.ts';
import { editSearch } from './tree/editSearch.ts';

const resultCount = 20;

export interface SearchCommandResult {
  found: number;
  opened?: { document: string; path?: string; line?: number };
}

interface Row extends vscode.QuickPickItem {
  result?: SearchResult;
}

export async function searchKnowledgeBase(
  context: KnowledgeCommandContext,
  known?: Dataset,
): Promise<SearchCommandResult | undefined> {
  const bases = known ? [known] : await basesToSearch(context);
  if (!bases || bases.length === 0) return undefined;
  const names = bases.map(({ name }) => name).join(', ');
  let query: string | undefined;
  for (;;) {
    query = await vscode.window.showInputBox({
      title: l10n.t('Search in {0}', names),
      prompt: l10n.t('A question or a few words'),
      ...(query !== undefined && { value: query }),
      ignoreFocusOut: true,
    });
    if (!query?.trim()) return undefined;
    const datasetIds = bases.map(({ id }) => id);
    const text = query.trim();
    const outcome = await withProgress(context.notifications, l10n.t('Searching in {0}…', names), (signal) =>
      context.knowledge.search({ datasetIds, query: text, topK: resultCount }, signal),
    );
    const settings = settingsInForce(context, bases);
    const picked = await showResults(outcome, bases, text, settings);
    if (picked === 'settings') {
      const [base] = bases;
      if (base) await editSearch(context, base);
      continue;
    }
    if (picked === 'again') continue;
    const found = outcome.results.length;
    if (!picked) return { found };
    const opened = await openSource(context, picked);
    const document = picked.documentName;
    return opened.type === 'file'
      ? { found, opened: { document, path: opened.path, line: opened.lines.startLine } }
      : { found, opened: { document } };
  }
}

/** The only knowledge base, or the selected ones. The picker reports a list that can't be loaded. */
async function basesToSearch(context: KnowledgeCommandContext): Promise<Dataset[] | undefined> {
  const { knowledge } = context;
  const all = await withProgress(
    context.notifications,
    l10n.t('Loading knowledge bases…'),
    (signal) => knowledge.bases.load(signal).catch(() => undefined),
    vscode.ProgressLocation.Window,
  );
  const searchable = all?.filter(({ isUnsearchable }) => !isUnsearchable);
  return searchable?.length === 1 ? searchable : chooseBases(context, l10n.t('Search Knowledge Bases (1/2)'));
}

async function showResults(
  { results, failures, cutQuery }: SearchOutcome,
  bases: readonly Dataset[],
  query: string,
  settings: string,
): Promise<SearchResult | 'again' | 'settings' | undefined> {
  const nameOf = (id: string) => bases.find((base) => base.id === id)?.name ?? id;
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = cutQuery
    ? l10n.t('Results for "{0}…" (the question was shortened)', cutQuery)
    : l10n.t('Results for "{0}"', query);
  pick.placeholder = [l10n.t('Select a segment to open it'), settings].filter(Boolean).join(' · ');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const again = { iconPath: new vscode.ThemeIcon('search'), tooltip: l10n.t('Search for something else') };
  const change = { iconPath: new vscode.ThemeIcon('settings-gear'), tooltip: l10n.t('Search Settings…') };
  // An agent knowledge base has no settings here.
  pick.buttons = bases.length === 1 && !bases[0]?.isAgent ? [again, change] : [again];
  const isMany = bases.length > 1;
  pick.items = [
    ...results.map((result) => toRow(result, isMany)),
    // Results of a failed search are unknown.
    ...(results.length === 0 && failures.length === 0
      ? [{ label: `$(info) ${l10n.t('Nothing was found.')}`, alwaysShow: true }]
      : []),
    ...failures.map(({ datasetId, error }) => ({
      label: `$(error) ${l10n.t("Couldn't search {0}", nameOf(datasetId))}`,
      detail: error.message,
      alwaysShow: true,
    })),
  ];
  try {
    return await new Promise((resolve) => {
      pick.onDidTriggerButton((button) => resolve(button === change ? 'settings' : 'again'));
      pick.onDidAccept(() => {
        const active = chosenItem(pick);
        if (active?.result) resolve(active.result);
        else if (results.length === 0) resolve('again');
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function settingsInForce({ knowledge }: KnowledgeCommandContext, bases: readonly Dataset[]): string {
  const all = bases.map(({ id, name }) => ({ name, search: describeSearch(knowledge.searchSettings(id)) }));
  const set = all.filter(({ search }) => search !== '');
  return set
    .map(({ name, search }) => (bases.length === 1 ? search : `${oneLine(name, 40)}: ${search}`))
    .join(' · ');
}

function toRow(result: SearchResult, withBase: boolean): Row {
  const { documentName, origin, score, position, content, datasetName, state } = result;
  const description = [
    score !== undefined && l10n.t('score {0}', formatNumber(score, 2)),
    position !== undefined && l10n.t('segment {0}', position),
    withBase && datasetName,
    describeSourceState(state),
  ]
    .filter(Boolean)
    .join(' · ');
  return {
    label: `$(${iconOf(result)}) ${origin?.path ?? documentName}`,
    description,
    detail: firstLine(content),
    result,
  };
}

function iconOf({ origin, state }: SearchResult): string {
  if (state?.type === 'changed') return 'diff';
  if (state?.type === 'gone') return 'warning';
  return origin ? 'file' : 'library';
}

function firstLine(content: string): string {
  const line = content.trim().replace(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200).trimEnd()}…` : line;
}
