import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber } from '../../../base/text/format.ts';
import { oneLine } from '../../../base/text/oneLine.ts';
import { expectedValue, fieldTypeName } from '../../../knowledge/view/describeField.ts';
import {
  comparisonName,
  describeCondition,
  describeFilter,
  methodName,
  rerankingName,
  resultsName,
} from '../../../knowledge/view/describeSearch.ts';
import type { Dataset, MetadataField } from '../../../platform/records.ts';
import {
  comparisons,
  type MetadataCondition,
  mostResultsSet,
  readSearchSettings,
  searchMethods,
  type SearchSettings,
} from '../../../platform/searchSettings.ts';
import { defaultTopK } from '../../../tools/knowledge/searchBases.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { readValue } from './editMetadata.ts';
import type { Notifications } from '../../ui/notifications.ts';

type Filter = NonNullable<SearchSettings['filter']>;
type Step = () => Promise<SearchSettings | undefined>;

export async function editSearch(
  context: KnowledgeCommandContext,
  dataset: Dataset,
): Promise<SearchSettings | undefined> {
  const { memory, access } = context;
  for (;;) {
    const settings = readSearchSettings(memory.searchSettings(access.origin, dataset.id)) ?? {};
    const picked = await vscode.window.showQuickPick(rowsOf(context, dataset, settings), {
      title: l10n.t('Search Settings of {0}', oneLine(dataset.name, 60)),
      placeHolder: l10n.t('For searches from Switchboard. Choose a setting to change it.'),
    });
    if (!picked) return readSearchSettings(settings);
    const changed = await picked.edit();
    if (!changed) continue;
    saveSearch(context, dataset.id, changed);
  }
}

export function saveSearch(
  { memory, access, knowledge }: Pick<KnowledgeCommandContext, 'memory' | 'access' | 'knowledge'>,
  datasetId: string,
  settings: SearchSettings | undefined,
): void {
  memory.setSearchSettings(access.origin, datasetId, readSearchSettings(settings));
  knowledge.bases.searchChanged();
}

/** An economical index only has keyword search without scores. */
function rowsOf(
  context: KnowledgeCommandContext,
  dataset: Dataset,
  settings: SearchSettings,
): (vscode.QuickPickItem & { edit: Step })[] {
  const { method, reranking, scoreThreshold, topK, filter } = settings;
  const isSemantic = dataset.technique === 'high_quality' && !dataset.isExternal;
  const left = l10n.t("Use the knowledge base's setting");
  const rows: (false | (vscode.QuickPickItem & { edit: Step }))[] = [
    isSemantic && {
      label: l10n.t('Method'),
      description: method ? methodName(method) : left,
      edit: () => chooseMethod(settings),
    },
    isSemantic && {
      label: l10n.t('Reranking'),
      description: reranking ? rerankingName(reranking) : left,
      detail: l10n.t('A reranking model, or the semantic and keyword weights of a hybrid search'),
      edit: () => chooseReranking(context, settings),
    },
    (isSemantic || dataset.isExternal) && {
      label: l10n.t('Minimum Score'),
      description: scoreThreshold === undefined ? left : formatNumber(scoreThreshold, 2),
      edit: () => askThreshold(settings),
    },
    {
      label: l10n.t('Results'),
      description: resultsName(topK ?? defaultTopK),
      detail: l10n.t('The number of segments that a model is given'),
      edit: () => askResults(settings),
    },
    !dataset.isExternal && {
      label: l10n.t('Metadata Filter'),
      description: filter ? describeFilter(filter) : l10n.t('none'),
      detail: l10n.t('Searches only documents with matching metadata'),
      edit: () => editFilter(context, dataset, settings),
    },
    readSearchSettings(settings) !== undefined && {
      label: `$(discard) ${l10n.t('Reset')}`,
      edit: () => Promise.resolve({}),
    },
  ];
  return rows.filter((row) => row !== false);
}

