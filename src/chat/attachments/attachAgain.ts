import type { Attachment, AttachmentSource } from './attachment.ts';

/** Images, pasted texts and all attachments of version 0.1.0 are stored in the conversation itself. */
export function attachAgain(
  { image, label, text, upload }: Attachment,
  source: AttachmentSource | undefined,
): AttachmentSource {
  if (source?.type === 'image') return image ? { ...source, data: image.data } : source;
  if (source?.type === 'text') return { ...source, text: source.text || (text ?? '') };
  if (source) return source;
  if (image) return { type: 'image', name: label, ...image };
  if (text !== undefined) return { type: 'text', name: label, text };
  if (upload?.realPath !== undefined) return { type: 'path', path: upload.realPath };
  return { type: 'unplaced', name: label };
}
