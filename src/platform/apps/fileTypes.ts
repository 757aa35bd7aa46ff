import { megabyte } from '../../base/format.ts';
import type { FileReference, FileRules, FileType } from './appRecords.ts';

/** The platform's own sorting of files; `custom` is everything else. */
const extensions: Readonly<Record<Exclude<FileType, 'custom'>, readonly string[]>> = {
  image: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'svg'],
  document: [
    ...['txt', 'markdown', 'md', 'mdx', 'pdf', 'html', 'htm', 'xlsx', 'xls', 'doc', 'docx', 'csv'],
    ...['vtt', 'properties', 'eml', 'msg', 'pptx', 'ppt', 'xml', 'epub'],
  ],
  audio: ['mp3', 'm4a', 'wav', 'amr', 'mpga'],
  video: ['mp4', 'mov', 'mpeg', 'webm'],
};

/** With a dot and in lower case; empty for a name without. */
export function extensionOf(name: string): string {
  return /\.[^./\\]+$/.exec(name)?.[0].toLowerCase() ?? '';
}

/** What the platform takes a file of this name for. */
export function fileTypeOf(name: string): FileType {
  const extension = extensionOf(name).slice(1);
  const types = ['image', 'document', 'audio', 'video'] as const;
  return types.find((type) => extensions[type].includes(extension)) ?? 'custom';
}

/** Where the server has not said its own, in bytes. Source: platform-api.md 3. */
export const defaultMaxBytes: FileRules['maxBytes'] = {
  image: 10 * megabyte,
  document: 15 * megabyte,
  audio: 50 * megabyte,
  video: 100 * megabyte,
  custom: 15 * megabyte,
};

/** A file as `files` and file inputs put it on the wire. */
export function toWireFile(file: FileReference): Record<string, string> {
  return file.method === 'local_file'
    ? { type: file.type, transfer_method: file.method, upload_file_id: file.uploadFileId }
    : { type: file.type, transfer_method: file.method, url: file.url };
}

/** The address of a file that an answer or an output holds; undefined when it is none that may be opened. */
export function fileAddress(url: string | undefined, baseUrl: string): string | undefined {
  if (!url || !URL.canParse(url, `${baseUrl}/`)) return undefined;
  const { protocol, href } = new URL(url, `${baseUrl}/`);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
