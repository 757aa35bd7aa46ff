import { type FileHandle, open } from 'node:fs/promises';

/** Bytes per read: few enough to process between other tasks. */
const chunkBytes = 256 * 1024;
/** In bytes; `tooLong` replaces longer lines. */
const longestLine = 256 * 1024 * 1024;
export const tooLong = '\0';

const lineBreak = 0x0a;

/** Byte offsets; `to` is exclusive. */
export interface ByteRange {
  from?: number;
  to?: number;
}

export async function* readLines(
  path: string,
  { from = 0, to = Infinity }: ByteRange = {},
  atOnce = chunkBytes,
): AsyncGenerator<string[], void, void> {
  const file = await open(path, 'r');
  try {
    const line = new PartialLine();
    for (let at = from; at < to;) {
      const bytes = await readAt(file, at, Math.min(atOnce, to - at));
      if (bytes.length === 0) break;
      at += bytes.length;
      const end = bytes.lastIndexOf(lineBreak);
      if (end < 0) {
        line.append(bytes);
        continue;
      }
      const first = bytes.indexOf(lineBreak);
      line.append(bytes.subarray(0, first));
      yield nonEmpty([line.take(), ...bytes.toString('utf8', first, end).split('\n')]);
      line.append(bytes.subarray(end + 1));
    }
    yield nonEmpty([line.take()]);
  } finally {
    await file.close();
  }
}

export interface PlacedLine {
  text: string;
  start: number;
}

export async function* readLinesBackwards(
  path: string,
  to: number,
  atOnce = chunkBytes,
): AsyncGenerator<PlacedLine[], void, void> {
  const file = await open(path, 'r');
  try {
    const line = new PartialLine();
    let at = to;
    while (at > 0) {
      const length = Math.min(atOnce, at);
      at -= length;
      const bytes = await readAt(file, at, length);
      const lines: PlacedLine[] = [];
      let end = bytes.length;
      for (let lineEnd = bytes.lastIndexOf(lineBreak); lineEnd >= 0;) {
        line.prepend(bytes.subarray(lineEnd + 1, end));
        const text = line.take();
        if (text !== '') lines.push({ text, start: at + lineEnd + 1 });
        end = lineEnd;
        lineEnd = lineEnd > 0 ? bytes.lastIndexOf(lineBreak, lineEnd - 1) : -1;
      }
      line.prepend(bytes.subarray(0, end));
      if (lines.length > 0) yield lines;
    }
    const text = line.take();
    if (text !== '') yield [{ text, start: 0 }];
  } finally {
    await file.close();
  }
}

class PartialLine {
  private parts: Buffer[] = [];
  private length = 0;

  append(bytes: Buffer): void {
    this.add(bytes, () => this.parts.push(bytes));
  }

  prepend(bytes: Buffer): void {
    this.add(bytes, () => this.parts.unshift(bytes));
  }

  take(): string {
    const text = this.length > longestLine ? tooLong : Buffer.concat(this.parts).toString();
    this.parts = [];
    this.length = 0;
    return text;
  }

  private add(bytes: Buffer, keep: () => void): void {
    if (bytes.length === 0) return;
    this.length += bytes.length;
    if (this.length > longestLine) this.parts = [];
    else keep();
  }
}

async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

function nonEmpty(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== '');
}
