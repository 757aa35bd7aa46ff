import type { Signal } from '@preact/signals';
import type { Picture } from '../shared/attachments.ts';

/** Pixels of the small picture's side: twice of what it takes on screen, for dense screens. */
export const sidePx = 64;

/** The small pictures of attached images, by the ids of their chips. Undefined while one is not there. */
export type Thumbnails = Map<string, Signal<ImageBitmap | undefined>>;

/** Makes a small picture of what the host gave; what is no picture leaves the icon in its place. */
export async function receivePicture(thumbnails: Thumbnails, { id, base64 }: Picture): Promise<void> {
  const wanted = thumbnails.get(id);
  if (!wanted) return;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const whole = await createImageBitmap(new Blob([bytes]));
    const side = Math.min(whole.width, whole.height);
    const [x, y] = [(whole.width - side) / 2, (whole.height - side) / 2];
    const size = { resizeWidth: sidePx, resizeHeight: sidePx, resizeQuality: 'medium' } as const;
    wanted.value = await createImageBitmap(whole, x, y, side, side, size);
    whole.close();
  } catch {
    // It stays an icon: that it is an image is known, and what is in it only the model has to see.
  }
}
