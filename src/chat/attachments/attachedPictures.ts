import * as l10n from '@vscode/l10n';
import { formatSize, megabyte } from '../../base/text/formatSize.ts';
import { pictureTypeOf } from '../../base/files/pictureFormats.ts';
import type { Attachment } from './attachment.ts';

/** In bytes. Vendors accept at least 5 MB. */
export const largestPicture = 5 * megabyte;

/** In bytes: no vendor accepts larger requests, and a longer line of a conversation's file is unreadable. */
const largestPictures = 50 * megabyte;

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
    forUser: l10n.t(
      'Images in a message are limited to {0} in total. Send this one with the next message.',
      size,
    ),
  };
}

/** Base64 from the page; empty for a restored draft. */
export function toPicture(name: string, data: string, bytes: number): Attachment {
  const base: Attachment = { kind: 'image', label: name };
  if (bytes > largestPicture) return { ...base, refusal: tooLarge() };
  if (data === '') {
    return {
      ...base,
      refusal: {
        forModel: 'It is not available any more.',
        forUser: l10n.t("The image wasn't saved when the window closed. Add it again."),
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
    forUser: l10n.t('The image is larger than {0}. Resize it first.', formatSize(largestPicture)),
  };
}

function notAPicture() {
  return {
    forModel: 'It is an image of a type that models do not support.',
    forUser: l10n.t('Only PNG, JPEG, GIF and WebP images are supported.'),
  };
}

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
