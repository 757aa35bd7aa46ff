import { createHash } from 'node:crypto';
import { messageOf } from '../base/messageOf.ts';
import { documentName, type DocumentOrigin } from './documentName.ts';
import { excludedPaths } from './excludedPaths.ts';
import { inspectFile, inspectText } from './inspectFile.ts';
import type { KnowledgeOptions } from './knowledgeOptions.ts';
import {
  excludedObjection,
  type LeftOut,
  type Objection,
  refusedObjection,
  sizeObjection,
  typeObjection,
} from './leftOut.ts';
import type { LocalFile, LocalFiles, RefusedFile } from './localFiles.ts';
import type { ManifestState } from './manifestState.ts';
import { mapInOrder } from './mapInOrder.ts';
import { uploadForm } from './uploadForm.ts';

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
  leftOut: LeftOut[];
}

/** Files are read so many at a time. */
const readers = 8;
/** A file that was changed so shortly before it was sent may have been changed again within its time's precision. */
const timePrecisionMs = 2000;

type Judged = Candidate | LeftOut;

/**
 * Looks at all that the targets hold: what can be sent, and what is left out and why. A file whose size and time
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
  const leftOut = new Map<string, LeftOut>();
  const judge = (found: Found): Promise<Judged> => {
    signal.throwIfAborted();
    const { file } = found;
    const leave = (objection: Objection): LeftOut => ({ path: file.path, ...objection });
    if ('refusal' in file) return Promise.resolve(leave(refusedObjection(file)));
    if (isExcluded(file.path)) return Promise.resolve(leave(excludedObjection()));
    return judgeFile(files, options, state, found.target, file, signal).then((judged) =>
      'reason' in judged ? leave(judged) : judged,
    );
  };
  for await (const judged of mapInOrder(foundIn(files, targets, signal), readers, judge)) {
    onLooked();
    if ('reason' in judged) leftOut.set(judged.path, judged);
    else if (!byName.has(judged.name)) byName.set(judged.name, judged);
  }
  return { candidates: [...byName.values()], leftOut: [...leftOut.values()] };
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
): Promise<Candidate | Objection> {
  const { maxFileSizeBytes } = options;
  const workspace = files.workspaceName(target.path);
  if (target.type === 'selection') {
    const { text, startLine: start, endLine: end } = target;
    const bytes = Buffer.byteLength(text);
    const objection = sizeObjection(bytes, maxFileSizeBytes) ?? inspectText(text);
    if (objection) return objection;
    const origin = { path, lines: { start, end } };
    return {
      origin,
      name: documentName({ workspace, origin, how: 'text' }),
      how: 'text',
      source: { type: 'selection', realPath, size: bytes, text, hash: hashOfText(text) },
      isUnsaved: false,
    };
  }

  const objection = sizeObjection(size, maxFileSizeBytes);
  if (objection) return objection;
  const { how } = uploadForm(path);
  if (how === 'none') return typeObjection();
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
  if ('refusal' in file) return refusedObjection(file);
  try {
    return await inspectFile(files, file, realPath, maxBytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    return {
      reason: 'unreadable',
      sentence: messageOf(error),
    } as const;
  } finally {
    await file.close();
  }
}

export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
