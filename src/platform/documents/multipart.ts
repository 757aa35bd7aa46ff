import { messageOf, SwitchboardError } from '../../base/errors/errors.ts';
import { randomBytes } from 'node:crypto';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { contentTypeOf } from './contentTypes.ts';

/** A file to send. `open` is called again for a second try. */
export interface UploadFile {
  /** Without slashes, with an extension that the platform reads. */
  name: string;
  size: number;
  contentType?: string;
  open(): Readable;
}

export interface Multipart {
  headers: { 'content-type': string; 'content-length': string };
  /** `watch` is called when a piece waits to be read, and when it was read. */
  open(watch?: SendingWatch): Readable;
}

interface SendingWatch {
  onWait(): void;
  onData(): void;
}

export interface TextPart {
  name: string;
  value: string;
  contentType?: string;
}

/** Multipart form (RFC 7578). Streams `file`, reports the bytes sent so far; destroying it closes the file. */
export function toMultipart(
  fields: readonly TextPart[],
  file: UploadFile,
  onProgress?: (sentBytes: number) => void,
): Multipart {
  const boundary = '-'.repeat(26) + randomBytes(12).toString('hex');
  const head = Buffer.from(
    [
      ...fields.map(
        ({ name, value, contentType }) =>
          partHead(boundary, `name=${quoted(name)}`, contentType) + value.toWellFormed() + lineEnd,
      ),
      partHead(
        boundary,
        `name="file"; filename=${quoted(wireName(file.name))}`,
        file.contentType ?? contentTypeOf(file.name),
      ),
    ].join(''),
  );
  const tail = Buffer.from(`${lineEnd}--${boundary}--${lineEnd}`);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    },
    open(watch) {
      let contents: Readable | undefined;
      const body = new PassThrough();
      const openContents = (): Readable => (contents = file.open());
      pipeline(
        watched(framed(head, openContents, tail, file, onProgress), watch),
        body,
        // The reader of the body gets the failure.
        () => undefined,
      );
      // Destroying must not wait for the file's next piece, which may never come.
      return body.once('close', () => contents?.destroy());
    },
  };
}

const lineEnd = '\r\n';

function partHead(boundary: string, parameters: string, contentType: string | undefined): string {
  return [
    `--${boundary}`,
    `Content-Disposition: form-data; ${parameters}`,
    ...(contentType ? [`Content-Type: ${contentType}`] : []),
    lineEnd,
  ].join(lineEnd);
}

function quoted(name: string): string {
  return `"${name.toWellFormed().replace(/["\r\n]/g, encodeURIComponent)}"`;
}

async function* framed(
  head: Uint8Array,
  openContents: () => Readable,
  tail: Uint8Array,
  { name, size }: UploadFile,
  onProgress: ((sentBytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array, void> {
  let sent = 0;
  yield head;
  try {
    for await (const piece of openContents() as AsyncIterable<Uint8Array>) {
      sent += piece.byteLength;
      if (sent > size) throw changedMeanwhile(name);
      yield piece;
      onProgress?.(sent);
    }
  } catch (error) {
    throw error instanceof SwitchboardError ? error : unreadable(name, error);
  }
  if (sent < size) throw changedMeanwhile(name);
  yield tail;
}

async function* watched(
  pieces: AsyncIterable<Uint8Array>,
  watch: SendingWatch | undefined,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    watch?.onWait();
    yield piece;
    watch?.onData();
  }
}

function changedMeanwhile(name: string): SwitchboardError {
  return new SwitchboardError(
    'local-file',
    l10n.t('The file "{0}" changed while it was being sent. Send it again.', name),
  );
}

function unreadable(name: string, error: unknown): SwitchboardError {
  return new SwitchboardError(
    'local-file',
    l10n.t('The file "{0}" couldn\'t be read while it was being sent.', name),
    { systemError: messageOf(error), cause: error },
  );
}

function wireName(name: string): string {
  const safe = name.replace(/"/g, "'").replace(/[\p{Cc}/\\]/gu, '_');
  // A part without a file name would be a field.
  return safe || 'file';
}
