import { type Candidates, CandidatesAhead } from './candidates.ts';
import { runSearchJob } from './runSearchJob.ts';
import type { Disposable } from '../../base/disposable.ts';
import { joinPath } from '../files/fileSystem.ts';
import type { FilePolicy } from '../policy/filePolicy.ts';
import { type FileTexts, largestWholeFile } from '../files/fileTexts.ts';
import { blockingNodeFileSystem } from '../files/nodeFileSystem.ts';
import { type Refusal, refuse } from '../policy/verdict.ts';
import type { Workspace, Files } from '../files/workspace.ts';
import type { LinePattern } from './linePattern.ts';
import type { FoundFile, SearchTarget, WorkerJob } from './searchJob.ts';
import { ripgrepCandidates } from './ripgrepCandidates.ts';
import { comparePaths, emptyCounts, walkFiles } from './walkFiles.ts';
import { SearchWorkers, type WorkerOutcome } from './searchWorkers.ts';
import { createGiveWay } from '../../base/async/promises.ts';
import { decodeText, detectEncoding } from '../files/decodeText.ts';
import type { PolicyRun } from '../policy/policyRun.ts';

export interface SearchOptions {
  workerFile: string;
  ripgrep: string | undefined;
  /** Includes ripgrep's time. */
  timeoutMs: number;
}

const keepWorkerMs = 20_000;
const largestSearchedFile = 50_000_000;

/** In characters: searching for a long text in repetitive text is slow. */
const longestHere = 100;

export const defaultTimeoutMs = 20_000;

export interface SearchOutcome extends WorkerOutcome {
  isPartial: boolean;
}

export interface FileQuery {
  /** The path as a model names it; undefined for the whole workspace. */
  path: string | undefined;
  include: readonly string[];
  exclude: readonly string[];
  search: { pattern: LinePattern; context: number } | undefined;
  skip: number;
  limit: number;
}

/** Works within the policy, in workers ended on a timeout. ripgrep picks candidates; results don't depend on it. */
export class FileSearch implements Disposable {
  private readonly workers: SearchWorkers;

  constructor(
    private readonly workspace: Workspace,
    private readonly policy: FilePolicy,
    private readonly texts: FileTexts,
    private readonly options: SearchOptions,
  ) {
    this.workers = new SearchWorkers(options.workerFile, keepWorkerMs);
  }

  /** Rejects on abort or if the worker fails; `found` receives the files of a listing as they are found. */
  async run(
    query: FileQuery,
    signal: AbortSignal,
    found?: (files: FoundFile[]) => void,
  ): Promise<SearchOutcome | Refusal> {
    const targets = await this.targetsOf(query.path);
    if ('reason' in targets) return targets;
    signal.throwIfAborted();
    const started = performance.now();
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(this.options.timeoutMs)]);
    // Plain text in few files is found before a worker starts. Otherwise the worker starts while ripgrep runs.
    const { isPlain = false, source = '' } = query.search?.pattern ?? {};
    const mayStayHere = isPlain && source.length <= longestHere && this.options.ripgrep !== undefined;
    let taking = mayStayHere ? undefined : this.workers.take(deadline);
    // An abort is reported below.
    taking?.catch(() => undefined);
    let ahead: CandidatesAhead | undefined;
    try {
      const texts = query.search ? await this.texts.unsaved() : new Map<string, string>();
      const bare = this.jobOf(query, targets, texts);
      if (mayStayHere) ahead = new CandidatesAhead(bare, blockingNodeFileSystem);
      const { job, isPartial } = await this.withCandidates(bare, texts, ahead, deadline);
      ahead?.stop();
      if (ahead && job.targets.every(({ candidates, isFile }) => candidates || isFile)) {
        return { ...(await runSearchJobHere(job, ahead, deadline)), isPartial };
      }
      taking ??= this.workers.take(deadline);
      const worker = await taking;
      const left = this.options.timeoutMs - (performance.now() - started);
      return { ...(await worker.run(job, left, signal, found)), isPartial };
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return { files: [], summary: undefined, isPartial: false };
      throw error;
    } finally {
      ahead?.stop();
      void taking?.then(
        (worker) => this.workers.giveBack(worker),
        () => undefined,
      );
    }
  }

  dispose(): void {
    this.workers.dispose();
  }

  private async targetsOf(path: string | undefined): Promise<SearchTarget[] | Refusal> {
    const { files } = this.workspace;
    const run = this.policy.start();
    if (files.folders().length === 0) return refuse('no-folder', path ?? '.');
    const isWhole = path === undefined || /^\.?\/?$/.test(path);
    const paths = isWhole ? files.folders().map((folder) => folder.path) : [path];
    const targets: SearchTarget[] = [];
    for (const each of paths) {
      const asFolder = await run.check(each, 'list');
      const verdict =
        !asFolder.isAllowed && asFolder.reason === 'not-a-folder' ? await run.check(each, 'read') : asFolder;
      if (!verdict.isAllowed) {
        // A removed folder doesn't prevent searching the others.
        if (isWhole && verdict.reason === 'not-found' && paths.length > 1) continue;
        return verdict;
      }
      const { folder, relative, realPath } = verdict;
      const root = realPath.slice(0, realPath.length - (relative === '' ? 0 : relative.length + 1)) || '/';
      const encoding = files.encodingOf(root);
      targets.push({
        folder,
        root,
        start: relative,
        isFile: verdict.stat?.type === 'file',
        ...(encoding !== undefined && { encoding }),
      });
    }
    return targets;
  }

  private jobOf(query: FileQuery, targets: SearchTarget[], texts: ReadonlyMap<string, string>): WorkerJob {
    const { files } = this.workspace;
    return {
      folders: files.folders(),
      rules: files.rules(),
      platform: process.platform,
      targets,
      include: query.include,
      exclude: query.exclude,
      search: query.search,
      skip: query.skip,
      limit: query.limit,
      maxFileBytes: largestSearchedFile,
      texts,
    };
  }

  private async withCandidates(
    job: WorkerJob,
    texts: Map<string, string>,
    ahead: CandidatesAhead | undefined,
    signal: AbortSignal,
  ): Promise<{ job: WorkerJob; isPartial: boolean }> {
    const { files } = this.workspace;
    const { search, rules } = job;
    let isPartial = false;
    const targets = await Promise.all(
      job.targets.map(async (target): Promise<SearchTarget> => {
        if (target.folder.isVirtual) {
          const run = this.policy.start();
          const found = await virtualTexts(files, run, target, search !== undefined, signal);
          isPartial ||= !found.isComplete;
          for (const [path, text] of found.texts) if (!texts.has(path)) texts.set(path, text);
          return { ...target, candidates: found.paths };
        }
        if (!search || target.isFile) return target;
        const candidates = await ripgrepCandidates(
          this.options.ripgrep,
          target,
          {
            pattern: search.pattern,
            rules,
            access: files.access,
            found: (paths) => ahead?.add(target, paths),
          },
          signal,
        );
        return candidates ? { ...target, candidates: withUnsaved(candidates, target, texts) } : target;
      }),
    );
    return { job: { ...job, targets }, isPartial };
  }
}

