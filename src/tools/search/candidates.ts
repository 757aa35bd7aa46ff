import { type FileSystem, joinPath } from '../files/fileSystem.ts';
import { PolicyRun } from '../policy/policyRun.ts';
import type { RefusalReason } from '../policy/verdict.ts';
import type { SearchTarget, WorkerJob } from './searchJob.ts';
import { createFileMatcher, type FileResult, type FileMatcher } from './fileMatcher.ts';
import { createGiveWay } from '../../base/async/promises.ts';

export interface Candidates {
  run: PolicyRun;
  objection(target: SearchTarget, path: string): Promise<RefusalReason | undefined>;
  matchFile: FileMatcher | undefined;
}

export function createCandidates(job: WorkerJob, access: FileSystem): Candidates {
  const files = { folders: () => job.folders, rules: () => job.rules, access, encodingOf: () => undefined };
  const run = new PolicyRun(files, { platform: job.platform }, () => false);
  return {
    run,
    objection: ({ root }, path) => run.objection(root, path, false),
    matchFile: job.search && createFileMatcher(job, job.search, access),
  };
}

interface Known {
  objection: RefusalReason | undefined;
  result: FileResult;
}

/** Judges and searches files while ripgrep still runs. */
export class CandidatesAhead implements Candidates {
  readonly run: PolicyRun;
  private readonly now: Candidates;
  private readonly known = new Map<string, Known>();
  private readonly queue: { target: SearchTarget; path: string }[] = [];
  private added = 0;
  private isRunning = false;
  private isStopped = false;

  constructor(
    private readonly job: WorkerJob,
    access: FileSystem,
  ) {
    this.now = createCandidates(job, access);
    this.run = this.now.run;
  }

  add(target: SearchTarget, paths: readonly string[]): void {
    this.added += paths.length;
    if (this.added > this.most) this.stop();
    if (this.isStopped) return;
    for (const path of paths) this.queue.push({ target, path });
    if (!this.isRunning) void this.matchQueued();
  }

  stop(): void {
    this.isStopped = true;
  }

  async objection(target: SearchTarget, path: string): Promise<RefusalReason | undefined> {
    const known = this.known.get(joinPath(target.root, path));
    return known ? known.objection : this.now.objection(target, path);
  }

  readonly matchFile: FileMatcher = async (target, path, most) => {
    const known = this.known.get(joinPath(target.root, path));
    return known ? known.result : this.now.matchFile?.(target, path, most);
  };

  private get most(): number {
    return this.job.skip + this.job.limit + 1;
  }

  private async matchQueued(): Promise<void> {
    this.isRunning = true;
    const giveWay = createGiveWay();
    for (let next = this.queue.shift(); next && !this.isStopped; next = this.queue.shift()) {
      const { target, path } = next;
      const objection = await this.now.objection(target, path);
      const result = objection ? undefined : await this.now.matchFile?.(target, path, this.most);
      this.known.set(joinPath(target.root, path), { objection, result });
      await giveWay();
    }
    this.isRunning = false;
  }
}
