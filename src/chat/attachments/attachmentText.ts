import { frame } from '../../base/text/frame.ts';
import type { Picture } from '../../relay/messages.ts';
import type { Attachment } from './attachment.ts';
import type { AttachmentKind } from './attachmentKinds.ts';

interface Said {
  text: string;
  attachments?: readonly Attachment[];
}

const words = new WeakMap<Said, string>();

/** Text of a message for the model. Built for every request, and always the same. */
export function wordsOf(said: Said): string {
  const { text, attachments } = said;
  if (!attachments) return text;
  const known = words.get(said) ?? withAttachments(text, attachments);
  words.set(said, known);
  return known;
}

export function imagesOf({ attachments = [] }: Said): Picture[] {
  return attachments.flatMap(({ image }) => (image ? [{ mimeType: image.mimeType, data: image.data }] : []));
}

export function withAttachments(text: string, attachments: readonly Attachment[]): string {
  const pieces = attachments.map(renderAttachment);
  return [...pieces, ...(text.trim() ? [text] : [])].join('\n\n');
}

const named = new Set<AttachmentKind>(['symbol', 'terminal', 'page', 'image', 'text']);

export function renderAttachment(attachment: Attachment): string {
  const { kind, label, path, lines, text, image, refusal, upload } = attachment;
  const facts = {
    kind,
    ...(named.has(kind) && { name: label }),
    ...(path !== undefined && { path }),
    ...(lines && { lines: `${lines.first}-${lines.last}${lines.total ? ` of ${lines.total}` : ''}` }),
  };
  const body = refusal
    ? `[Nothing of it was sent. ${refusal.forModel}]`
    : image
      ? seeImage
      : (text ?? (upload ? seeUpload : ''));
  return frame({ kind: 'attachment', facts, body });
}

/** Images follow their texts in the same message, in order. */
const seeImage = '[The image itself is part of this message.]';

const seeUpload = '[The file was given to an app, which answered.]';
