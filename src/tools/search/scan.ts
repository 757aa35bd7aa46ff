import type { PathTest } from '../../base/glob.ts';
import { redactSecrets } from '../../base/secrets/redact.ts';
import { joinPath, type FileAccess } from '../fileAccess.ts';
import { selectionTest } from '../policy/globs.ts';
import { PolicyRun } from '../policy/policyRun.ts';
import { LineMatcher } from './matchText.ts';
import type { FoundFile, SearchTarget, WorkerJob, WorkerSummary } from './protocol.ts';
import { readCandidate, type SearchedText } from './readCandidate.ts';
import { emptyCounts, walkFiles } from './walk.ts';

/** Found files go out in batches of about so many, so that little is lost when time runs out. */
const batchSize = 50;

/** Does a job: lists or searches, within the policy, in a fixed order. */
export async function scan(
  job: WorkerJob,
  access: FileAccess,
  found: (files: FoundFile[]) => void,
  /** Called before each file that is read: to give way to others, or to end the scan by throwing. */
  pause?: () => Promise<void>,
): Promise<WorkerSummary> {
  const files = { folders: () => job.folders, rules: () => job.rules, access, encodingOf: () => undefined };
  const run = new PolicyRun(files, { platform: job.platform }, () => false);
  const isIncluded = selectionTest(job.include, run.ignoreCase);
  const isLeftOut = job.exclude.length > 0 ? selectionTest(job.exclude, run.ignoreCase) : () => false;
  const isWanted: PathTest = (path) => isIncluded(path) && !isLeftOut(path);

  const matcher = job.search && new LineMatcher(job.search.pattern);
  const counts = emptyCounts();
  const passed = { seen: 0, given: 0, largeFiles: 0 };
  let batch: FoundFile[] = [];
  const give = (file: FoundFile) => {
    batch.push(file);
    if (batch.length >= batchSize) {
      found(batch);
      batch = [];
    }
  };

  const summarise = (hasMore: boolean): WorkerSummary => {
    if (batch.length > 0) found(batch);
    return { hasMore, largeFiles: passed.largeFiles, ...counts };
  };

  for (const target of job.targets) {
    for await (const path of pathsOf(target, isWanted, { access, run, counts })) {
      const realPath = joinPath(target.root, path);
      const shown = run.shownPath(target.folder, path);
      if (!matcher || !job.search) {
        passed.seen++;
        if (passed.seen <= job.skip) continue;
        if (passed.given++ >= job.limit) return summarise(true);
        give({ shown, realPath, matches: [] });
        continue;
      }
      await pause?.();
      const text = await textOf(job, target, realPath, matcher, access);
      if (text === 'too-large') passed.largeFiles++;
      if (text === undefined || text === 'too-large') continue;
      const wanted = job.skip + job.limit - passed.seen;
      // One more than is given, to know whether there are more.
      let matches = matcher.match(text.text, job.search.context, wanted + 1);
      if (matches.length === 0 || !(await text.isStillThere())) continue;
      // What matches decides by what may be told, or a secret could be guessed letter by letter.
      const redacted = redactSecrets(text.text);
      if (redacted !== text.text) matches = matcher.match(redacted, job.search.context, wanted + 1);
      if (matches.length === 0) continue;
      const stat = await text.stat();
      if (stat && !(await run.judgeNames(realPath, stat))) {
        counts.withheld.set('linked', (counts.withheld.get('linked') ?? 0) + 1);
        continue;
      }
      const from = Math.max(0, job.skip - passed.seen);
      passed.seen += matches.length;
      const kept = matches.slice(from, wanted);
      if (kept.length > 0) give({ shown, realPath, matches: kept });
      if (matches.length > wanted) return summarise(true);
    }
  }
  return summarise(false);
}

async function* pathsOf(
  target: SearchTarget,
  isWanted: PathTest,
  walk: Parameters<typeof walkFiles>[0],
): AsyncGenerator<string, void, void> {
  if (target.isFile) {
    if (isWanted(target.start)) yield target.start;
  } else if (target.candidates) {
    for (const path of target.candidates) {
      if (!isWanted(path)) continue;
      if (target.folder.isVirtual) {
        yield path;
        continue;
      }
      // ripgrep chose it by rules that are not ours.
      if ((await walk.run.objection(target.root, path, false)) === undefined) yield path;
    }
  } else {
    yield* walkFiles(walk, target.root, target.start, undefined, isWanted);
  }
}

async function textOf(
  job: WorkerJob,
  target: SearchTarget,
  realPath: string,
  matcher: LineMatcher,
  access: FileAccess,
): Promise<SearchedText | 'too-large' | undefined> {
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
