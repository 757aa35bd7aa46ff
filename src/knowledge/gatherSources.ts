import { createHash } from 'node:crypto';
import { messageOf } from '../base/messageOf.ts';
import { documentName, type DocumentOrigin } from './documentName.ts';
import { excludedPaths } from './excludedPaths.ts';
import { inspectFile, inspectText } from './inspectFile.ts';
import type { KnowledgeOptions } from './knowledgeOptions.ts';
import {
  excludedReason,
  type SkippedFile,
  type SkipReason,
  refusedReason,
  sizeReason,
  typeReason,
} from './skippedFile.ts';
import type { LocalFile, LocalFiles, RefusedFile } from './localFiles.ts';
import type { ManifestState } from './manifestState.ts';
import { mapInOrder } from './mapInOrder.ts';
import { uploadMethod } from './uploadMethod.ts';

export type AddTarget =
  | { type: 'path'; path: string }
  /** `path` is absolute; `text` is what the editor shows. */
  | { type: 'selection'; path: string; startLine: number; endLine: number; text: string };

/** What is read when a document is sent, and what it was when the plan was made. */
export type PlannedSource =
  | { type: 'file'; realPath: string; size: number; mtimeMs: number; hash: string }
  | { type: 'selection'; realPath: string; size: number; text: string; hash: string };

/** A document that could be sent. */
export interface Candidate {
  origin: DocumentOrigin;
  name: string;
  how: 'file' | 'text';
  source: PlannedSource;
  isUnsaved: boolean;
}

export interface Gathered {
  /** Of one name each. */
  candidates: Candidate[];
  skipped: SkippedFile[];
}

/** Files are read so many at a time. */
const readers = 8;
/** A file that was changed so shortly before it was sent may have been changed again within its time's precision. */
const timePrecisionMs = 2000;

type Judged = Candidate | SkippedFile;

/**
 * Looks at all that the targets hold: what can be sent, and what is skipped and why. A file whose size and time
 * are those in the manifest is not opened.
 */
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
      source: { type: 'selection', realPath, size: bytes, text, hash: hashOfText(text) },
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

export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
