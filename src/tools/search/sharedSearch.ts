import { setImmediate } from 'node:timers/promises';
import type { SearchTarget, WorkerJob } from './searchJob.ts';
import type { FileResult, FileMatcher } from './fileMatcher.ts';

export interface FileBatch {
  target: number;
  paths: readonly string[];
  most: number;
}

export interface SearchHelp {
  /** Undefined if all helpers are busy. Rejects if the helper fails. */
  take(batch: FileBatch): Promise<FileResult[]> | undefined;
}

const batchFiles = 32;
/** Finished batches waiting for an earlier one; bounds memory. */
const mostWaiting = 50;

interface Waiting {
  batch: FileBatch;
  results: FileResult[] | undefined;
  done: Promise<void>;
}

export class SharedSearch {
  private paths: string[] = [];
  private readonly waiting: Waiting[] = [];

  /** @param tell resolves with true when no more is needed */
  constructor(
    private readonly job: WorkerJob,
    private readonly matchFile: FileMatcher,
    private readonly help: SearchHelp,
    private readonly tell: (target: SearchTarget, path: string, result: FileResult) => Promise<boolean>,
  ) {}

  async add(target: number, path: string, most: number): Promise<boolean> {
    this.paths.push(path);
    return this.paths.length >= batchFiles && this.handOver(target, most);
  }

  async finish(target: number, most: number): Promise<boolean> {
    if (this.paths.length > 0 && (await this.handOver(target, most))) return true;
    for (let [next] = this.waiting; next; [next] = this.waiting) {
      await next.done;
      if (await this.tellWhatIsDone()) return true;
    }
    return false;
  }

  private async handOver(target: number, most: number): Promise<boolean> {
    const batch = { target, paths: this.paths, most };
    this.paths = [];
    const taken = this.help.take(batch);
    if (!taken && this.waiting.length === 0) return this.tellAsFound(batch);
    const waiting: Waiting = { batch, results: undefined, done: Promise.resolve() };
    const results = taken?.catch(() => this.search(batch)) ?? this.search(batch);
    waiting.done = results.then((each) => void (waiting.results = each));
    this.waiting.push(waiting);
    if (!taken) await waiting.done;
    await setImmediate();
    if (this.waiting.length > mostWaiting) await this.waiting[0]?.done;
    return this.tellWhatIsDone();
  }

  private async tellWhatIsDone(): Promise<boolean> {
    for (let [next] = this.waiting; next?.results; [next] = this.waiting) {
      this.waiting.shift();
      for (const [index, result] of next.results.entries()) {
        if (await this.tell(this.targetOf(next.batch), next.batch.paths[index] ?? '', result)) return true;
      }
    }
    return false;
  }

  private async tellAsFound(batch: FileBatch): Promise<boolean> {
    const target = this.targetOf(batch);
    for (const path of batch.paths) {
      if (await this.tell(target, path, await this.matchFile(target, path, batch.most))) return true;
    }
    return false;
  }

  private search(batch: FileBatch): Promise<FileResult[]> {
    return searchBatch(this.job, this.matchFile, batch);
  }

  private targetOf({ target }: FileBatch): SearchTarget {
    return this.job.targets[target]!;
  }
}

export async function searchBatch(
  job: WorkerJob,
  matchFile: FileMatcher,
  { target, paths, most }: FileBatch,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  for (const path of paths) results.push(await matchFile(job.targets[target]!, path, most));
  return results;
}
