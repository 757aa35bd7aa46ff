import * as z from 'zod/mini';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { fileTypeOf } from '../../platform/documents/contentTypes.ts';
import { toMultipart, type UploadFile } from '../../platform/documents/multipart.ts';
import type { Caller } from '../../platform/platformCall.ts';
import { id } from '../../platform/platformWire.ts';
import type { MaxBytes } from '../app.ts';
import { tooLargeMessage } from './appFiles.ts';

/** `POST /files/upload`, or the path given. `maxBytes`: the limit that some servers omit from their error. Source: platform-api.md 6. */
export async function uploadAppFile(
  caller: Caller,
  user: string | undefined,
  file: UploadFile,
  maxBytes: MaxBytes,
  signal: AbortSignal,
  path = '/files/upload',
): Promise<string> {
  // Without a user the file would belong to nobody, and no message could use it.
  const form = toMultipart(user === undefined ? [] : [{ name: 'user', value: user }], file);
  try {
    return await caller.ask({ method: 'POST', path, form }, readId, signal);
  } catch (error) {
    throw error instanceof SwitchboardError && error.code === 'too-large'
      ? tooLarge(error, file, maxBytes[fileTypeOf(file.name)])
      : error;
  }
}

function readId(json: unknown): string | undefined {
  return z.object({ id }).safeParse(json).data?.id;
}

function tooLarge(
  { why, address, status, cause }: SwitchboardError,
  file: UploadFile,
  limit: number,
): SwitchboardError {
  // Some versions send their message with unfilled placeholders.
  const told = why && !/\{\w+\}/.test(why) ? { why } : {};
  return new SwitchboardError('too-large', tooLargeMessage(file, limit), { ...told, address, status, cause });
}
