import { mayRedact, redactSecrets } from '../../base/secrets/redact.ts';
import { type FileAccess, type FileStat, joinPath } from '../fileAccess.ts';
import { type LineMatch, LineMatcher } from './matchText.ts';
import type { SearchTarget, WorkerJob } from './protocol.ts';
import { readCandidate, type SearchedText } from './readCandidate.ts';

/** What a file holds; undefined if nothing of it may be told, be it that nothing matches. */
export type FileResult = FileMatches | 'too-large' | undefined;

export interface FileMatches {
  realPath: string;
  /** Of the file that was read, undefined if there is none: its other names have yet to be judged. */
  stat: Pick<FileStat, 'identity' | 'links'> | undefined;
  /** Never empty. */
  matches: LineMatch[];
}

/** Looks into a file that the rules let through by its name; gives at most `most` matches. */
export type SearchFile = (target: SearchTarget, path: string, most: number) => Promise<FileResult>;

export function createSearchFile(
  job: WorkerJob,
  { pattern, context }: NonNullable<WorkerJob['search']>,
  access: FileAccess,
): SearchFile {
  const matcher = new LineMatcher(pattern);
  return async (target, path, most) => {
    const realPath = joinPath(target.root, path);
    const text = textOf(job, target, realPath, matcher, access);
    if (text === undefined || text === 'too-large') return text;
    const found = matcher.matchWithin(text.text, context, most);
    if (found.matches.length === 0 || !(await text.isStillThere())) return undefined;
    // What matches decides by what may be told, or a secret could be guessed letter by letter.
    const matches = mayRedact(text.text, found.start, found.end)
      ? matcher.match(redactSecrets(text.text), context, most)
      : found.matches;
    return matches.length > 0 ? { realPath, stat: await text.stat(), matches } : undefined;
  };
}

function textOf(
  job: WorkerJob,
  target: SearchTarget,
  realPath: string,
  matcher: LineMatcher,
  access: FileAccess,
): SearchedText | 'too-large' | undefined {
  const given = job.texts.get(realPath);
  if (given !== undefined) {
    const stat = () => access.find(realPath).catch(() => undefined);
    return { text: given, stat, isStillThere: async () => true };
  }
  if (target.folder.isVirtual) return undefined;
  return readCandidate(realPath, {
    matcher,
    access,
    maxBytes: job.maxFileBytes,
    encoding: target.encoding,
  });
}
