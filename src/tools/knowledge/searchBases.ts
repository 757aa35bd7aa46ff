import { isCancelled, SwitchboardError } from '../../base/errors.ts';
import { toSwitchboardError } from '../../base/toSwitchboardError.ts';
import { findings, findingsText } from './findings.ts';
import type { Findings, FoundSegment, KnowledgeBase } from './source.ts';

export interface SegmentQuery {
  query: string;
  datasetIds: readonly string[];
  /** How many segments in all. */
  topK: number;
}

export interface SegmentAnswer {
  /** Best first. */
  segments: readonly FoundSegment[];
  failures: readonly { datasetId: string; error: SwitchboardError }[];
  /** What was searched for, where the query was longer than the server accepts. */
  cutQuery?: string | undefined;
}

/**
 * Searches knowledge bases of the connected platform. One that fails is named and not fatal; without a platform it
 * throws a `SwitchboardError`. Met in `src/host`.
 */
export type SearchSegments = (query: SegmentQuery, signal: AbortSignal) => Promise<SegmentAnswer>;

/** Gives each segment the number by which it is cited in the conversation. */
export type NumberOf = (segment: FoundSegment) => number;

/** What a search came to, with the text that a model reads of it. */
export interface SearchReport {
  text: string;
  findings: Findings;
}

/** Asks the bases and tells it as a model reads it. Only an abort is thrown. */
export async function searchBases(
  search: SearchSegments,
  numberOf: NumberOf,
  { query, bases, topK }: { query: string; bases: readonly KnowledgeBase[]; topK: number },
  signal: AbortSignal,
): Promise<SearchReport> {
  const datasetIds = bases.map(({ id }) => id);
  let answer: SegmentAnswer;
  try {
    answer = await search({ query, datasetIds, topK }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isCancelled(error)) throw error;
    const failure = toSwitchboardError(error);
    answer = { segments: [], failures: datasetIds.map((datasetId) => ({ datasetId, error: failure })) };
  }
  const found = findings(answer, bases, numberOf);
  return { text: findingsText(query, answer, found), findings: found };
}
