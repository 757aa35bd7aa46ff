import { frame } from '../../base/frame.ts';
import type { Message, Picture, StreamModel } from '../../relay/messages.ts';
import type { Attachment } from './attachment.ts';
import type { AttachmentKind } from './attachmentKinds.ts';

/** A message of the user's with what goes with it. */
interface Said {
  text: string;
  attachments?: readonly Attachment[];
}

const words = new WeakMap<Said, string>();

/** What the model reads of a message. It is asked for with every round, and never changes. */
export function wordsOf(said: Said): string {
  const { text, attachments } = said;
  if (!attachments) return text;
  const known = words.get(said) ?? withAttachments(text, attachments);
  words.set(said, known);
  return known;
}

/** The pictures a model is shown with the words. */
export function imagesOf({ attachments = [] }: Said): Picture[] {
  return attachments.flatMap(({ image }) => (image ? [{ mimeType: image.mimeType, data: image.data }] : []));
}

/** Asks with images only models that are not known to refuse them: earlier messages may have had some for another. */
export function imagesOnlyFor(
  takesImages: (model: string) => boolean,
  streamModel: StreamModel,
): StreamModel {
  return (request, signal) =>
    streamModel(
      takesImages(request.model) ? request : { ...request, messages: withoutImages(request.messages) },
      signal,
    );
}

function withoutImages(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (message.role !== 'user' || !message.images) return message;
    const { images, content } = message;
    return {
      role: 'user',
      content: `${content}\n\n[${images.length} images are left out: you do not support images.]`,
    };
  });
}

/** What was put beside the words, each piece in a frame, then the words. */
export function withAttachments(text: string, attachments: readonly Attachment[]): string {
  const pieces = attachments.map(renderAttachment);
  return [...pieces, ...(text.trim() ? [text] : [])].join('\n\n');
}

/** What has no path, or is a part of what is there, is told by its name. */
const named = new Set<AttachmentKind>(['symbol', 'image', 'text']);

/** One attachment in a frame. */
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

/** The images follow their texts in the same message, in order. */
const seeImage = '[The image itself is part of this message.]';

/** Said to models that come after the app. */
const seeUpload = '[The file was given to an app, which answered.]';
