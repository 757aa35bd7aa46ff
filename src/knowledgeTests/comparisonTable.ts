import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/text/format.ts';
import { inline } from '../base/text/oneLine.ts';
import { bestOf, type ComparedSettings } from './compareSettings.ts';

export interface ComparisonTable {
  readonly text: string;
  /** Line of each row, counted from 0. */
  readonly lines: readonly number[];
}

const longestLabel = 44;

export function comparisonTable(
  title: string,
  compared: readonly ComparedSettings[],
  used: ComparedSettings | undefined,
): ComparisonTable {
  const best = bestOf(compared);
  const head = [
    ...['', l10n.t('Settings'), 'hit@1', 'hit@3', 'MRR', l10n.t('Passed'), l10n.t('Failed')],
    ...[l10n.t('Time'), l10n.t('Searches'), l10n.t('Embedding'), l10n.t('Reranking')],
  ];
  const rows = compared.map((each) => [
    [each === best ? '★' : ' ', each === used ? '●' : ' '].join(''),
    inline(each.variant.label, longestLabel),
    ...cells(each),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => widthOf(row[column]!))));
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat(widths[column]! - widthOf(cell));
        return column > 1 ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  const lines = [title, '', lineOf(head)];
  const placed: number[] = [];
  for (const [index, row] of rows.entries()) {
    placed.push(lines.length);
    lines.push(lineOf(row));
    const { refusal, asked } = compared[index]!;
    if (refusal === undefined) continue;
    lines.push(
      asked === 0
        ? `     ${refusal}`
        : `     ${l10n.t('Stopped at question {0}: {1}', formatNumber(asked), refusal)}`,
    );
  }
  lines.push('', ...explanation(compared), '', ...compared.flatMap(failedQuestions));
  return { text: `${lines.join('\n').trimEnd()}\n`, lines: placed };
}

function cells({ measures, meanMs, asked, refusal, variant: { requests } }: ComparedSettings): string[] {
  const { passed, missed, failed, hitAt1, hitAt3, mrr } = measures;
  const counted = refusal === undefined && passed + missed > 0;
  const percent = (share: number) => (counted ? `${formatNumber(share * 100)} %` : '–');
  return [
    ...[percent(hitAt1), percent(hitAt3), counted ? formatNumber(mrr, 2) : '–'],
    ...(refusal === undefined ? [formatNumber(passed), formatNumber(missed + failed)] : ['–', '–']),
    meanMs === undefined ? '–' : `${formatNumber(meanMs)} ms`,
    formatNumber(asked * requests.searches),
    ...[requests.embeddings, requests.reranks].map((each) => formatNumber(asked * each)),
  ];
}

function explanation(compared: readonly ComparedSettings[]): string[] {
  const isUnknown = compared.some(({ variant }) => variant.requests.isPartlyUnknown);
  return [
    l10n.t('★ best: passes most; of equals, ranks best and asks models least. ● in use'),
    l10n.t("Failed: missed a place, or couldn't run. No answers were requested."),
    l10n.t('Time: mean of one question. Embedding, Reranking: requests to models, at most.'),
    l10n.t("The platform doesn't report their price."),
    ...(isUnknown ? [l10n.t('Requests of external and agent knowledge bases are unknown.')] : []),
  ];
}

function failedQuestions({ variant, tested, refusal }: ComparedSettings): string[] {
  const failed = tested.filter(({ outcome }) => outcome.type !== 'passed');
  if (failed.length === 0 || refusal !== undefined) return [];
  const count = plural(
    failed.length,
    l10n.t('1 failed question'),
    l10n.t('{0} failed questions', formatNumber(failed.length)),
  );
  return [
    `${inline(variant.label, longestLabel)}: ${count}`,
    ...failed.map(({ text, outcome }) => {
      const rank = outcome.type === 'failed' ? outcome.message : rankText(outcome.rank);
      return `  ✗ ${inline(text)} (${rank})`;
    }),
    '',
  ];
}

function rankText(rank: number | undefined): string {
  return rank === undefined ? l10n.t('not found') : l10n.t('rank {0}', formatNumber(rank));
}

/** Columns of a text: Chinese, Japanese and Korean characters are two wide. */
function widthOf(text: string): number {
  const wide =
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/gu;
  return Array.from(text).length + (text.match(wide)?.length ?? 0);
}