/** Adds unsaved files, which ripgrep doesn't know. */
function withUnsaved(
  candidates: readonly string[],
  { root, start }: SearchTarget,
  texts: ReadonlyMap<string, string>,
): string[] {
  const all = new Set(candidates);
  const below = joinPath(root, start);
  for (const path of texts.keys()) {
    if (path.startsWith(`${below}/`)) all.add(path.slice(root.length + (root.endsWith('/') ? 0 : 1)));
  }
  return [...all].toSorted(comparePaths);
}

/** Searches plain text in chosen files without a worker; returns partial results at the deadline. */
async function runSearchJobHere(
  job: WorkerJob,
  candidates: Candidates,
  deadline: AbortSignal,
): Promise<WorkerOutcome> {
  const files: FoundFile[] = [];
  const giveWay = createGiveWay();
  const pause = async () => {
    if (await giveWay()) deadline.throwIfAborted();
  };
  try {
    const summary = await runSearchJob(job, blockingNodeFileSystem, (found) => files.push(...found), {
      pause,
      candidates,
    });
    return { files, summary };
  } catch (error) {
    if (deadline.aborted) return { files, summary: undefined };
    throw error;
  }
}

/** Every file is fetched, often over a network. */
const mostFiles = 2000;
const mostBytes = 30_000_000;

/** Files and texts that neither ripgrep nor a worker can read; incomplete if a limit was reached. */
async function virtualTexts(
  { access }: Files,
  run: PolicyRun,
  target: SearchTarget,
  withTexts: boolean,
  signal: AbortSignal,
): Promise<{ paths: string[]; texts: Map<string, string>; isComplete: boolean }> {
  const paths: string[] = [];
  const texts = new Map<string, string>();
  let bytes = 0;
  const walk = target.isFile
    ? [target.start]
    : walkFiles({ access, run, counts: emptyCounts() }, target.root, target.start, signal);
  for await (const path of walk) {
    signal.throwIfAborted();
    if (paths.length >= mostFiles || bytes >= mostBytes) return { paths, texts, isComplete: false };
    paths.push(path);
    if (!withTexts) continue;
    const realPath = joinPath(target.root, path);
    const file = await access.open(realPath).catch(() => undefined);
    if (!file) continue;
    if (file.stat.type === 'file' && file.stat.size <= largestWholeFile) {
      const content = new Uint8Array(file.stat.size);
      const read = content.subarray(0, await file.read(content, 0));
      bytes += read.length;
      const encoding = detectEncoding(read, true, target.encoding);
      if (encoding) texts.set(realPath, decodeText(read, encoding));
    }
    await file.close();
  }
  return { paths, texts, isComplete: true };
}
