import * as l10n from '@vscode/l10n';
import { formatSize, megabyte } from '../../base/format.ts';
import { pictureTypeOf } from '../../base/pictures.ts';
import type { Attachment } from './attachment.ts';

/** Vendors accept 5 MB and more. */
export const largestPicture = 5 * megabyte;

/** Of one message. No vendor accepts a larger request, and its line of the conversation's file could not be read again. */
const largestPictures = 50 * megabyte;

/** Pictures beyond what one message can carry are refused; the first ones stay. */
export function withinOneMessage(attachments: readonly Attachment[]): Attachment[] {
  let bytes = 0;
  return attachments.map((attachment) => {
    const { image, ...rest } = attachment;
    if (!image || (bytes += image.bytes) <= largestPictures) return attachment;
    bytes -= image.bytes;
    return { ...rest, refusal: tooLargeTogether() };
  });
}

function tooLargeTogether() {
  const size = formatSize(largestPictures);
  return {
    forModel: 'The images of this message are too large together.',
    forUser: l10n.t('The images of one message can be {0} together. Send this one with the next.', size),
  };
}

/** Base64 from a page, or from a draft that was saved without it. */
export function toPicture(name: string, data: string, bytes: number): Attachment {
  const base: Attachment = { kind: 'image', label: name };
  if (bytes > largestPicture) return { ...base, refusal: tooLarge() };
  if (data === '') {
    return {
      ...base,
      refusal: {
        forModel: 'It is not available any more.',
        forUser: l10n.t('The image was not kept when the window closed. Add it again.'),
      },
    };
  }
  const mimeType = pictureTypeOf(Buffer.from(data.slice(0, 64), 'base64'));
  if (!mimeType) return { ...base, refusal: notAPicture() };
  return { ...base, image: { mimeType, data, bytes } };
}

function tooLarge() {
  return {
    forModel: 'It is an image over 5 MB.',
    forUser: l10n.t('The image is larger than {0}. Make it smaller first.', formatSize(largestPicture)),
  };
}

function notAPicture() {
  return {
    forModel: 'It is an image of a type that models do not support.',
    forUser: l10n.t('Models support images as PNG, JPEG, GIF or WebP.'),
  };
}

/** What is said of images when the model is known not to support them; other attachments stay as they are. */
export function refusedByModel(
  attachment: Attachment,
  model: { name: string; vision?: boolean } | undefined,
): Attachment {
  if (!attachment.image || model?.vision !== false) return attachment;
  const { image: _, ...rest } = attachment;
  return {
    ...rest,
    refusal: {
      forModel: 'This model does not support images.',
      forUser: l10n.t("{0} doesn't support images. Choose another model, or remove the image.", model.name),
    },
  };
}
