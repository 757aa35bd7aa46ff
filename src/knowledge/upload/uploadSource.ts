import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { withSlashes } from '../../base/files/safeFileName.ts';
import type { UploadFile } from '../../platform/documents/multipart.ts';
import type { Candidate } from './gatherSources.ts';
import { inspectFile, inspectText, piecesOf, type FileContent } from './inspectFile.ts';
import type { LocalFiles, OpenLocalFile } from '../files/localFiles.ts';
import { binaryReason, skipError, refusedReason, sizeReason } from './skippedFile.ts';
import { sha256 } from '../../base/sha256.ts';

export interface UploadSource {
  body: { type: 'text'; text: string } | { type: 'file'; file: UploadFile };
  /** Describes the sent bytes; valid before the first and after the last one. */
  content(): Omit<FileContent, 'mtimeMs'> & { mtimeMs?: number };
  close(): Promise<void>;
}

/** Opens a planned source. Throws if it changed and must not be sent; with `mustBeAsPlanned`, if it changed. */
export async function openUploadSource(
  files: LocalFiles,
  { name, how, source }: Pick<Candidate, 'name' | 'how' | 'source'>,
  maxBytes: number,
  signal: AbortSignal,
  mustBeAsPlanned = false,
): Promise<UploadSource> {
  if (source.type === 'selection') {
    const { text, hash, size } = source;
    return {
      body: { type: 'text', text },
      content: () => ({ hash, size }),
      close: () => Promise.resolve(),
    };
  }
  const { realPath } = source;
  const file = await files.open(realPath);
  if ('refusal' in file) throw skipError(refusedReason(file));
  try {
    const isAsPlanned = file.size === source.size && file.mtimeMs === source.mtimeMs;
    if (mustBeAsPlanned && !isAsPlanned) throw changedSincePlanned(name);
    if (how === 'text') return await textSource(files, file, source, maxBytes);
    const content = isAsPlanned ? source : await inspectFile(files, file, realPath, maxBytes, signal);
    if ('reason' in content) throw skipError(content);
    return fileSource(file, name, content);
  } catch (error) {
    await file.close();
    throw error;
  }
}

function changedSincePlanned(name: string): SwitchboardError {
  return new SwitchboardError('conflict', l10n.t('"{0}" has changed again.', withSlashes(name)));
}

async function textSource(
  files: LocalFiles,
  file: OpenLocalFile,
  { realPath, hash: plannedHash }: { realPath: string; hash: string },
  maxBytes: number,
): Promise<UploadSource> {
  const { size, mtimeMs } = file;
  const sizeProblem = sizeReason(size, maxBytes);
  if (sizeProblem) throw skipError(sizeProblem);
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOf(file.stream())) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const text = files.decode(bytes, realPath);
  if (text === undefined) throw skipError(binaryReason());
  const hash = sha256(bytes);
  // A byte order mark alone is no text.
  const skipReason =
    sizeReason(text.length, maxBytes) ?? (hash === plannedHash ? undefined : inspectText(text));
  if (skipReason) throw skipError(skipReason);
  return {
    body: { type: 'text', text },
    content: () => ({ hash, size, mtimeMs }),
    close: () => file.close(),
  };
}

function fileSource(file: OpenLocalFile, name: string, content: FileContent): UploadSource {
  const { size, mtimeMs } = content;
  let { hash } = content;
  async function* hashed() {
    const going = createHash('sha256');
    for await (const piece of piecesOf(file.stream())) {
      going.update(piece);
      yield piece;
    }
    hash = going.digest('hex');
  }
  return {
    body: {
      type: 'file',
      file: { name, size, open: () => Readable.from(hashed(), { objectMode: false }) },
    },
    content: () => ({ hash, size, mtimeMs }),
    close: () => file.close(),
  };
}