async function chooseMethod(settings: SearchSettings): Promise<SearchSettings | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      { label: l10n.t("Use the knowledge base's setting"), method: undefined },
      ...searchMethods
        .filter((method) => method !== 'keyword_search')
        .map((method) => ({ label: methodName(method), method })),
    ],
    { title: l10n.t('Method') },
  );
  return picked && { ...settings, method: picked.method };
}

async function chooseReranking(
  { notifications, client }: KnowledgeCommandContext,
  settings: SearchSettings,
): Promise<SearchSettings | undefined> {
  const models = await withProgress(
    notifications,
    l10n.t('Loading models…'),
    (signal) => client.models('rerank', signal),
    vscode.ProgressLocation.Window,
  );
  type Row = vscode.QuickPickItem & { reranking?: SearchSettings['reranking'] | 'ask' };
  const rows: Row[] = [
    { label: l10n.t("Use the knowledge base's setting") },
    { label: l10n.t('No reranking'), reranking: { type: 'none' } },
    {
      label: l10n.t('Weighted Score (Hybrid Search)…'),
      detail: l10n.t('Set the semantic weight. The rest is the keyword weight'),
      reranking: 'ask',
    },
    ...models
      .filter(({ isActive }) => isActive)
      .map(({ provider, model, label }): Row => ({
        label: oneLine(label, 80),
        description: oneLine(provider, 80),
        reranking: { type: 'model', provider, model },
      })),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: l10n.t('Reranking'),
    placeHolder: models.some(({ isActive }) => isActive)
      ? l10n.t('Choose a reranking model, which may incur cost')
      : l10n.t('The platform has no reranking model. Add one in its model providers'),
  });
  if (!picked) return undefined;
  if (picked.reranking !== 'ask') return { ...settings, reranking: picked.reranking };
  const current = settings.reranking?.type === 'weights' ? settings.reranking.semantic : 0.7;
  const semantic = await askFraction(
    l10n.t('Semantic Weight'),
    l10n.t('From 0 to 1. The rest is the keyword weight'),
    current,
  );
  if (semantic === undefined) return undefined;
  // Only hybrid search has weights.
  return { ...settings, method: 'hybrid_search', reranking: { type: 'weights', semantic } };
}

async function askThreshold(settings: SearchSettings): Promise<SearchSettings | undefined> {
  const typed = await askFraction(
    l10n.t('Minimum Score'),
    l10n.t("From 0 to 1. Leave empty to use the knowledge base's setting"),
    settings.scoreThreshold,
    true,
  );
  if (typed === undefined) return undefined;
  return { ...settings, scoreThreshold: Number.isNaN(typed) ? undefined : typed };
}

async function askResults(settings: SearchSettings): Promise<SearchSettings | undefined> {
  const isRight = (text: string) =>
    text.trim() === '' || (/^\s*\d+\s*$/.test(text) && Number(text) >= 1 && Number(text) <= mostResultsSet);
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Results'),
    value: String(settings.topK ?? ''),
    prompt: l10n.t('From 1 to {0}. Leave empty for {1}', mostResultsSet, defaultTopK),
    validateInput: (text) =>
      isRight(text) ? undefined : l10n.t('Write a number from 1 to {0}.', mostResultsSet),
  });
  if (typed === undefined || !isRight(typed)) return undefined;
  return { ...settings, topK: typed.trim() === '' ? undefined : Number(typed) };
}

/** Number from 0 to 1; NaN for an allowed empty input. */
async function askFraction(
  title: string,
  prompt: string,
  current: number | undefined,
  isOptional = false,
): Promise<number | undefined> {
  const read = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
  const isRight = (text: string): boolean =>
    (isOptional && text.trim() === '') || (read(text) >= 0 && read(text) <= 1);
  const typed = await vscode.window.showInputBox({
    title,
    value: current === undefined ? '' : String(current),
    prompt,
    validateInput: (text) => (isRight(text) ? undefined : l10n.t('Enter a number from 0 to 1.')),
  });
  return typed === undefined || !isRight(typed) ? undefined : read(typed);
}

