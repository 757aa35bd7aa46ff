import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { SecretScan } from '../../base/secrets/secretScan.ts';
import { binaryReason, secretReason, sizeReason, type SkipReason } from './skippedFile.ts';
import type { LocalFiles, OpenLocalFile } from '../files/localFiles.ts';

export type UploadMethod =
  | { how: 'file'; isText: boolean }
  | { how: 'text' }
  /** Only platforms with another reader accept it. */
  | { how: 'none' };

/** Extensions of the platform's default reader. Source: platform-api.md 7.3. */
const readableText = new Set(['txt', 'markdown', 'md', 'mdx', 'html', 'htm', 'csv', 'vtt', 'properties']);
const readableBinary = new Set(['pdf', 'xls', 'xlsx', 'docx']);

const unread = new Set(['doc', 'dot', 'ppt', 'pptx', 'msg', 'epub', 'odt', 'ods', 'odp', 'rtf', 'pages']);

export function uploadMethod(path: string): UploadMethod {
  const extension = /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (readableText.has(extension)) return { how: 'file', isText: true };
  if (readableBinary.has(extension)) return { how: 'file', isText: false };
  return unread.has(extension) ? { how: 'none' } : { how: 'text' };
}

export interface FileContent {
  size: number;
  mtimeMs: number;
  hash: string;
}

/** Short strings are collected before they pile up. */
const scannedBytes = 32_768;
const headBytes = 8192;

export async function inspectFile(
  files: Pick<LocalFiles, 'decode'>,
  file: OpenLocalFile,
  realPath: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FileContent | SkipReason> {
  const { size, mtimeMs } = file;
  const sizeProblem = sizeReason(size, maxBytes);
  if (sizeProblem) return sizeProblem;
  const method = uploadMethod(realPath);
  if (method.how === 'text' && files.decode(await file.head(headBytes), realPath) === undefined) {
    return binaryReason();
  }
  const hash = createHash('sha256');
  const scan =
    method.how === 'text' || (method.how === 'file' && method.isText) ? new SecretScan() : undefined;
  for await (const bytes of piecesOf(file.stream())) {
    signal.throwIfAborted();
    hash.update(bytes);
    if (!scan) continue;
    for (let at = 0; at < bytes.length; at += scannedBytes) {
      scan.push(asciiOf(bytes.subarray(at, at + scannedBytes)));
    }
    if (scan.found) return secretReason(scan.found);
  }
  const secret = scan?.end();
  return secret ? secretReason(secret) : { size, mtimeMs, hash: hash.digest('hex') };
}

export function inspectText(text: string): SkipReason | undefined {
  const scan = new SecretScan();
  scan.push(text);
  const secret = scan.end();
  return secret && secretReason(secret);
}

export async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array, void, void> {
  for await (const piece of stream) yield piece as Uint8Array;
}

/** Secrets are ASCII, which all common encodings keep, except UTF-16, which adds NUL bytes. */
function asciiOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
