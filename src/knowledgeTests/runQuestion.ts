import * as l10n from '@vscode/l10n';
import { messageOf } from '../base/errors/errors.ts';
import { formatNumber, plural } from '../base/text/format.ts';
import { inline } from '../base/text/oneLine.ts';
import type { LineRange } from '../knowledge/files/locateSegment.ts';
import type { SearchResult } from '../knowledge/searchKnowledge.ts';
import type { Dataset } from '../platform/records.ts';
import { explainMissing } from './explainMissing.ts';
import type { PlaceMatcher } from './placeMatch.ts';
import { type ExpectedPlace, mostResults, type TestQuestion } from './testFile.ts';
import type { TestedKnowledge } from './testedKnowledge.ts';

/** A search result as a report names it. */
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
  /** The segment that should have matched, in words; absent if the place was found. */
  readonly explanation?: string;
}

export type QuestionOutcome =
  | {
      readonly type: 'passed' | 'missed';
      readonly places: readonly PlaceOutcome[];
      /** Rank of the first result that an expected place matches; undefined if none does. */
      readonly rank?: number;
      readonly found: readonly FoundSegment[];
    }
  | { readonly type: 'failed'; readonly message: string };

/** Results that hit@3 counts, however few must hold the places. */
const countedResults = 3;

/** Searches for a question and compares the results with its places. Throws only when aborted. */
export async function runQuestion(
  tested: TestedKnowledge,
  datasets: readonly Dataset[],
  question: TestQuestion,
  matcher: PlaceMatcher,
  signal: AbortSignal,
): Promise<QuestionOutcome> {
  if (question.problem) return { type: 'failed', message: question.problem };
  for (const place of question.places) {
    const problem = await linesProblem(place, matcher);
    if (problem) return { type: 'failed', message: problem };
  }
  const search = (topK: number) =>
    tested.knowledge.search({ datasetIds: datasets.map(({ id }) => id), query: question.text, topK }, signal);
  const { results, failures } = await search(Math.max(question.top, countedResults));
  const [failure] = failures;
  if (failure) return { type: 'failed', message: failure.error.message };
  const ranks = await Promise.all(question.places.map((place) => rankOf(place, results, matcher)));
  const isFound = (rank: number | undefined) => rank !== undefined && rank <= question.top;
  const best = Math.min(...ranks.map((rank) => rank ?? Infinity));
  const outcome = {
    ...(best <= results.length && { rank: best }),
    found: await Promise.all(
      results.slice(0, question.top).map((result, index) => nameResult(result, index + 1, matcher)),
    ),
  };
  if (ranks.every(isFound)) {
    const places = question.places.map((place, index) => ({ place, isFound: true, rank: ranks[index]! }));
    return { type: 'passed', ...outcome, places };
  }
  const deeper = await search(mostResults).catch((error: unknown) => {
    signal.throwIfAborted();
    tested.log.warn(`A knowledge test found no more results: ${messageOf(error)}`);
    return { results };
  });
  const places: PlaceOutcome[] = [];
  for (const [index, place] of question.places.entries()) {
    const rank = ranks[index];
    if (isFound(rank)) {
      places.push({ place, isFound: true, rank: rank! });
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
  return { type: 'missed', ...outcome, places };
}

/** `docs/guide.md:12-30`, or with the segment's number where the lines are unknown. */
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
