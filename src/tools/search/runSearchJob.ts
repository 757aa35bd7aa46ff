import type { PathTest } from '../../base/files/matchGlob.ts';
import { type FileSystem, joinPath } from '../files/fileSystem.ts';
import { selectionTest } from '../policy/pathFilters.ts';
import { type Candidates, createCandidates } from './candidates.ts';
import type { FoundFile, SearchTarget, WorkerJob, WorkerSummary } from './searchJob.ts';
import type { FileResult } from './fileMatcher.ts';
import { type SearchHelp, SharedSearch } from './sharedSearch.ts';
import { emptyCounts, walkFiles } from './walkFiles.ts';

/** Files per message, so that little is lost on a timeout. */
const batchSize = 50;
/** Files searched before helpers are asked; most searches end earlier. */
const filesAlone = 300;

interface Scan {
  /** Called before each file; ends the search by throwing. */
  pause?: () => Promise<void>;
  help?: SearchHelp;
  candidates?: Candidates;
}

/** Lists or searches files within the policy, in a fixed order. */
export async function runSearchJob(
  job: WorkerJob,
  access: FileSystem,
  found: (files: FoundFile[]) => void,
  { pause, help, candidates = createCandidates(job, access) }: Scan = {},
): Promise<WorkerSummary> {
  const { run, matchFile } = candidates;
  const isIncluded = selectionTest(job.include, run.ignoreCase);
  const isLeftOut = job.exclude.length > 0 ? selectionTest(job.exclude, run.ignoreCase) : () => false;
  const isWanted: PathTest = (path) => isIncluded(path) && !isLeftOut(path);

  const counts = emptyCounts();
  const passed = { seen: 0, given: 0, largeFiles: 0 };
  // The next file may never finish.
  const giveAt = job.search?.pattern.isPlain === false ? 1 : batchSize;
  let batch: FoundFile[] = [];
  const give = (file: FoundFile) => {
    batch.push(file);
    if (batch.length >= giveAt) {
      found(batch);
      batch = [];
    }
  };

  const summarise = (hasMore: boolean): WorkerSummary => {
    if (batch.length > 0) found(batch);
    return { hasMore, largeFiles: passed.largeFiles, ...counts };
  };

  const most = () => job.skip + job.limit - passed.seen + 1;

  const tell = async (target: SearchTarget, path: string, result: FileResult): Promise<boolean> => {
    if (result === 'too-large') passed.largeFiles++;
    if (result === undefined || result === 'too-large') return false;
    const { realPath, stat, matches } = result;
    if (stat && !(await run.judgeNames(realPath, stat))) return false;
    const from = Math.max(0, job.skip - passed.seen);
    const to = job.skip + job.limit - passed.seen;
    passed.seen += matches.length;
    const kept = matches.slice(from, to);
    if (kept.length > 0) give({ shown: run.shownPath(target.folder, path), realPath, matches: kept });
    return matches.length > to;
  };

  const shared = matchFile && help && new SharedSearch(job, matchFile, help, tell);
  let looked = 0;
  for (const [index, target] of job.targets.entries()) {
    for await (const path of pathsOf(target, isWanted, candidates, { access, run, counts })) {
      if (!matchFile) {
        passed.seen++;
        if (passed.seen <= job.skip) continue;
        if (passed.given++ >= job.limit) return summarise(true);
        give({
          shown: run.shownPath(target.folder, path),
          realPath: joinPath(target.root, path),
          matches: [],
        });
        continue;
      }
      await pause?.();
      const isFull =
        shared && !target.folder.isVirtual && ++looked > filesAlone
          ? await shared.add(index, path, most())
          : await tell(target, path, await matchFile(target, path, most()));
      if (isFull) return summarise(true);
    }
    if (await shared?.finish(index, most())) return summarise(true);
  }
  return summarise(false);
}

async function* pathsOf(
  target: SearchTarget,
  isWanted: PathTest,
  candidates: Candidates,
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
      // ripgrep chose it by other rules.
      if ((await candidates.objection(target, path)) === undefined) yield path;
    }
  } else {
    yield* walkFiles(walk, target.root, target.start, undefined, isWanted);
  }
}
