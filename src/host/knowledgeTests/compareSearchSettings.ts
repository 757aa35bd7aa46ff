import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { inList, inline } from '../../base/text/oneLine.ts';
import { bestOf, compareSettings } from '../../knowledgeTests/compareSettings.ts';
import {
  mostVariants,
  type SearchRequests,
  type SearchVariant,
  searchVariants,
  type VariantGroup,
} from '../../knowledgeTests/searchVariants.ts';
import type { Dataset, PlatformModel } from '../../platform/records.ts';
import { withProgress } from '../ui/withProgress.ts';
import { chooseTestFile } from './chooseTestFile.ts';
import type { ComparisonReports } from './comparisonReport.ts';
import { connect, prepare } from './preparedFile.ts';
import type { KnowledgeTestParts } from './testFileItems.ts';

export interface ComparisonResult {
  best?: string;
  rows: { label: string; passed: number; refusal?: string }[];
}

export async function compareSearchSettings(
  parts: KnowledgeTestParts,
  reports: ComparisonReports,
  args: readonly unknown[],
  dataset: Dataset | undefined,
): Promise<ComparisonResult | undefined> {
  const title = l10n.t('Compare Search Settings');
  const uri = await chooseTestFile(parts.notifications, args, title, dataset);
  if (!uri) return undefined;
  const { prepared, rerankers } = await withProgress(
    parts.notifications,
    l10n.t('Loading search settings…'),
    async (signal) => {
      const connection = connect(async () => parts, signal);
      const read = await prepare(uri, connection);
      return { prepared: read, rerankers: await rerankersOf(parts, read.connected.client, signal) };
    },
    vscode.ProgressLocation.Window,
  );
  const { file, connected, datasets, matcher } = prepared;
  const { knowledge } = connected;
  const questions = file.questions.filter(({ problem }) => problem === undefined);
  if (questions.length === 0) {
    throw new SwitchboardError('settings', l10n.t('The file has no question that can be run.'));
  }
  const all = searchVariants(datasets, (id) => knowledge.searchSettings(id), rerankers);
  const variants = await chooseVariants(title, all, questions.length);
  if (!variants) return undefined;
  const total = variants.length * questions.length;
  const compared = await withProgress(
    parts.notifications,
    l10n.t('Comparing search settings'),
    async (signal, report) => {
      let done = 0;
      const onSearched = ({ label }: SearchVariant) => {
        const message = l10n.t(
          '{0} of {1} · {2}',
          formatNumber(++done),
          formatNumber(total),
          inline(label, 60),
        );
        report({ message, increment: 100 / total });
      };
      const now = () => performance.now();
      return compareSettings(
        { tested: connected, datasets, matcher },
        { variants, questions },
        { now, onSearched },
        signal,
      );
    },
  );
  const name = vscode.workspace.asRelativePath(uri);
  await reports.show({ ...connected, memory: parts.memory, datasets, compared, name });
  const best = bestOf(compared)?.variant.label;
  return {
    ...(best !== undefined && { best }),
    rows: compared.map(({ variant: { label }, measures: { passed }, refusal }) => ({
      ...{ label, passed },
      ...(refusal !== undefined && { refusal }),
    })),
  };
}

/** None where the key can't list them; the other settings can still be compared. */
async function rerankersOf(
  { log }: KnowledgeTestParts,
  client: { models(type: 'rerank', signal: AbortSignal): Promise<PlatformModel[]> },
  signal: AbortSignal,
): Promise<PlatformModel[]> {
  try {
    return await client.models('rerank', signal);
  } catch (error) {
    signal.throwIfAborted();
    log.warn(`Reranking models can't be compared: ${String(error)}`);
    return [];
  }
}

interface Row extends vscode.QuickPickItem {
  variant?: SearchVariant;
}

async function chooseVariants(
  title: string,
  variants: readonly SearchVariant[],
  questions: number,
): Promise<SearchVariant[] | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.items = rowsOf(variants);
  pick.selectedItems = pick.items.filter(({ variant }) => variant?.isSuggested);
  const chosen = () => pick.selectedItems.flatMap(({ variant }) => variant ?? []);
  const describe = () => {
    const now = chosen();
    pick.title = `${title}: ${describeRequests(now, questions)}`;
    pick.placeholder =
      now.length > mostVariants
        ? l10n.t('Choose at most {0}', mostVariants)
        : l10n.t('Choose what to compare. Questions are sent to the platform as for any search.');
  };
  describe();
  try {
    return await new Promise((resolve) => {
      pick.onDidChangeSelection(describe);
      pick.onDidAccept(() => {
        const now = chosen();
        if (now.length > 0 && now.length <= mostVariants) resolve(now);
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function rowsOf(variants: readonly SearchVariant[]): Row[] {
  const titles: Record<VariantGroup, string> = {
    current: l10n.t('In use'),
    method: l10n.t('Method'),
    reranking: l10n.t('Reranking'),
    results: l10n.t('Results'),
    threshold: l10n.t('Minimum Score'),
  };
  return variants.flatMap((variant, index): Row[] => [
    ...(variants[index - 1]?.group === variant.group
      ? []
      : [{ label: titles[variant.group], kind: vscode.QuickPickItemKind.Separator }]),
    { label: inList(variant.label), description: costOf(variant.requests), variant },
  ]);
}

function costOf({ embeddings, reranks }: SearchRequests): string {
  return [
    embeddings > 0 &&
      plural(
        embeddings,
        l10n.t('1 embedding request per question'),
        l10n.t('{0} embedding requests per question', formatNumber(embeddings)),
      ),
    reranks > 0 &&
      plural(
        reranks,
        l10n.t('1 rerank request per question'),
        l10n.t('{0} rerank requests per question', formatNumber(reranks)),
      ),
  ]
    .filter(Boolean)
    .join(' · ');
}

function describeRequests(variants: readonly SearchVariant[], questions: number): string {
  const sum = (of: (requests: SearchRequests) => number) =>
    variants.reduce((all, { requests }) => all + questions * of(requests), 0);
  const searches = sum((each) => each.searches);
  const embeddings = sum((each) => each.embeddings);
  const reranks = sum((each) => each.reranks);
  return [
    plural(searches, l10n.t('1 search'), l10n.t('{0} searches', formatNumber(searches))),
    embeddings > 0 &&
      plural(
        embeddings,
        l10n.t('up to 1 embedding request'),
        l10n.t('up to {0} embedding requests', formatNumber(embeddings)),
      ),
    reranks > 0 &&
      plural(
        reranks,
        l10n.t('up to 1 rerank request'),
        l10n.t('up to {0} rerank requests', formatNumber(reranks)),
      ),
  ]
    .filter(Boolean)
    .join(' · ');
}
