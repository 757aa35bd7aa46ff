import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Form, type Part } from 'multiparty';
import type { RecordedPart } from './recordedRequest.ts';

/**
 * Reads a multipart body as it arrives.
 * @param parts is filled from the head of each part on
 * @param maxTextBytes larger parts have no text
 * @returns true if the body is well formed; rejects when it ends early
 */
export async function readMultipart(
  message: IncomingMessage,
  parts: RecordedPart[],
  maxTextBytes: number,
): Promise<boolean> {
  const form = new Form();
  const outcome = new Promise<boolean>((resolve, reject) => {
    form.on('part', (part) => {
      parts.push(readPart(part, maxTextBytes));
      part.on('error', () => {});
    });
    form.on('close', () => resolve(true));
    form.on('error', (error) => {
      if (message.destroyed && !message.complete) return reject(error);
      // The rest of a malformed body has to be read, or the client couldn't read the answer.
      message.resume();
      message.once('end', () => resolve(false));
      if (message.readableEnded) resolve(false);
    });
  });
  form.parse(message);
  return outcome;
}

function readPart(part: Part, maxTextBytes: number): RecordedPart {
  const headers = part.headers as Record<string, string | undefined>;
  const record = {
    name: part.name,
    // The library's types don't say that a form field has none.
    filename: part.filename as string | undefined,
    contentType: headers['content-type'],
    size: 0,
    sha256: '',
    text: undefined as string | undefined,
  };
  const hash = createHash('sha256');
  let kept: Buffer[] = [];
  part.on('data', (chunk: Buffer) => {
    record.size += chunk.length;
    hash.update(chunk);
    if (record.size <= maxTextBytes) kept.push(chunk);
    else kept = [];
  });
  part.on('end', () => {
    record.sha256 = hash.digest('hex');
    if (record.size <= maxTextBytes) record.text = Buffer.concat(kept).toString('utf8');
  });
  return record;
}
