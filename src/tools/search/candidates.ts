import { createGiveWay } from '../../base/giveWay.ts';
import type { FileAccess } from '../fileAccess.ts';
import { joinPath } from '../fileAccess.ts';
import { PolicyRun } from '../policy/policyRun.ts';
import type { RefusalReason } from '../policy/refusal.ts';
import type { SearchTarget, WorkerJob } from './protocol.ts';
import { createSearchFile, type FileResult, type SearchFile } from './searchFile.ts';

/** What is done with a file that somebody else chose: it is judged by its path, then searched. */
export interface Candidates {
  run: PolicyRun;
  objection(target: SearchTarget, path: string): Promise<RefusalReason | undefined>;
  /** Undefined where files are only listed. */
  searchFile: SearchFile | undefined;
}

export function createCandidates(job: WorkerJob, access: FileAccess): Candidates {
  const files = { folders: () => job.folders, rules: () => job.rules, access, encodingOf: () => undefined };
  const run = new PolicyRun(files, { platform: job.platform }, () => false);
  return {
    run,
    objection: ({ root }, path) => run.objection(root, path, false),
    searchFile: job.search && createSearchFile(job, job.search, access),
  };
}

interface Known {
  objection: RefusalReason | undefined;
  result: FileResult;
}

/** Judges and searches files while ripgrep still looks for more, so that little is left to do when it ends. */
export class CandidatesAhead implements Candidates {
  readonly run: PolicyRun;
  private readonly now: Candidates;
  private readonly known = new Map<string, Known>();
  private readonly coming: { target: SearchTarget; path: string }[] = [];
  private heardOf = 0;
  private isRunning = false;
  private isStopped = false;

  constructor(
    private readonly job: WorkerJob,
    access: FileAccess,
  ) {
    this.now = createCandidates(job, access);
    this.run = this.now.run;
  }

  /** Looks at them soon, unless there are more than can be told: which are told is known when all are. */
  hear(target: SearchTarget, paths: readonly string[]): void {
    this.heardOf += paths.length;
    if (this.heardOf > this.most) this.stop();
    if (this.isStopped) return;
    for (const path of paths) this.coming.push({ target, path });
    if (!this.isRunning) void this.goThrough();
  }

  stop(): void {
    this.isStopped = true;
  }

  async objection(target: SearchTarget, path: string): Promise<RefusalReason | undefined> {
    const known = this.known.get(joinPath(target.root, path));
    return known ? known.objection : this.now.objection(target, path);
  }

  readonly searchFile: SearchFile = async (target, path, most) => {
    const known = this.known.get(joinPath(target.root, path));
    return known ? known.result : this.now.searchFile?.(target, path, most);
  };

  /** Matches, and so files, that can be told, and one more. */
  private get most(): number {
    return this.job.skip + this.job.limit + 1;
  }

  private async goThrough(): Promise<void> {
    this.isRunning = true;
    const giveWay = createGiveWay();
    for (let next = this.coming.shift(); next && !this.isStopped; next = this.coming.shift()) {
      const { target, path } = next;
      const objection = await this.now.objection(target, path);
      const result = objection ? undefined : await this.now.searchFile?.(target, path, this.most);
      this.known.set(joinPath(target.root, path), { objection, result });
      await giveWay();
    }
    this.isRunning = false;
  }
}
