import * as l10n from '@vscode/l10n';
import { messageOf, SwitchboardError } from '../base/errors/errors.ts';
import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';
import { formatNumber, plural } from '../base/text/format.ts';
import { inline } from '../base/text/oneLine.ts';
import type { LineRange } from '../knowledge/files/locateSegment.ts';
import { type SearchResult, topKOf } from '../knowledge/searchKnowledge.ts';
import type { Dataset } from '../platform/records.ts';
import { explainMissing } from './explainMissing.ts';
import { missingWords, type PlaceMatcher } from './placeMatch.ts';
import { type ExpectedPlace, mostResults, type TestQuestion } from './testFile.ts';
import type { TestedKnowledge } from './testedKnowledge.ts';

export interface FoundSegment {
  readonly rank: number;
  readonly document: string;
  readonly position?: number;
  readonly lines?: LineRange;
}

export interface PlaceOutcome {
  readonly place: ExpectedPlace;
  /** 1-based; within the question's `top` if the place was found. */
  readonly rank?: number;
  readonly isFound: boolean;
  readonly explanation?: string;
}

export type AnswerOutcome =
  | { readonly type: 'checked'; readonly text: string; readonly missing: readonly string[] }
  | { readonly type: 'skipped'; readonly reason: string };

export interface FoundPlaces {
  readonly places: readonly PlaceOutcome[];
  readonly rank?: number;
  readonly found: readonly FoundSegment[];
}

export type QuestionOutcome =
  /** Skipped: all places were found, and the answer wasn't checked. */
  | (FoundPlaces & { readonly type: 'passed' | 'missed' | 'skipped'; readonly answer?: AnswerOutcome })
  | { readonly type: 'failed'; readonly message: string; readonly error?: SwitchboardError };

export type Answers =
  | {
      /** Throws a `SwitchboardError`. */
      ask(question: string, found: readonly SearchResult[], signal: AbortSignal): Promise<string>;
    }
  | { readonly skipped: string };

export interface TestSetting {
  readonly tested: TestedKnowledge;
  readonly datasets: readonly Dataset[];
  readonly matcher: PlaceMatcher;
  readonly answers: Answers;
}

/** Results that hit@3 counts, however few must hold the places. */
const countedResults = 3;

/** Searches for a question, compares the results with its places, and checks its answer. Throws only when aborted. */
export async function runQuestion(
  setting: TestSetting,
  question: TestQuestion,
  signal: AbortSignal,
): Promise<QuestionOutcome> {
  const searched = await searchPlaces(setting, question, signal);
  if (searched.type === 'failed') return searched;
  const { type, outcome } = searched;
  // A question that missed a place fails without an answer.
  if (type === 'missed') {
    return { type, ...outcome, places: await explainPlaces(setting, question, searched, signal) };
  }
  if (question.answer.length === 0) return { type, ...outcome };
  const answer = await checkAnswer(setting.answers, question, searched.given, signal);
  if (answer instanceof SwitchboardError) {
    return { type: 'failed', message: l10n.t("The model didn't answer: {0}", answer.message), error: answer };
  }
  if (answer.type === 'skipped') return { type: 'skipped', ...outcome, answer };
  return { type: answer.missing.length > 0 ? 'missed' : 'passed', ...outcome, answer };
}

interface SearchedPlaces {
  readonly type: 'passed' | 'missed';
  readonly outcome: FoundPlaces;
  /** Segments that hit@3 and the places are measured by. */
  readonly results: readonly SearchResult[];
  readonly given: readonly SearchResult[];
}

/** One search, without explanations of what it missed. Throws only when aborted. */
export async function searchPlaces(
  { tested, datasets, matcher }: Omit<TestSetting, 'answers'>,
  question: TestQuestion,
  signal: AbortSignal,
): Promise<SearchedPlaces | (QuestionOutcome & { type: 'failed' })> {
  if (question.problem) return { type: 'failed', message: question.problem };
  for (const place of question.places) {
    const problem = await linesProblem(place, matcher);
    if (problem) return { type: 'failed', message: problem };
  }
  const datasetIds = datasets.map(({ id }) => id);
  const top = question.top ?? topKOf(datasetIds.map((id) => tested.knowledge.searchSettings(id)));
  const topK = Math.max(top, countedResults);
  const { results, failures } = await tested.knowledge.search(
    { datasetIds, query: question.text, topK },
    signal,
  );
  const [failure] = failures;
  if (failure) return { type: 'failed', message: failure.error.message, error: failure.error };
  const ranks = await Promise.all(question.places.map((place) => rankOf(place, results, matcher)));
  const best = Math.min(...ranks.map((rank) => rank ?? Infinity));
  const places = question.places.map((place, index) => {
    const rank = ranks[index];
    const isFound = rank !== undefined && rank <= top;
    return { place, isFound, ...(rank !== undefined && { rank }) };
  });
  const given = results.slice(0, top);
  const found = await Promise.all(given.map((result, index) => nameResult(result, index + 1, matcher)));
  return {
    type: places.every(({ isFound }) => isFound) ? 'passed' : 'missed',
    outcome: { ...(best <= results.length && { rank: best }), found, places },
    ...{ results, given },
  };
}

