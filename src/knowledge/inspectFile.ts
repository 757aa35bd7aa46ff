import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { SecretScan } from '../base/secrets/secretScan.ts';
import { binaryReason, secretReason, sizeReason, type SkipReason } from './skippedFile.ts';
import type { LocalFiles, OpenLocalFile } from './localFiles.ts';
import { uploadMethod } from './uploadMethod.ts';

/** What a file holds; the hash is SHA-256 of its bytes. */
export interface FileContent {
  size: number;
  mtimeMs: number;
  hash: string;
}

/** At a time: short strings are gone again before they pile up. */
const scannedBytes = 32_768;
/** As much as tells text from anything else. */
const headBytes = 8192;

/** Reads a file once from end to end, holding a piece at a time. */
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

/** Looks for secrets in a text that is there as a whole. */
export function inspectText(text: string): SkipReason | undefined {
  const scan = new SecretScan();
  scan.push(text);
  const secret = scan.end();
  return secret && secretReason(secret);
}

export async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array, void, void> {
  for await (const piece of stream) yield piece as Uint8Array;
}

/** Secrets are ASCII, which every encoding in use writes as it is, but for UTF-16, which puts zeros in between. */
function asciiOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
