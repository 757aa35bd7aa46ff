import type { Message, Picture, StreamModel } from '../../relay/messages.ts';
import type { Attachment, AttachmentKind } from './attachment.ts';

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
      content: `${content}\n\n[${images.length} images are left out: you do not take images.]`,
    };
  });
}

/** What was put beside the words, each piece in a tag, then the words. */
export function withAttachments(text: string, attachments: readonly Attachment[]): string {
  const pieces = attachments.map(renderAttachment);
  return [...pieces, ...(text.trim() ? [text] : [])].join('\n\n');
}

/** What has no path, or is a part of what is there, is told by its name. */
const named = new Set<AttachmentKind>(['symbol', 'image', 'text']);

/** One attachment as a tag that nothing inside of it can close. */
export function renderAttachment(attachment: Attachment): string {
  const { kind, label, path, lines, text, image, refusal, upload } = attachment;
  const attributes = [
    attribute('kind', kind),
    ...(named.has(kind) ? [attribute('name', label)] : []),
    ...(path === undefined ? [] : [attribute('path', path)]),
    ...(lines
      ? [attribute('lines', `${lines.first}-${lines.last}${lines.total ? ` of ${lines.total}` : ''}`)]
      : []),
  ].join(' ');
  const inside = refusal
    ? `[Nothing of it was sent. ${refusal.forModel}]`
    : image
      ? seeImage
      : (text ?? (upload ? seeUpload : ''));
  return `<attachment ${attributes}>\n${withoutTags(inside)}\n</attachment>`;
}

/** The images follow their texts in the same message, in order. */
const seeImage = '[The image itself is part of this message.]';

/** Said to models that come after the app. */
const seeUpload = '[The file was given to an app, which answered.]';

/**
 * A file may hold what looks like our own tag, by chance or to pass for the user's words. White space and characters
 * that are not seen make no difference to how a model reads it, so they make none here.
 */
const tag =
  /<(?=[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*\/?[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*attachment)/giu;

function withoutTags(text: string): string {
  return text.replace(tag, '&lt;');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function attribute(name: string, value: string): string {
  const safe = value.replace(/[&<>"]/g, (character) => entities[character] ?? '').replace(/\p{Cc}+/gu, ' ');
  return `${name}="${safe}"`;
}
