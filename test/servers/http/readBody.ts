import type { IncomingMessage } from 'node:http';
import { readMultipart } from './multipartBody.ts';
import type { RecordedPart } from './recordedRequest.ts';

/** How a body is read. */
export interface BodyOptions {
  /** Larger bodies are read but not kept. */
  maxBytes: number;
  /** Whether the bytes of multipart bodies are kept; without them only the text of small parts is. */
  keepMultipart: boolean;
  /** Filled with the parts of a multipart body as they arrive. */
  parts: RecordedPart[];
  /** Hears how many bytes have arrived. */
  onBytes(size: number): void;
}

/** The largest part whose text is kept when the bytes are not. */
const smallPartBytes = 64 * 1024;

/** Reads to the end. The bytes are empty when they were not to be kept; rejects when the client leaves early. */
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
