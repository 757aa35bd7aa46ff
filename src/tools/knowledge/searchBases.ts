import { longestKeptContent, segmentKey } from './segmentKey.ts';
import { isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import { frame } from '../../base/text/frame.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { alignToCharacter, defaultLimits, truncateText } from '../files/truncate.ts';
import {
  type Findings,
  type FoundSegment,
  type KnowledgeBase,
  type Source,
  type SourceState,
} from './source.ts';

/** Segments that a search gives unless the user set another number. */
export const defaultTopK = 6;

export interface SegmentQuery {
  query: string;
  datasetIds: readonly string[];
  topK?: number | undefined;
}

export interface SegmentAnswer {
  /** Best first. */
  segments: readonly FoundSegment[];
  failures: readonly { datasetId: string; error: SwitchboardError }[];
  cutQuery?: string | undefined;
}

/** Searches knowledge bases and reports those that fail; throws a `SwitchboardError` without a platform. */
export type SearchSegments = (query: SegmentQuery, signal: AbortSignal) => Promise<SegmentAnswer>;

export type NumberOf = (segment: FoundSegment) => number;

export type PlacesOf = (sources: readonly Source[]) => Promise<ReadonlyMap<number, string>>;

export interface SearchReport {
  text: string;
  findings: Findings;
}

export async function searchBases(
  search: SearchSegments,
  numberOf: NumberOf,
  { query, bases, topK }: { query: string; bases: readonly KnowledgeBase[]; topK?: number | undefined },
  signal: AbortSignal,
  placesOf: PlacesOf = async () => new Map(),
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
  const places = await placesOf(found.sources);
  return { text: findingsText(query, answer, found, places), findings: found };
}

export function findings(
  { segments, failures }: SegmentAnswer,
  bases: readonly KnowledgeBase[],
  numberOf: NumberOf,
): Findings {
  const byNumber = new Map<number, Source>();
  for (const segment of segments) {
    const source = toSource(segment, numberOf(segment));
    if (!byNumber.has(source.n)) byNumber.set(source.n, source);
  }
  const failed = new Map(failures.map(({ datasetId, error }) => [datasetId, error]));
  return {
    sources: [...byNumber.values()],
    searched: bases.filter(({ id }) => !failed.has(id)).map(({ name }) => name),
    failures: bases.flatMap(({ id, name }) => {
      const error = failed.get(id);
      return error ? [{ name, why: error.why ? `${error.message} ${error.why}` : error.message }] : [];
    }),
  };
}

function toSource(segment: FoundSegment, n: number): Source {
  const { datasetId, datasetName, documentId, documentName, segmentId, position, score, content, origin } =
    segment;
  const kept = content.slice(0, alignToCharacter(content, longestKeptContent));
  return {
    n,
    datasetId,
    datasetName,
    documentId,
    documentName,
    segmentId,
    content: kept,
    ...(position !== undefined && { position }),
    ...(score !== undefined && { score }),
    ...(origin && { origin }),
  };
}

export function findingsText(
  query: string,
  { segments, cutQuery }: SegmentAnswer,
  found: Findings,
  places: ReadonlyMap<number, string> = new Map(),
): string {
  const { sources, failures } = found;
  const byKey = new Map(segments.map((segment) => [segmentKey(segment), segment]));
  const share = Math.max(1, sources.length);
  const limits = {
    maxLines: Math.max(1, Math.floor(defaultLimits.maxLines / share)),
    maxBytes: Math.floor(defaultLimits.maxBytes / share),
  };
  const parts = sources.map((source) => {
    const segment = byKey.get(segmentKey(source));
    const content = redactSecrets((segment?.content ?? source.content).trim());
    const body = truncateText(content, 'Search for it to read more.', limits);
    const facts = { ...factsOf(source, places.get(source.n)), ...noteOf(source, segment?.state) };
    return frame({ kind: 'segment', facts, body });
  });
  const notes = failures.map(
    ({ name, why }) => `[${quoted(name)} could not be searched: ${oneLine(why, longestReason)}]`,
  );
  if (cutQuery !== undefined)
    notes.push(`[The query was too long and was cut to: ${oneLine(cutQuery, longestName)}]`);
  if (sources.length === 0) parts.push(nothing(query, found));
  return [...parts, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

function nothing(query: string, { searched, failures }: Findings): string {
  if (searched.length === 0) return 'No knowledge base could be searched. Tell the user so.';
  const where = `${quoted(query)} in ${searched.map(quoted).join(', ')}`;
  if (failures.length > 0) {
    return `No results for ${where}; the others could not be searched. Tell the user so, and do not say that they hold nothing on it.`;
  }
  return (
    `Nothing was found for ${where}. ` +
    'Other words, fewer and more general ones, may find something. If nothing does, say that the knowledge bases hold nothing on it.'
  );
}

function factsOf(
  { n, documentName, datasetName, score }: Source,
  place: string | undefined,
): Record<string, string> {
  return {
    cite: `[${n}]`,
    document: oneLine(documentName, longestName),
    ...(place !== undefined && { file: place }),
    'knowledge-base': oneLine(datasetName, longestName),
    ...(score !== undefined && { score: score.toFixed(2) }),
  };
}

/** Stays as it was sent, whatever happens to the file later: the start of requests must not change. */
function noteOf({ origin }: Source, state: SourceState | undefined): { note?: string } {
  if (!origin) return {};
  const path = JSON.stringify(oneLine(origin.path, longestPath));
  switch (state?.type) {
    case 'gone':
      return { note: `Its file ${path} no longer exists.` };
    case 'changed': {
      const { startLine, endLine } = state.lines ?? {};
      const left = startLine === undefined ? '' : `, in lines ${startLine} to ${endLine}`;
      return { note: `Changed since it was indexed: read ${path}${left} before you rely on it.` };
    }
    default:
      return {};
  }
}

export const longestName = 120;
const longestPath = 400;
const longestReason = 400;

/** A server's name, quoted so that it can't break out of its line. */
export function quoted(name: string): string {
  return JSON.stringify(oneLine(name, longestName));
}

export const knowledgeKind = 'knowledge';

export function groundingMessage(text: string): string {
  const body =
    'Found in the chosen knowledge bases for the question below. Cite what you use by its number in square brackets, ' +
    'like [1], right after the statement it supports; say so if nothing here answers the question.\n\n' +
    text;
  return frame({ kind: knowledgeKind, facts: {}, body });
}
