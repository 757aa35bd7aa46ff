import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { formatSize, megabyte } from '../base/format.ts';

/** What is asked for where an answer comes in one piece. Streams are asked for as they are: compressing holds tokens back. */
export const acceptedCodings = 'gzip, br';

/** Repetitive JSON shrinks to a hundredth; what grows beyond that was made to fill the memory. */
const mostGrowth = 250;
const alwaysAllowedBytes = 64 * megabyte;

/**
 * A body without its compression, piece by piece as it comes, also where nobody asked for it. Leaving early closes the
 * body. Throws `truncated` for what grows beyond all measure, and the errors of the body as they are.
 * @param coding the header `content-encoding`; what is unknown is left as it is
 */
export function decodeBody(
  body: AsyncIterable<Uint8Array>,
  coding: string | undefined,
): AsyncIterable<Uint8Array> {
  if (coding === undefined) return body;
  const names = coding.split(',').map((name) => name.trim().toLowerCase());
  // The last one named was applied last.
  return names.toReversed().reduce((inner, name) => {
    const decoder = createDecoder(name);
    return decoder ? decoded(inner, decoder) : inner;
  }, body);
}

function createDecoder(name: string): Transform | undefined {
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
  decoder: Transform,
): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  let given = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const piece of body) {
      received += piece.byteLength;
      yield piece;
    }
  }
  // What fails is thrown where the decoder is read; leaving it early ends the body.
  pipeline(Readable.from(counted()), decoder, () => undefined);
  for await (const piece of decoder as AsyncIterable<Uint8Array>) {
    given += piece.byteLength;
    if (given > alwaysAllowedBytes && given > received * mostGrowth) throw growsTooFar(given);
    yield piece;
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
