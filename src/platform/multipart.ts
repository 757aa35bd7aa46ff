import { PassThrough, pipeline, type Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import type { UploadFile } from './platformClient.ts';

/** A form with one file, ready to be sent; `open` may be asked again for a second try. */
export interface Multipart {
  /** The type with its boundary, and the exact length. */
  headers: { 'content-type': string; 'content-length': string };
  /** `watch` hears when a piece waits to be taken, and when it was. */
  open(watch?: SendingWatch): Readable;
}

interface SendingWatch {
  onWait(): void;
  onData(): void;
}

/** A text field before the file. `contentType` makes the part say its type, still without a file name. */
export interface FormField {
  name: string;
  value: string;
  contentType?: string;
}

/**
 * The fields and the file (as `file`) as multipart/form-data. The file is never held in memory and only read as
 * fast as it is sent; `onProgress` hears its bytes sent so far. Destroying the stream closes the file.
 */
export async function toMultipart(
  fields: readonly FormField[],
  file: UploadFile,
  onProgress?: (sentBytes: number) => void,
): Promise<Multipart> {
  const { default: FormData } = await import('form-data');
  const form = new FormData();
  for (const { name, value, contentType } of fields) {
    form.append(name, value, contentType ? { contentType } : {});
  }
  // The frame is made around an empty file: the real one is streamed into its place.
  form.append('file', Buffer.alloc(0), {
    filename: wireName(file.name),
    ...(file.contentType && { contentType: file.contentType }),
  });
  const frame = form.getBuffer();
  const end = frame.length - Buffer.byteLength(`\r\n--${form.getBoundary()}--\r\n`);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${form.getBoundary()}`,
      'content-length': String(frame.length + file.size),
    },
    open(watch) {
      let contents: Readable | undefined;
      const body = new PassThrough();
      const openContents = (): Readable => (contents = file.open());
      pipeline(
        watched(framed(frame.subarray(0, end), openContents, frame.subarray(end), file, onProgress), watch),
        body,
        // A failure reaches whoever reads the body.
        () => undefined,
      );
      // Leaving in the middle must not wait for the file's next piece, which may never come.
      return body.once('close', () => contents?.destroy());
    },
  };
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

/** The length was announced, so another one would break the request. */
function changedMeanwhile(name: string): SwitchboardError {
  return new SwitchboardError(
    'request',
    l10n.t('The file "{0}" changed while it was being sent. Send it again.', name),
  );
}

function unreadable(name: string, error: unknown): SwitchboardError {
  return new SwitchboardError(
    'request',
    l10n.t('The file "{0}" could not be read while it was being sent.', name),
    { ...(error instanceof Error && { why: error.message }), cause: error },
  );
}

/** Sent as UTF-8; without what would end the name early, or be taken for a folder. */
function wireName(name: string): string {
  const safe = name
    .toWellFormed()
    .replace(/"/g, "'")
    .replace(/[\p{Cc}/\\]/gu, '_');
  // Without a name it would be no file.
  return safe || 'file';
}