async function editFilter(
  { notifications, client }: KnowledgeCommandContext,
  dataset: Dataset,
  settings: SearchSettings,
): Promise<SearchSettings | undefined> {
  const filter: Filter = settings.filter ?? { match: 'all', conditions: [] };
  const { conditions, match } = filter;
  type Row = vscode.QuickPickItem & { act(): Promise<Filter | undefined> };
  const rows: Row[] = [
    {
      label: `$(add) ${l10n.t('Add Condition…')}`,
      async act() {
        const condition = await askCondition(await fieldsOf(notifications, client, dataset));
        return condition && { match, conditions: [...conditions, condition] };
      },
    },
    ...conditions.map((condition): Row => ({
      label: describeCondition(condition),
      description: l10n.t('Select to remove'),
      act: () => Promise.resolve({ match, conditions: conditions.filter((other) => other !== condition) }),
    })),
  ];
  if (conditions.length > 1) {
    rows.push({
      label: match === 'all' ? l10n.t('Match all conditions') : l10n.t('Match any condition'),
      description: l10n.t('Select to change'),
      act: () => Promise.resolve({ match: match === 'all' ? 'any' : 'all', conditions }),
    });
  }
  const picked = await vscode.window.showQuickPick(rows, { title: l10n.t('Metadata Filter') });
  const changed = await picked?.act();
  if (!changed) return undefined;
  return { ...settings, filter: changed.conditions.length > 0 ? changed : undefined };
}

async function fieldsOf(
  notifications: Notifications,
  client: KnowledgeCommandContext['client'],
  dataset: Dataset,
): Promise<MetadataField[]> {
  return withProgress(
    notifications,
    l10n.t('Loading fields…'),
    async (signal) => {
      const { fields, isBuiltInOn } = await client.metadata.list(dataset.id, signal);
      const builtIn = isBuiltInOn ? await client.metadata.builtIn(dataset.id, signal) : [];
      return [...fields, ...builtIn.map(({ name, type }) => ({ id: name, name, type }))];
    },
    vscode.ProgressLocation.Window,
  );
}

async function askCondition(fields: readonly MetadataField[]): Promise<MetadataCondition | undefined> {
  const picked = await vscode.window.showQuickPick(
    fields.map((field) => ({
      label: oneLine(field.name, 80),
      description: fieldTypeName(field.type),
      field,
    })),
    {
      title: l10n.t('Field'),
      placeHolder:
        fields.length > 0
          ? l10n.t('Choose a metadata field')
          : l10n.t('The knowledge base has no metadata fields. Add some with "Edit Metadata Fields…".'),
    },
  );
  if (!picked) return undefined;
  const { field } = picked;
  const kind = field.type === 'number' || field.type === 'time' ? field.type : 'string';
  const chosen = await vscode.window.showQuickPick(
    comparisons[kind].map((each) => ({ label: comparisonName(each), comparison: each })),
    { title: oneLine(field.name, 80), placeHolder: l10n.t('Choose a comparison') },
  );
  if (!chosen) return undefined;
  const { comparison } = chosen;
  if (comparison.endsWith('empty')) return { name: field.name, comparison };
  const isRight = (text: string): boolean => {
    const read = readValue(field, text);
    return 'value' in read && read.value !== null;
  };
  const typed = await vscode.window.showInputBox({
    title: `${oneLine(field.name, 80)} ${comparisonName(comparison)}`,
    ...(kind === 'time' && { prompt: l10n.t('A date such as 2026-08-31, with or without time') }),
    validateInput: (text) => (isRight(text) ? undefined : expectedValue(field.type)),
  });
  if (typed === undefined) return undefined;
  const read = readValue(field, typed);
  return 'value' in read && read.value !== null
    ? { name: field.name, comparison, value: read.value }
    : undefined;
}
