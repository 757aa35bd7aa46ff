import type { IncomingMessage } from 'node:http';
import { readMultipart } from './multipartBody.ts';
import type { RecordedPart } from './recordedRequest.ts';

export interface BodyOptions {
  maxBytes: number;
  /** True to keep the bytes of multipart bodies; otherwise only small parts keep their text. */
  keepMultipart: boolean;
  parts: RecordedPart[];
  onBytes(size: number): void;
}

const smallPartBytes = 64 * 1024;

/** Reads to the end; the bytes are empty if not kept. Rejects when the client leaves early. */
export async function readBody(
  message: IncomingMessage,
  { maxBytes, keepMultipart, parts, onBytes }: BodyOptions,
): Promise<{ bytes: Buffer; isTooLarge: boolean }> {
  const isMultipart = /^multipart\/form-data\b/i.test(message.headers['content-type'] ?? '');
  const isKept = keepMultipart || !isMultipart;
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (isKept && size <= maxBytes) chunks.push(chunk);
    onBytes(size);
  };
  if (isMultipart) {
    message.on('data', take);
    await readMultipart(message, parts, isKept ? maxBytes : smallPartBytes);
  } else {
    for await (const chunk of message as AsyncIterable<Buffer>) take(chunk);
  }
  return { bytes: size <= maxBytes ? Buffer.concat(chunks) : Buffer.alloc(0), isTooLarge: size > maxBytes };
}
