import * as l10n from '@vscode/l10n';
import { formatSize, formatSizeOver, megabyte } from '../../base/text/formatSize.ts';
import type { AppFile, FileReference, MaxBytes, OutputFile } from '../app.ts';

/** Limits in bytes for servers that report none. Source: platform-api.md 3. */
export const defaultMaxBytes: MaxBytes = {
  image: 10 * megabyte,
  document: 15 * megabyte,
  audio: 50 * megabyte,
  video: 100 * megabyte,
  custom: 15 * megabyte,
};

export function tooLargeMessage({ name, size }: { name: string; size: number }, maxBytes: number): string {
  return l10n.t(
    '"{0}" is too large ({1}). Maximum for this file type: {2}.',
    name,
    formatSizeOver(size, maxBytes),
    formatSize(maxBytes),
  );
}

export function toWireFile(file: FileReference): Record<string, string> {
  return file.method === 'local_file'
    ? { type: file.type, transfer_method: file.method, upload_file_id: file.uploadFileId }
    : { type: file.type, transfer_method: file.method, url: file.url };
}

export function toOutputFiles(files: readonly AppFile[]): OutputFile[] {
  return files.flatMap(({ name, address }) => (address ? [{ name, address }] : []));
}
