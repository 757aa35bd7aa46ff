import type { LocalChoice } from '../../apps/fileChoice.ts';
import type { Attachment } from '../attachments/attachment.ts';

const extensions: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
};

/** What is sent of an attachment as a file; undefined for what is sent as text, and for what cannot be sent. */
export function fileOf({ label, image, upload, refusal }: Attachment): LocalChoice | undefined {
  if (refusal) return undefined;
  if (upload?.realPath !== undefined) {
    return { method: 'local_file', name: label, size: upload.bytes ?? 0, realPath: upload.realPath };
  }
  if (!image) return undefined;
  const { mimeType, data, bytes } = image;
  // What is pasted has a name without an extension, by which the platform knows what a file is.
  const name = /\.\w+$/.test(label) ? label : `${label}${extensions[mimeType] ?? ''}`;
  return { method: 'local_file', name, size: bytes, data };
}
