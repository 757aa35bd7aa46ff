import { SwitchboardError } from '../../base/errors/errors.ts';
import { megabyte } from '../../base/text/formatSize.ts';
import type { FilePicture } from '../../base/files/pictureFiles.ts';
import { pictureSize, pictureTypeOf } from '../../base/files/pictureFormats.ts';
import type { PlatformContext } from '../../platform/platformCall.ts';

export const maxPictureBytes = megabyte / 2;
/** A small file can hold a picture that takes gigabytes to draw. */
const maxPictureSide = 4096;

/** Loads only from the platform's origin, without key and redirects. Refuses formats that can hold scripts. */
export async function downloadPicture(
  { http, connection, timeouts, log }: Pick<PlatformContext, 'http' | 'connection' | 'timeouts' | 'log'>,
  address: string,
  signal: AbortSignal,
): Promise<FilePicture | undefined> {
  const refuse = (why: string): undefined => {
    log.info(`The picture of an app is not shown: ${why}`);
  };
  const { origin } = new URL(connection.baseUrl);
  if (!URL.canParse(address, connection.baseUrl)) return refuse('no address');
  const url = new URL(address, connection.baseUrl);
  if (url.origin !== origin) return refuse('it is at another server');
  try {
    const response = await http.send({
      ...{ method: 'GET', url: url.href, timeouts, signal, redirects: 'refuse' },
      headers: { 'user-agent': 'Switchboard', accept: 'image/*' },
    });
    try {
      if (response.status !== 200) return refuse(`status ${response.status}`);
      const pieces: Uint8Array[] = [];
      let length = 0;
      for await (const piece of response.body) {
        length += piece.byteLength;
        if (length > maxPictureBytes) return refuse('it is too large');
        pieces.push(piece);
      }
      const bytes = Buffer.concat(pieces);
      const type = pictureTypeOf(bytes);
      if (!type) return refuse('it is no PNG, JPEG, GIF or WebP');
      const { width, height } = pictureSize(bytes, type) ?? { width: Infinity, height: Infinity };
      if (Math.max(width, height) > maxPictureSide) return refuse('it has too many pixels');
      return { bytes, type };
    } finally {
      response.close();
    }
  } catch (error) {
    if (!(error instanceof SwitchboardError) || error.code === 'cancelled') throw error;
    return refuse(error.code);
  }
}
