import { alignToCharacter, defaultLimits, truncateText } from '../truncate.ts';
import type { NumberOf, SegmentAnswer } from './searchBases.ts';
import {
  keyOf,
  longestKeptContent,
  type Findings,
  type FoundSegment,
  type KnowledgeBase,
  type Source,
} from './source.ts';

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
  const byKey = new Map(segments.map((segment) => [keyOf(segment), segment.content]));
  const share = Math.max(1, sources.length);
  const limits = {
    maxLines: Math.max(1, Math.floor(defaultLimits.maxLines / share)),
    maxBytes: Math.floor(defaultLimits.maxBytes / share),
  };
  const parts = sources.map((source) => {
    const content = byKey.get(keyOf(source)) ?? source.content;
    return `${headOf(source)}\n${truncateText(withoutHeads(content.trim()), 'Search for it to read more.', limits)}`;
  });
  const notes = failures.map(({ name, why }) => `[${quoted(name)} could not be searched: ${why}]`);
  if (cutQuery !== undefined) notes.push(`[The query was too long and was cut to: ${oneLine(cutQuery)}]`);
  if (sources.length === 0) parts.push(nothing(query, searched));
  return [...parts, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

function nothing(query: string, searched: readonly string[]): string {
  if (searched.length === 0) return 'No knowledge base could be searched. Tell the user so.';
  return (
    `Nothing was found for ${JSON.stringify(oneLine(query))} in ${searched.map(quoted).join(', ')}. ` +
    'Other words, fewer and more general ones, may find something. If nothing does, say that the knowledge bases hold nothing on it.'
  );
}

function headOf({ n, documentName, datasetName, score }: Source): string {
  const facts = [`knowledge base ${quoted(datasetName)}`, ...(score === undefined ? [] : [scoreOf(score)])];
  return `[${n}] ${oneLine(documentName)} (${facts.join(', ')})`;
}

function scoreOf(score: number): string {
  return `score ${score.toFixed(2)}`;
}

/** A segment may hold what looks like the head of another one, by chance or to pass for it. */
function withoutHeads(content: string): string {
  return content.replace(/^\[(?=\d+\])/gm, '\\[');
}

const longestName = 120;

/** A name from a server, where it must not break out of the line it stands in. */
export function quoted(name: string): string {
  return JSON.stringify(oneLine(name));
}

/** A text of a server's in one line of bounded length. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > longestName ? `${line.slice(0, alignToCharacter(line, longestName))}…` : line;
}
