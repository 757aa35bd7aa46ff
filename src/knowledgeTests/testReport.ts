import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/text/format.ts';
import { inline } from '../base/text/oneLine.ts';
import {
  type AnswerOutcome,
  type FoundPlaces,
  namedPlace,
  nameSegment,
  type QuestionOutcome,
} from './runQuestion.ts';

export interface TestedQuestion {
  readonly text: string;
  readonly outcome: QuestionOutcome;
}

export interface TestMeasures {
  readonly passed: number;
  readonly missed: number;
  readonly skipped: number;
  readonly failed: number;
  /** Share of questions with an expected place at the first rank, 0 to 1. */
  readonly hitAt1: number;
  readonly hitAt3: number;
  /** Mean reciprocal rank of the first expected place. */
  readonly mrr: number;
}

const shownAnswer = 400;

const shownResults = 3;

export function measure(tested: readonly TestedQuestion[]): TestMeasures {
  const ranks = tested.flatMap(({ outcome }) =>
    outcome.type === 'failed' ? [] : [outcome.rank ?? Infinity],
  );
  const share = (sum: number) => (ranks.length === 0 ? 0 : sum / ranks.length);
  const within = (limit: number) => share(ranks.filter((rank) => rank <= limit).length);
  const count = (type: QuestionOutcome['type']) =>
    tested.filter(({ outcome }) => outcome.type === type).length;
  return {
    ...{ passed: count('passed'), missed: count('missed') },
    ...{ skipped: count('skipped'), failed: count('failed') },
    ...{ hitAt1: within(1), hitAt3: within(3) },
    mrr: share(ranks.reduce((sum, rank) => sum + 1 / rank, 0)),
  };
}

export function describeMeasures(measures: TestMeasures): string {
  const { passed, missed, skipped, failed, hitAt1, hitAt3, mrr } = measures;
  const percent = (share: number) => `${formatNumber(share * 100)} %`;
  const all = passed + missed + skipped + failed;
  return [
    plural(all, l10n.t('1 question'), l10n.t('{0} questions', formatNumber(all))),
    l10n.t('{0} passed', formatNumber(passed)),
    ...(missed > 0 ? [l10n.t('{0} missed', formatNumber(missed))] : []),
    ...(skipped > 0 ? [l10n.t('{0} skipped', formatNumber(skipped))] : []),
    ...(failed > 0 ? [l10n.t("{0} couldn't run", formatNumber(failed))] : []),
    ...(all > failed
      ? [`hit@1 ${percent(hitAt1)}`, `hit@3 ${percent(hitAt3)}`, `MRR ${formatNumber(mrr, 2)}`]
      : []),
  ].join(' · ');
}

/** Lines of a table: the rank of the first expected place, the question, and what was missed. */
export function reportLines({ text, outcome }: TestedQuestion): string[] {
  const rank = outcome.type === 'failed' || outcome.rank === undefined ? '–' : String(outcome.rank);
  const sign = { passed: '✓', missed: '✗', skipped: '○', failed: '!' }[outcome.type];
  const head = `${sign} ${rank.padStart(3)}  ${inline(text)}`;
  return [head, ...describeOutcome(outcome).map((line) => `       ${line}`)];
}

function describeOutcome(outcome: QuestionOutcome): string[] {
  if (outcome.type === 'failed') return [outcome.message];
  const missed = outcome.places.filter(({ isFound }) => !isFound);
  return [
    ...missed.map(({ place, explanation = '' }) => l10n.t('Missed {0}: {1}', namedPlace(place), explanation)),
    ...(missed.length > 0 ? [describeFound(outcome.found.slice(0, shownResults))] : []),
    ...(outcome.answer ? describeAnswer(outcome.answer) : []),
  ];
}

function describeAnswer(answer: AnswerOutcome): string[] {
  if (answer.type === 'skipped') return [l10n.t('The answer was not checked: {0}', answer.reason)];
  if (answer.missing.length === 0) return [];
  return [describeLack(answer), l10n.t('Answer: {0}', inline(answer.text, shownAnswer))];
}

export function describeLack({ missing }: AnswerOutcome & { type: 'checked' }): string {
  const words = missing.map((each) => `"${inline(each, 60)}"`).join(', ');
  return l10n.t('The answer lacks {0}.', words);
}

export function describeFound(found: FoundPlaces['found']): string {
  if (found.length === 0) return l10n.t('Nothing was found.');
  const list = found.map((segment) => `${segment.rank}. ${nameSegment(segment)}`).join('  ');
  return l10n.t('Found: {0}', list);
}
