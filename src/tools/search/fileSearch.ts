import type { Disposable } from '../../base/disposable.ts';
import { joinPath } from '../fileAccess.ts';
import type { FilePolicy } from '../filePolicy.ts';
import type { FileTexts } from '../fileText.ts';
import { blockingNodeFiles } from '../nodeFiles.ts';
import { type Refusal, refuse } from '../policy/refusal.ts';
import type { Workspace } from '../workspace.ts';
import { CandidatesAhead } from './candidates.ts';
import { largestSearchedFile } from './limits.ts';
import type { LinePattern } from './pattern.ts';
import type { FoundFile, SearchTarget, WorkerJob } from './protocol.ts';
import { ripgrepCandidates } from './ripgrepCandidates.ts';
import { virtualTexts } from './virtualTexts.ts';
import { comparePaths } from './walk.ts';
import { scanHere } from './scanHere.ts';
import { SearchWorkers, type WorkerOutcome } from './searchWorkers.ts';

export interface SearchOptions {
  /** The script made from `searchWorker.ts`. */
  workerFile: string;
  /** From `findRipgrep`. */
  ripgrep: string | undefined;
  /** For one search, ripgrep's part included. */
  timeoutMs: number;
}

const keepWorkerMs = 20_000;

export const defaultTimeoutMs = 20_000;

export interface SearchOutcome extends WorkerOutcome {
  /** A virtual file system was too large to be looked through to the end. */
  isPartial: boolean;
}

export interface FileQuery {
  /** File or folder to look in, as a model names it; undefined for the whole workspace. */
  path: string | undefined;
  include: readonly string[];
  exclude: readonly string[];
  search: { pattern: LinePattern; context: number } | undefined;
  skip: number;
  limit: number;
}

/**
 * Lists and searches files within the policy, in worker threads that are ended when time runs out. ripgrep, where
 * there is one, only chooses the files to look at: what matches is decided in one place, so the results are the same
 * with and without it.
 */
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

  /**
   * Rejects on abort, or when the worker could not run.
   * @param found for a listing: takes its files as they are found, so that none is in the outcome
   */
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
    // Plain text in a few files is found before a worker would have started. Anything else will need one, and starting
    // takes time that is spent waiting for ripgrep anyway.
    const mayStayHere = query.search?.pattern.isPlain === true && this.options.ripgrep !== undefined;
    let taking = mayStayHere ? undefined : this.workers.take(deadline);
    // A caller aborted before it is asked for learns of it below.
    taking?.catch(() => undefined);
    let ahead: CandidatesAhead | undefined;
    try {
      const texts = query.search ? await this.texts.unsaved() : new Map<string, string>();
      const bare = this.jobOf(query, targets, texts);
      if (mayStayHere) ahead = new CandidatesAhead(bare, blockingNodeFiles);
      const { job, isPartial } = await this.withCandidates(bare, texts, ahead, deadline);
      ahead?.stop();
      if (ahead && job.targets.every(({ candidates, isFile }) => candidates || isFile)) {
        return { ...(await scanHere(job, ahead, deadline)), isPartial };
      }
      taking ??= this.workers.take(deadline);
      const worker = await taking;
      const left = this.options.timeoutMs - (performance.now() - started);
      return { ...(await worker.run(job, left, signal, found)), isPartial };
    } catch (error) {
      signal.throwIfAborted();
      // Nothing was found in time, not even the files to look at.
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

  /** Ends the worker that waits for another search. */
  dispose(): void {
    this.workers.dispose();
  }

  /** The folders to look in, judged. */
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
        // One folder that went away does not keep the others from being searched.
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

  /**
   * The job with the files to look at, where they need not be found by walking.
   * @param texts of the job; those of virtual files come to them
   */
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
            found: (paths) => ahead?.hear(target, paths),
          },
          signal,
        );
        return candidates ? { ...target, candidates: withUnsaved(candidates, target, texts) } : target;
      }),
    );
    return { job: { ...job, targets }, isPartial };
  }
}

/** ripgrep knows the disk alone; what editors hold is looked at in any case. */
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