async function explainPlaces(
  { tested, datasets, matcher }: TestSetting,
  question: TestQuestion,
  { outcome, results }: SearchedPlaces,
  signal: AbortSignal,
): Promise<PlaceOutcome[]> {
  const datasetIds = datasets.map(({ id }) => id);
  const deeper = await tested.knowledge
    .search({ datasetIds, query: question.text, topK: mostResults }, signal)
    .catch((error: unknown) => {
      signal.throwIfAborted();
      tested.log.warn(`A knowledge test found no more results: ${messageOf(error)}`);
      return { results };
    });
  const places: PlaceOutcome[] = [];
  for (const each of outcome.places) {
    const { place, isFound, rank } = each;
    if (isFound) {
      places.push(each);
      continue;
    }
    const deep = rank ?? (await rankOf(place, deeper.results, matcher));
    const result = deep === undefined ? undefined : (rank ? results : deeper.results)[deep - 1];
    const explanation = result
      ? l10n.t(
          '{0} should match. It is result {1}.',
          nameSegment(await nameResult(result, deep!, matcher)),
          deep!,
        )
      : await explainMissing(tested, datasets, place, matcher, signal);
    places.push({ place, isFound: false, explanation, ...(deep !== undefined && { rank: deep }) });
  }
  return places;
}

async function checkAnswer(
  answers: Answers,
  { text, answer: words }: TestQuestion,
  given: readonly SearchResult[],
  signal: AbortSignal,
): Promise<AnswerOutcome | SwitchboardError> {
  if ('skipped' in answers) return { type: 'skipped', reason: answers.skipped };
  try {
    const answer = await answers.ask(text, given, signal);
    return { type: 'checked', text: answer, missing: missingWords(answer, words) };
  } catch (error) {
    signal.throwIfAborted();
    return toSwitchboardError(error);
  }
}

export function nameSegment({ document, lines, position }: Omit<FoundSegment, 'rank'>): string {
  const name = inline(document);
  if (lines) return `${name}:${namedLines(lines)}`;
  return position === undefined ? name : l10n.t('{0}, segment {1}', name, position);
}

export function namedLines({ startLine, endLine }: LineRange): string {
  return startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
}

export function namedPlace({ file, lines, words }: ExpectedPlace): string {
  const quoted = words.map((each) => `"${inline(each, 60)}"`).join(', ');
  return `${inline(file)}${lines ? `:${namedLines(lines)}` : ''}${quoted && ` ${quoted}`}`;
}

async function rankOf(
  place: ExpectedPlace,
  results: readonly SearchResult[],
  matcher: PlaceMatcher,
): Promise<number | undefined> {
  for (const [index, result] of results.entries()) {
    if (await matcher.isMatch(place, result)) return index + 1;
  }
  return undefined;
}

async function nameResult(
  { documentName, origin, position, content }: SearchResult,
  rank: number,
  matcher: PlaceMatcher,
): Promise<FoundSegment> {
  const lines = origin && (await matcher.linesOf(origin.path, content));
  const document = origin?.path ?? documentName;
  return { rank, document, ...(position !== undefined && { position }), ...(lines && { lines }) };
}

/** Lines that can't be compared are a mistake of the test, not of the search. */
async function linesProblem(place: ExpectedPlace, matcher: PlaceMatcher): Promise<string | undefined> {
  if (!place.lines) return undefined;
  const text = await matcher.textOf(place);
  const file = inline(place.file);
  if (text === undefined) {
    return l10n.t("{0} isn't a readable text file here, so its lines are unknown. Use words instead.", file);
  }
  const count = text.split(/\r\n|\r|\n/).length;
  return place.lines.endLine <= count
    ? undefined
    : plural(
        count,
        l10n.t('{0} has only 1 line.', file),
        l10n.t('{0} has only {1} lines.', file, formatNumber(count)),
      );
}
