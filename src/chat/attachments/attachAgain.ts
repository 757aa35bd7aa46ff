import type { Attachment, AttachmentSource } from './attachment.ts';

/**
 * From where what went with a message is attached again. Images and pasted texts are in the conversation itself, and so
 * is all that went with a message of 0.1.0.
 */
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
