import { messageOf } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Source, SourceState } from '../../tools/knowledge/source.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { type LineRange, SegmentLocator } from '../files/locateSegment.ts';
import { sha256 } from '../../base/sha256.ts';

export type CheckedSource = Pick<Source, 'content' | 'origin'>;

type Origin = NonNullable<Source['origin']>;

type ReadFile =
  | { type: 'text'; file: GrantedFile; text: string; hash: string | undefined; locator: SegmentLocator }
  | { type: 'binary'; file: GrantedFile; hash: string | undefined };

export interface SourceCheckerDependencies {
  files: Pick<ToolDependencies, 'policy' | 'texts' | 'workspace'>;
  log: Log;
}

/** Tells whether sources are still what their files in this workspace say. Reads through the file policy. */
export class SourceChecker {
  constructor(private readonly deps: SourceCheckerDependencies) {}

  /** In the order of the sources. Undefined for those without a file here. Reads each file once. Never throws. */
  check(sources: readonly CheckedSource[]): Promise<(SourceState | undefined)[]> {
    const files = this.reader();
    return Promise.all(sources.map((source) => this.stateOf(source, files)));
  }

  async annotate<T extends CheckedSource>(
    results: readonly T[],
    signal: AbortSignal,
  ): Promise<(T & { state?: SourceState })[]> {
    const files = this.reader();
    return Promise.all(
      results.map(async (result) => {
        const segmentLines = await this.linesBefore(result, files, signal);
        const origin = result.origin && { ...result.origin, ...(segmentLines && { segmentLines }) };
        const annotated = { ...result, ...(origin && { origin }) };
        const state = await this.stateOf(annotated, files);
        return { ...annotated, ...(state && { state }) };
      }),
    );
  }

  /** The file as it was indexed, from its commit. Undefined without one, or if Git no longer has it. */
  async indexedText(origin: Origin, signal: AbortSignal): Promise<string | undefined> {
    const file = await this.reader()(origin.path);
    return file && file !== 'gone' ? this.committedText(origin, file.file, signal) : undefined;
  }

  private reader(): (path: string) => Promise<ReadFile | 'gone' | undefined> {
    const run = this.deps.files.policy.start();
    const files = new Map<string, Promise<ReadFile | 'gone' | undefined>>();
    const read = async (path: string) => {
      const verdict = await run.check(path, 'read');
      if (verdict.isAllowed) return this.read(verdict);
      return verdict.reason === 'not-found' || verdict.reason === 'not-a-file' ? 'gone' : undefined;
    };
    return (path) => {
      let file = files.get(path);
      if (!file) files.set(path, (file = read(path)));
      return file;
    };
  }

  private async read(file: GrantedFile): Promise<ReadFile | undefined> {
    try {
      const { text, hash } = await this.deps.files.texts.readHashed(file);
      if (text === undefined) return { type: 'binary', file, hash };
      return { type: 'text', file, text, hash, locator: new SegmentLocator(text) };
    } catch (error) {
      // Large, blocked or unreadable: nothing is claimed.
      this.deps.log.debug(`A source's file was not checked: ${messageOf(error)}`);
      return undefined;
    }
  }

  private async stateOf(
    { content, origin }: CheckedSource,
    files: ReturnType<SourceChecker['reader']>,
  ): Promise<SourceState | undefined> {
    const file = origin && (await files(origin.path));
    if (!file) return undefined;
    if (file === 'gone') return { type: 'gone' };
    const { start, end } = origin.segmentLines ?? origin.lines ?? {};
    const lines = start === undefined || end === undefined ? undefined : { startLine: start, endLine: end };
    return sourceState(
      { content, path: origin.path, lines },
      {
        locator: file.type === 'text' ? file.locator : undefined,
        isAsIndexed: matchesIndexed(origin, file),
      },
    );
  }

  private async linesBefore(
    { content, origin }: CheckedSource,
    files: ReturnType<SourceChecker['reader']>,
    signal: AbortSignal,
  ): Promise<Origin['segmentLines']> {
    const file = origin && (await files(origin.path));
    if (!file || file === 'gone' || file.type === 'binary') return undefined;
    const text = matchesIndexed(origin, file)
      ? file.text
      : await this.committedText(origin, file.file, signal);
    if (text === undefined) return undefined;
    const lines = sourceState(
      { content, path: origin.path, lines: undefined },
      { locator: text === file.text ? file.locator : new SegmentLocator(text), isAsIndexed: true },
    );
    return lines?.type === 'current' && lines.lines
      ? { start: lines.lines.startLine, end: lines.lines.endLine }
      : undefined;
  }

  private async committedText(
    { commit, hash, lines }: Origin,
    { realPath }: GrantedFile,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (commit === undefined || lines) return undefined;
    const bytes = await this.deps.files.workspace.sourceControl
      .readAt(realPath, commit, signal)
      .catch((error: unknown) => {
        signal.throwIfAborted();
        this.deps.log.debug(`Git could not read an indexed file: ${messageOf(error)}`);
        return undefined;
      });
    if (!bytes) return undefined;
    const text = this.deps.files.texts.decode(realPath, bytes);
    const isSame = text !== undefined && (sha256(bytes) === hash || sha256(withCrLf(bytes)) === hash);
    return isSame ? text : undefined;
  }
}

function matchesIndexed({ lines, hash }: Origin, file: ReadFile): boolean | undefined {
  if (hash === undefined) return undefined;
  if (!lines) return file.hash === hash;
  if (file.type === 'binary') return undefined;
  const selected = file.text.split(/(?<=\r\n|\r(?!\n)|\n)/).slice(lines.start - 1, lines.end);
  const text = selected.join('').replace(/(?:\r\n|\r|\n)$/, '');
  return [text, text.replace(/\r\n|\r/g, '\n')].some((each) => sha256(each) === hash);
}

function withCrLf(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

interface IndexedSegment {
  content: string;
  path: string;
  lines?: LineRange | undefined;
}

interface CurrentFile {
  locator: SegmentLocator | undefined;
  /** True if the file, or the selection, is what was indexed; undefined if unknown. */
  isAsIndexed: boolean | undefined;
}

export function currentText(text: string, isAsIndexed?: boolean): CurrentFile {
  return { locator: new SegmentLocator(text), isAsIndexed };
}

/** Undefined if nothing can be said. Platforms clean texts: missing words are no change in a file as indexed. */
export function sourceState(
  { content, path, lines: before }: IndexedSegment,
  current: CurrentFile | 'gone',
): SourceState | undefined {
  if (current === 'gone') return { type: 'gone' };
  const { locator, isAsIndexed } = current;
  if (!locator) return isAsIndexed === undefined ? undefined : { type: isAsIndexed ? 'current' : 'changed' };
  if (content.trim() === '') return { type: 'current' };
  const found = locator.find(content, {
    near: before?.startLine,
    isMarkdown: /\.(md|mdx|markdown)$/i.test(path),
  });
  if (!found) return { type: isAsIndexed ? 'current' : 'changed' };
  const { lines, isWhole } = found;
  if (isAsIndexed) return { type: 'current', lines };
  if (!isWhole) return { type: 'changed', lines };
  const isInPlace = !before || (before.startLine <= lines.startLine && lines.endLine <= before.endLine);
  return { type: isInPlace ? 'current' : 'moved', lines };
}
