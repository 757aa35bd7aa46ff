import { Readable } from 'node:stream';
import { SwitchboardError } from '../base/errors/errors.ts';
import type { AcceptedFiles, FileReference } from './app.ts';
import type { AppClient } from './client/appClient.ts';
import { type ChosenFile, sentType } from './fileChoice.ts';

/** Workspace files behind the file policy. */
export interface LocalFiles {
  open(realPath: string): Promise<OpenFile | { refusal: string }>;
}

interface OpenFile {
  size: number;
  stream(): Readable;
  close(): Promise<void>;
}

export interface FileWork {
  client: AppClient;
  files(): Promise<LocalFiles>;
  signal: AbortSignal;
  onUpload(name: string): void;
}

export async function toReference(
  file: ChosenFile,
  accepted: AcceptedFiles,
  work: FileWork,
): Promise<FileReference> {
  if (file.method === 'sent') return file.reference;
  const type = sentType(file, accepted) ?? 'custom';
  if (file.method === 'remote_url') return { type, method: 'remote_url', url: file.url };
  const { name, data, realPath = '' } = file;
  const uploadFileId =
    data === undefined
      ? await uploadFile(name, realPath, work)
      : await uploadBytes(name, Buffer.from(data, 'base64'), work);
  return { type, method: 'local_file', uploadFileId };
}

async function uploadBytes(name: string, bytes: Buffer, { client, signal, onUpload }: FileWork) {
  onUpload(name);
  const file = { name, size: bytes.length, open: () => Readable.from([bytes]) };
  return await client.upload(file, signal);
}

async function uploadFile(name: string, realPath: string, { client, files, signal, onUpload }: FileWork) {
  // Checked again: the file may have changed since it was chosen.
  const open = await (await files()).open(realPath);
  if ('refusal' in open) throw new SwitchboardError('local-file', open.refusal);
  try {
    onUpload(name);
    const file = { name, size: open.size, open: () => open.stream() };
    return await client.upload(file, signal);
  } finally {
    await open.close();
  }
}
