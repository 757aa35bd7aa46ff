import { frame } from '../../base/frame.ts';
import { oneLine } from '../../base/oneLine.ts';
import { redactSecrets } from '../../base/secrets/redact.ts';
import { alignToCharacter, defaultLimits, truncateText } from '../truncate.ts';
import type { NumberOf, SegmentAnswer } from './searchBases.ts';
import {
  longestKeptContent,
  type Findings,
  type FoundSegment,
  type KnowledgeBase,
  type Source,
} from './source.ts';
import { segmentKey } from './segmentKey.ts';

/** The segments with their numbers, in order, and which bases answered. A segment found twice is there once. */
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
    ...{ n, datasetId, datasetName, documentId, documentName, segmentId, content: kept },
    ...(position !== undefined && { position }),
    ...(score !== undefined && { score }),
    ...(origin && { origin }),
  };
}

/** A search as a model reads it: the numbered segments, then what could not be searched. */
export function findingsText(query: string, { segments, cutQuery }: SegmentAnswer, found: Findings): string {
  const { sources, searched, failures } = found;
  const byKey = new Map(segments.map((segment) => [segmentKey(segment), segment.content]));
  const share = Math.max(1, sources.length);
  const limits = {
    maxLines: Math.max(1, Math.floor(defaultLimits.maxLines / share)),
    maxBytes: Math.floor(defaultLimits.maxBytes / share),
  };
  const parts = sources.map((source) => {
    const content = redactSecrets((byKey.get(segmentKey(source)) ?? source.content).trim());
    const body = truncateText(content, 'Search for it to read more.', limits);
    return frame({ kind: 'segment', facts: factsOf(source), body });
  });
  const notes = failures.map(
    ({ name, why }) => `[${quoted(name)} could not be searched: ${oneLine(why, longestReason)}]`,
  );
  if (cutQuery !== undefined)
    notes.push(`[The query was too long and was cut to: ${oneLine(cutQuery, longestName)}]`);
  if (sources.length === 0) parts.push(nothing(query, searched));
  return [...parts, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

function nothing(query: string, searched: readonly string[]): string {
  if (searched.length === 0) return 'No knowledge base could be searched. Tell the user so.';
  return (
    `Nothing was found for ${quoted(query)} in ${searched.map(quoted).join(', ')}. ` +
    'Other words, fewer and more general ones, may find something. If nothing does, say that the knowledge bases hold nothing on it.'
  );
}

/** What the model cites it by, and where it is from. */
function factsOf({ n, documentName, datasetName, score }: Source): Record<string, string> {
  return {
    cite: `[${n}]`,
    document: oneLine(documentName, longestName),
    'knowledge-base': oneLine(datasetName, longestName),
    ...(score !== undefined && { score: score.toFixed(2) }),
  };
}

export const longestName = 120;
const longestReason = 400;

/** A name from a server, where it must not break out of the line it stands in. */
export function quoted(name: string): string {
  return JSON.stringify(oneLine(name, longestName));
}
