import * as z from 'zod/mini';
import type { Log } from '../base/log.ts';
import { redactSecrets } from '../base/secrets/redactSecrets.ts';
import { frame } from '../base/text/frame.ts';
import { oneLine } from '../base/text/oneLine.ts';
import { readFileTool } from '../tools/files/readFileTool.ts';
import { truncateText } from '../tools/files/truncate.ts';
import { longestName, searchBases } from '../tools/knowledge/searchBases.ts';
import { mostSegments } from '../tools/knowledge/searchKnowledgeTool.ts';
import { segmentKey } from '../tools/knowledge/segmentKey.ts';
import type { FoundSegment, KnowledgeBase, Source } from '../tools/knowledge/source.ts';
import type { GrantedFile } from '../tools/policy/verdict.ts';
import { ToolFailure } from '../tools/toolFailure.ts';
import type { ToolDependencies } from '../tools/toolDependencies.ts';
import type { ConnectedParts } from './connectedPlatform.ts';
import { type LineRange, locateSegment } from './files/locateSegment.ts';
import { readIndexedText } from './indexedText.ts';
import { createSearchSegments } from './searchKnowledge.ts';
import { SourceChecker } from './sources/sourceChecker.ts';

export const searchKnowledgeInput = z.object({
  query: z.string().check(z.minLength(1), z.maxLength(2_000)),
  knowledge_bases: z.optional(z.array(z.string())),
  top_k: z.optional(z.int().check(z.minimum(1), z.maximum(mostSegments))),
});
const positive = z.int().check(z.minimum(1));
export const readSourceInput = z.object({
  source: positive,
  start_line: z.optional(positive),
  end_line: z.optional(positive),
});

const context = 20;
const linesAtOnce = 200;
const mostSources = 1_000;

export interface FoundSourcesDependencies {
  knowledge(): Promise<Pick<ConnectedParts, 'client' | 'knowledge'> | undefined>;
  files(): Promise<ToolDependencies>;
  log: Log;
}

/** A file of the workspace that a source is from, which the file policy lets be read. */
export interface SourceFile {
  file: GrantedFile;
  lines: LineRange | undefined;
  isChanged: boolean;
}

export interface SourceReport {
  text: string;
  isError: boolean;
  files: readonly SourceFile[];
}

/** Searches by other programs, and their further reading of found sources; source numbers stay the same. */
export class FoundSources {
  private readonly segments = new Map<string, { n: number; segment: FoundSegment }>();
  private last = 0;

  constructor(private readonly deps: FoundSourcesDependencies) {}

  async search(
    asked: { query: string; bases: readonly KnowledgeBase[]; topK?: number | undefined },
    signal: AbortSignal,
  ): Promise<SourceReport> {
    const search = createSearchSegments(async () => (await this.deps.knowledge())?.knowledge);
    const files: SourceFile[] = [];
    const placesOf = async (sources: readonly Source[]) => {
      const places = new Map<number, string>();
      for (const source of sources) {
        const segment = this.find(source.n);
        const found = segment && (await this.fileOf(segment, segment.state));
        if (!found) continue;
        files.push(found);
        places.set(source.n, placeText(found));
      }
      return places;
    };
    const numberOf = (segment: FoundSegment) => this.numberOf(segment);
    const { text, findings } = await searchBases(search, numberOf, asked, signal, placesOf);
    return { text, isError: findings.searched.length === 0, files };
  }

  find(n: number): FoundSegment | undefined {
    return [...this.segments.values()].find((each) => each.n === n)?.segment;
  }

