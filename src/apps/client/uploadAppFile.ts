import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { SwitchboardError } from '../../base/errors.ts';
import { formatSize, formatSizeOver } from '../../base/format.ts';
import { type FileType, fileTypeOf } from '../../platform/fileTypes.ts';
import { toMultipart } from '../../platform/multipart.ts';
import type { Caller } from '../../platform/platformCall.ts';
import type { UploadFile } from '../../platform/platformClient.ts';
import { id } from '../../platform/wire.ts';
import type { MaxBytes } from '../app.ts';
import { number, text } from './appWire.ts';

/** A file that the platform keeps for this user, to be named in a message or a form. */
export interface UploadedFile {
  uploadFileId: string;
  type: FileType;
  name: string;
  /** Bytes. */
  size: number;
}

/**
 * `POST /files/upload`, streamed. `maxBytes` are the limits to name when the file is too large: some servers forget
 * to say them. Source: platform-api.md 6.
 */
export async function uploadAppFile(
  caller: Caller,
  user: string,
  file: UploadFile,
  maxBytes: MaxBytes,
  signal: AbortSignal,
  onProgress?: (sentBytes: number) => void,
): Promise<UploadedFile> {
  // Without its user the file would belong to nobody, and no message of ours could use it.
  const form = toMultipart([{ name: 'user', value: user }], file, onProgress);
  const type = fileTypeOf(file.name);
  try {
    return await caller.ask({ method: 'POST', path: '/files/upload', form }, reader(file, type), signal);
  } catch (error) {
    throw error instanceof SwitchboardError && error.code === 'too-large'
      ? tooLarge(error, file, maxBytes[type])
      : error;
  }
}

const uploadedSchema = z.object({ id, name: text, size: number });

function reader(file: UploadFile, type: FileType): (json: unknown) => UploadedFile | undefined {
  return (json) => {
    const { data: wire } = uploadedSchema.safeParse(json);
    return (
      wire && { uploadFileId: wire.id, type, name: wire.name ?? file.name, size: wire.size ?? file.size }
    );
  };
}

function tooLarge(
  { why, address, status, cause }: SwitchboardError,
  { name, size }: UploadFile,
  limit: number,
): SwitchboardError {
  return new SwitchboardError(
    'too-large',
    l10n.t(
      '"{0}" is too large ({1}). Maximum for this file type: {2}.',
      name,
      formatSizeOver(size, limit),
      formatSize(limit),
    ),
    // Some versions send their message without having filled it in.
    { ...(why && !/\{\w+\}/.test(why) && { why }), address, status, cause },
  );
}
