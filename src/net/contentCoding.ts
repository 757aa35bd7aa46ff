import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';
import { formatSize, megabyte } from '../base/text/formatSize.ts';

/** Not for streams: compression delays tokens. */
export const acceptedCodings = 'gzip, br';

/** Repetitive JSON shrinks to a hundredth; a higher ratio is a decompression bomb. */
const mostGrowth = 250;
const alwaysAllowedBytes = 64 * megabyte;

/** Leaving early closes the body. Throws `truncated` for a decompression bomb. Unknown codings are passed through. */
export function decodeBody(
  body: AsyncIterable<Uint8Array>,
  coding: string | undefined,
  toError: (error: unknown) => Error,
): AsyncIterable<Uint8Array> {
  if (coding === undefined) return body;
  const names = coding.split(',').map((name) => name.trim().toLowerCase());
  return names.toReversed().reduce((inner, name) => {
    const decoder = createDecoder(name);
    return decoder ? decoded(inner, decoder, toError) : inner;
  }, body);
}

function createDecoder(name: string): (Transform & zlib.Zlib) | undefined {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      return undefined;
  }
}

async function* decoded(
  body: AsyncIterable<Uint8Array>,
  decoder: Transform & zlib.Zlib,
  toError: (error: unknown) => Error,
): AsyncGenerator<Uint8Array, void> {
  let given = 0;
  // Failures are thrown where the decoder is read; leaving it early ends the body.
  pipeline(Readable.from(body), decoder, () => undefined);
  try {
    for await (const piece of decoder as AsyncIterable<Uint8Array>) {
      given += piece.byteLength;
      if (given > alwaysAllowedBytes && given > decoder.bytesWritten * mostGrowth) throw growsTooFar(given);
      yield piece;
    }
  } catch (error) {
    throw toError(error);
  }
}

function growsTooFar(bytes: number): SwitchboardError {
  return new SwitchboardError(
    'truncated',
    l10n.t(
      'The answer was cut off: the server sent compressed data that expands to more than {0}.',
      formatSize(bytes),
    ),
  );
}
