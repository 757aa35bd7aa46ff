import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';
import { formatSize, megabyte } from '../base/text/format.ts';

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
  const names = (coding ?? '').split(',').map((name) => name.trim().toLowerCase());
  const decoders = names.toReversed().flatMap((name) => createDecoder(name) ?? []);
  return decoders.length === 0 ? body : decoded(body, decoders, toError);
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
  decoders: readonly (Transform & zlib.Zlib)[],
  toError: (error: unknown) => Error,
): AsyncGenerator<Uint8Array, void> {
  let given = 0;
  // Failures are thrown where the last decoder is read; leaving it early ends the body.
  pipeline([Readable.from(body), ...decoders], () => undefined);
  try {
    for await (const piece of decoders.at(-1)! as AsyncIterable<Uint8Array>) {
      given += piece.byteLength;
      const received = decoders[0]!.bytesWritten;
      if (given > alwaysAllowedBytes && given > received * mostGrowth) throw growsTooFar(given);
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