  async read(
    n: number,
    given: { startLine?: number | undefined; endLine?: number | undefined },
    signal: AbortSignal,
  ): Promise<SourceReport> {
    const source = this.find(n);
    if (!source) return { text: unknownSource(n), isError: true, files: [] };
    const found = await this.fileOf(source, undefined);
    const note = found?.isChanged ? [`[${found.file.shown} has changed since it was indexed.]`] : [];
    const files = found ? [found] : [];
    if (found?.lines) {
      const lines = rangeOf(given, found.lines);
      const text = await this.readFile(found.file, lines, signal);
      return { text: [framed(n, source, text, placeText(found)), ...note].join('\n'), isError: false, files };
    }
    const text = redactSecrets(await this.indexedText(source, signal));
    const shown = numbered(text, rangeOf(given, locateSegment(text, source.content)));
    if (found?.isChanged) note.push('[This is the indexed text, which is no longer in the file.]');
    return { text: [framed(n, source, shown), ...note].join('\n'), isError: false, files };
  }

  private numberOf(segment: FoundSegment): number {
    const key = segmentKey(segment);
    const n = this.segments.get(key)?.n ?? ++this.last;
    this.segments.delete(key);
    this.segments.set(key, { n, segment });
    const [oldest] = this.segments.keys();
    if (this.segments.size > mostSources && oldest !== undefined) this.segments.delete(oldest);
    return n;
  }

  private async fileOf(segment: FoundSegment, known: FoundSegment['state']): Promise<SourceFile | undefined> {
    if (!segment.origin) return undefined;
    const files = await this.deps.files();
    const verdict = await files.policy.check(segment.origin.path, 'read');
    if (!verdict.isAllowed) return undefined;
    const [state] = known ? [known] : await new SourceChecker({ files, log: this.deps.log }).check([segment]);
    if (!state || state.type === 'gone') return undefined;
    return { file: verdict, lines: state.lines, isChanged: state.type === 'changed' };
  }

  private async readFile(file: GrantedFile, lines: LineRange, signal: AbortSignal): Promise<string> {
    const { shown: path } = file;
    const bound = readFileTool(await this.deps.files()).bind({ path, ...lines });
    if ('problem' in bound) throw new ToolFailure(bound.problem);
    return (await bound.run({ signal })).content;
  }

  /** Some knowledge bases don't list their segments; then only the found one is available. */
  private async indexedText(source: FoundSegment, signal: AbortSignal): Promise<string> {
    const parts = await this.deps.knowledge();
    const { datasetId, documentId, content } = source;
    if (!parts || parts.knowledge.bases.isAgent(datasetId)) return content;
    return readIndexedText(parts.client, { datasetId, documentId }, signal);
  }
}

export function placeText({ file, lines }: SourceFile): string {
  if (!lines) return file.shown;
  const { startLine, endLine } = lines;
  return `${file.shown}:${startLine}${endLine > startLine ? `-${endLine}` : ''}`;
}

function rangeOf(
  { startLine, endLine }: { startLine?: number | undefined; endLine?: number | undefined },
  found: LineRange = { startLine: 1, endLine: 1 },
): LineRange {
  if (startLine !== undefined) {
    return { startLine, endLine: Math.max(startLine, endLine ?? startLine + linesAtOnce - 1) };
  }
  const start = Math.max(1, Math.min(found.startLine - context, endLine ?? Infinity));
  return { startLine: start, endLine: Math.max(start, endLine ?? found.endLine + context) };
}

function numbered(text: string, { startLine, endLine }: LineRange): string {
  const all = text.split('\n');
  const lines = all.slice(startLine - 1, endLine).map((line, index) => `${startLine + index}\t${line}`);
  const head = `Lines ${startLine} to ${Math.min(endLine, all.length)} of ${all.length}`;
  if (lines.length === 0) return `The text has ${all.length} lines. Choose a smaller start_line.`;
  return truncateText([head, ...lines].join('\n'), 'Read on with start_line.');
}

function framed(n: number, source: FoundSegment, body: string, place?: string): string {
  return frame({
    kind: 'source',
    facts: {
      cite: `[${n}]`,
      document: oneLine(source.documentName, longestName),
      ...(place !== undefined && { file: place }),
      'knowledge-base': oneLine(source.datasetName, longestName),
    },
    body,
  });
}

export function unknownSource(n: number): string {
  return `There is no source [${n}] in this session. Search again, and use a number of that result.`;
}
