import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { decodeText, detectEncoding } from '../decodeText.ts';
import type { FileAccess, FileStat } from '../fileAccess.ts';
import type { LineMatcher } from './matchText.ts';

/** A text whose origin has still to be proven before anything of it is told. */
export interface SearchedText {
  text: string;
  /** The file as it is known by now, undefined if it is gone. */
  stat(): Promise<Pick<FileStat, 'identity' | 'links'> | undefined>;
  isStillThere(): Promise<boolean>;
}

const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reused from file to file: making a buffer for each costs as much as reading it. */
let buffer = Buffer.allocUnsafe(1_000_000);

/**
 * The text of a file that may match. Thousands of files are looked at and few match, so the proof that the file
 * is the judged one (see `FilePolicy.open`) is only made for those. Undefined for what does not match, is binary or
 * cannot be read.
 */
export function readCandidate(
  realPath: string,
  need: {
    matcher: LineMatcher;
    access: FileAccess;
    maxBytes: number;
    encoding: string | undefined;
  },
): SearchedText | 'too-large' | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(realPath, openFlags);
  } catch {
    return undefined;
  }
  try {
    // Most files are smaller than the buffer, and reading them says so without another question.
    let length = readSync(descriptor, buffer, 0, buffer.length, 0);
    if (length === buffer.length) {
      const { size } = fstatSync(descriptor);
      if (size > need.maxBytes) return 'too-large';
      if (size > length) {
        const larger = Buffer.allocUnsafe(size);
        buffer.copy(larger);
        buffer = larger;
        length += readSync(descriptor, buffer, length, size - length, length);
      }
    }
    const bytes = buffer.subarray(0, length);
    if (!need.matcher.mayMatch(bytes)) return undefined;
    const text = decodeSearched(bytes, need.encoding);
    if (text === undefined) return undefined;
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return undefined;
    const identity = `${stats.dev}:${stats.ino}`;
    return {
      text,
      stat: async () => ({ identity, links: Number(stats.nlink) }),
      isStillThere: () => isJudgedFile(realPath, identity, need.access),
    };
  } catch {
    // Pipes, devices, and files that went away.
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** As ripgrep sees text: zeros are only understood behind a byte order mark. */
function decodeSearched(bytes: Buffer, encoding: string | undefined): string | undefined {
  const detected = detectEncoding(bytes, true, encoding);
  if (!detected || (!detected.hasBom && detected.label.startsWith('utf-16'))) return undefined;
  return decodeText(bytes, detected);
}

/** The rules were asked by name; that the name has no links in it and means what was read is proven here. */
async function isJudgedFile(realPath: string, identity: string, access: FileAccess): Promise<boolean> {
  try {
    if ((await access.realPath(realPath)) !== realPath) return false;
    const now = await access.stat(realPath);
    return now.type === 'file' && (now.identity ?? identity) === identity;
  } catch {
    return false;
  }
}
