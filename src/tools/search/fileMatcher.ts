import { decodeText, detectEncoding } from '../files/decodeText.ts';
import {
  type FileSystem,
  type FileStat,
  joinPath,
  type OpenFile,
  isJudgedFile,
} from '../files/fileSystem.ts';
import { mayRedact, redactSecrets } from '../../base/secrets/redactSecrets.ts';
import { secretContent } from '../policy/secretByContent.ts';
import { type LineMatch, LineMatcher } from './lineMatcher.ts';
import type { SearchTarget, WorkerJob } from './searchJob.ts';

export type FileResult = FileMatches | 'too-large' | undefined;

export interface FileMatches {
  realPath: string;
  /** Identity of the file, whose other names are judged later; undefined if it isn't on disk. */
  stat: Pick<FileStat, 'identity' | 'links'> | undefined;
  matches: LineMatch[];
}

export type FileMatcher = (target: SearchTarget, path: string, most: number) => Promise<FileResult>;

export function createFileMatcher(
  job: WorkerJob,
  { pattern, context }: NonNullable<WorkerJob['search']>,
  access: FileSystem,
): FileMatcher {
  const matcher = new LineMatcher(pattern);
  return async (target, path, most) => {
    const realPath = joinPath(target.root, path);
    const given = job.texts.get(realPath);
    if (given !== undefined) {
      const matches = matchesIn(path, given, most);
      return matches && { realPath, stat: await access.find(realPath).catch(() => undefined), matches };
    }
    if (target.folder.isVirtual) return undefined;
    const open = await access.open(realPath).catch(() => undefined);
    if (!open) return undefined;
    try {
      const read = await readCandidate(open, {
        matcher,
        maxBytes: job.maxFileBytes,
        encoding: target.encoding,
      });
      if (read === undefined || read === 'too-large') return read;
      const matches = matchesIn(path, read.text, most);
      // Proven only for matches, because few of thousands of files match.
      if (!matches || !(await isJudgedFile(open, realPath, access))) return undefined;
      const { stat } = open;
      return stat.type === 'file' ? { realPath, stat, matches } : undefined;
    } catch {
      // Pipes, devices and removed files.
      return undefined;
    } finally {
      await open.close();
    }
  };

  function matchesIn(path: string, text: string, most: number): LineMatch[] | undefined {
    const found = matcher.matchWithin(text, context, most);
    if (found.matches.length === 0 || secretContent(path, text)) return undefined;
    // Only redacted text counts, or a secret could be guessed letter by letter.
    const matches = mayRedact(text, found.start, found.end)
      ? matcher.match(redactSecrets(text), context, most)
      : found.matches;
    return matches.length > 0 ? matches : undefined;
  }
}

/** Reused, because allocating is as slow as reading. */
const spare: Buffer[] = [];

/** Reads the text of a file that may match; undefined for others and binary files. Rejects if it can't be read. */
async function readCandidate(
  open: OpenFile,
  need: { matcher: LineMatcher; maxBytes: number; encoding: string | undefined },
): Promise<{ text: string } | 'too-large' | undefined> {
  let buffer = spare.pop() ?? Buffer.allocUnsafe(1_000_000);
  try {
    // Most files fit the buffer, which saves asking for the size.
    let length = await open.read(buffer, 0);
    if (length === buffer.length) {
      const { size } = open.stat;
      if (size > need.maxBytes) return 'too-large';
      if (size > length) {
        const larger = Buffer.allocUnsafe(size);
        larger.set(buffer);
        buffer = larger;
        length += await open.read(larger.subarray(length), length);
      }
    }
    const bytes = buffer.subarray(0, length);
    if (!need.matcher.mayMatch(bytes)) return undefined;
    const text = decodeSearched(bytes, need.encoding);
    return text === undefined ? undefined : { text };
  } finally {
    spare.push(buffer);
  }
}

/** Detects binary content like ripgrep: NUL bytes are text only after a UTF-16 BOM. */
function decodeSearched(bytes: Uint8Array, encoding: string | undefined): string | undefined {
  const detected = detectEncoding(bytes, true, encoding);
  if (!detected || (!detected.hasBom && detected.label.startsWith('utf-16'))) return undefined;
  return decodeText(bytes, detected);
}
