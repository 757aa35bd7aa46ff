import type { LocalChoice } from '../../apps/fileChoice.ts';
import type { Attachment } from '../attachments/attachment.ts';

const extensions: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
};

/** The upload for an attachment; undefined for attachments sent as text and for those that can't be sent. */
export function fileOf({ label, image, upload, refusal }: Attachment): LocalChoice | undefined {
  if (refusal) return undefined;
  if (upload?.realPath !== undefined) {
    return { method: 'local_file', name: label, size: upload.bytes ?? 0, realPath: upload.realPath };
  }
  if (!image) return undefined;
  const { mimeType, data, bytes } = image;
  // The platform infers the file type from the extension, which pasted images lack.
  const name = /\.\w+$/.test(label) ? label : `${label}${extensions[mimeType] ?? ''}`;
  return { method: 'local_file', name, size: bytes, data };
}
