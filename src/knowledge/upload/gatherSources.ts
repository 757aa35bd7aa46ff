import { globTest, globProblem } from '../../base/files/matchGlob.ts';
import { messageOf } from '../../base/errors/errors.ts';
import { documentName, type DocumentOrigin } from '../files/documentName.ts';
import { inspectFile, inspectText, uploadMethod } from './inspectFile.ts';
import type { KnowledgeOptions } from '../indexing/indexingSettings.ts';
import {
  excludedReason,
  type SkippedFile,
  type SkipReason,
  refusedReason,
  sizeReason,
  typeReason,
} from './skippedFile.ts';
import type { LocalFile, LocalFiles, RefusedFile } from '../files/localFiles.ts';
import type { ManifestState } from '../manifest/manifestState.ts';
import { sha256 } from '../../base/sha256.ts';

export type AddTarget =
  | { type: 'path'; path: string }
  | { type: 'selection'; path: string; startLine: number; endLine: number; text: string };

export type PlannedSource =
  | { type: 'file'; realPath: string; size: number; mtimeMs: number; hash: string }
  | { type: 'selection'; realPath: string; size: number; text: string; hash: string };

export interface Candidate {
  origin: DocumentOrigin;
  name: string;
  how: 'file' | 'text';
  source: PlannedSource;
  isUnsaved: boolean;
}

export interface Gathered {
  candidates: Candidate[];
  skipped: SkippedFile[];
}

const readers = 8;
/** A change this shortly before the upload may be followed by one with the same file time. */
const timePrecisionMs = 2000;

type Judged = Candidate | SkippedFile;

/** Collects the targets' files, and why others are skipped. Unchanged ones (by size and time) stay closed. */
export async function gatherSources(
  files: LocalFiles,
  options: KnowledgeOptions,
  state: ManifestState,
  targets: readonly AddTarget[],
  signal: AbortSignal,
  onLooked: () => void,
): Promise<Gathered> {
  const isExcluded = excludedPaths(options.exclude);
  const byName = new Map<string, Candidate>();
  const skipped = new Map<string, SkippedFile>();
  const judge = (found: Found): Promise<Judged> => {
    signal.throwIfAborted();
    const { file } = found;
    const leave = (skipReason: SkipReason): SkippedFile => ({ path: file.path, ...skipReason });
    if ('refusal' in file) return Promise.resolve(leave(refusedReason(file)));
    if (isExcluded(file.path)) return Promise.resolve(leave(excludedReason()));
    return judgeFile(files, options, state, found.target, file, signal).then((judged) =>
      'reason' in judged ? leave(judged) : judged,
    );
  };
  for await (const judged of mapInOrder(foundIn(files, targets, signal), readers, judge)) {
    onLooked();
    if ('reason' in judged) skipped.set(judged.path, judged);
    else if (!byName.has(judged.name)) byName.set(judged.name, judged);
  }
  return { candidates: [...byName.values()], skipped: [...skipped.values()] };
}

interface Found {
  target: AddTarget;
  file: LocalFile | RefusedFile;
}

async function* foundIn(
  files: LocalFiles,
  targets: readonly AddTarget[],
  signal: AbortSignal,
): AsyncGenerator<Found, void, void> {
  for (const target of targets) {
    if (target.type === 'selection') yield { target, file: await files.check(target.path) };
    else for await (const file of files.walk(target.path, signal)) yield { target, file };
  }
}

async function judgeFile(
  files: LocalFiles,
  options: KnowledgeOptions,
  state: ManifestState,
  target: AddTarget,
  { path, realPath, size, mtimeMs, isUnsaved }: LocalFile,
  signal: AbortSignal,
): Promise<Candidate | SkipReason> {
  const { maxFileSizeBytes } = options;
  const workspace = files.workspaceName(target.path);
  if (target.type === 'selection') {
    const { text, startLine: start, endLine: end } = target;
    const bytes = Buffer.byteLength(text);
    const skipReason = sizeReason(bytes, maxFileSizeBytes) ?? inspectText(text);
    if (skipReason) return skipReason;
    const origin = { path, lines: { start, end } };
    return {
      origin,
      name: documentName({ workspace, origin, how: 'text' }),
      how: 'text',
      source: { type: 'selection', realPath, size: bytes, text, hash: sha256(text) },
      isUnsaved: false,
    };
  }

  const skipReason = sizeReason(size, maxFileSizeBytes);
  if (skipReason) return skipReason;
  const { how } = uploadMethod(path);
  if (how === 'none') return typeReason();
  const origin = { path };
  const name = documentName({ workspace, origin, how });
  const candidate = { origin, name, how, isUnsaved };
  const known = state.documents.get(name);
  if (known?.size === size && known.mtimeMs === mtimeMs && mtimeMs + timePrecisionMs <= known.at) {
    return { ...candidate, source: { type: 'file', realPath, size, mtimeMs, hash: known.hash } };
  }
  const content = await read(files, realPath, maxFileSizeBytes, signal);
  return 'reason' in content ? content : { ...candidate, source: { type: 'file', realPath, ...content } };
}

async function read(files: LocalFiles, realPath: string, maxBytes: number, signal: AbortSignal) {
  const file = await files.open(realPath);
  if ('refusal' in file) return refusedReason(file);
  try {
    return await inspectFile(files, file, realPath, maxBytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    return {
      reason: 'unreadable',
      message: messageOf(error),
    } as const;
  } finally {
    await file.close();
  }
}

async function* mapInOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const begun: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // It may fail before its turn, where the failure is thrown.
    void Promise.allSettled([result]);
    begun.push(result);
    const first = begun.length >= limit ? begun.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of begun) yield await result;
}

/** Tests `knowledge.exclude`: globs match the whole path or a folder above. An invalid glob excludes everything. */
export function excludedPaths(globs: readonly string[]): (path: string) => boolean {
  const tests = globs.map(pathTest);
  if (tests.length === 0) return () => false;
  const folders = new Map<string, boolean>();
  const isOut = (path: string): boolean => {
    const cut = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(0, cut));
    let isFolderOut = folders.get(folder);
    if (isFolderOut === undefined) {
      isFolderOut = folder !== '' && isOut(folder);
      folders.set(folder, isFolderOut);
    }
    return isFolderOut || tests.some((test) => test(path));
  };
  return isOut;
}

function pathTest(glob: string): (path: string) => boolean {
  if (globProblem(glob)) return () => true;
  // `*.log` and `build` match at any depth, like in an ignore file.
  const trimmed = glob.replace(/^\.?\/+/, '').replace(/\/+$/, '');
  return globTest(trimmed.includes('/') ? trimmed : `**/${trimmed}`);
}
