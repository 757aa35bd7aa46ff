import { setImmediate } from 'node:timers/promises';
import type { SearchTarget, WorkerJob } from './protocol.ts';
import type { FileResult, SearchFile } from './searchFile.ts';

/** Files of one target, for a helper to search. */
export interface FileBatch {
  /** Its index in the job. */
  target: number;
  paths: readonly string[];
  /** Matches that are wanted of a file. */
  most: number;
}

/** Searches files of a job beside the one who asks. */
export interface SearchHelp {
  /** Undefined when every helper has enough to do. Rejects if the one who took it failed. */
  take(batch: FileBatch): Promise<FileResult[]> | undefined;
}

/** Of a batch: enough to make handing it over cheap, few enough that nobody waits long for the last one. */
const batchFiles = 32;
/** Batches that were searched but come after one that was not; more wait, so that memory is bounded. */
const mostWaiting = 50;

interface Waiting {
  batch: FileBatch;
  results: FileResult[] | undefined;
  done: Promise<void>;
}

/** Searches files together with helpers, and tells what they hold in the order in which they were added. */
export class SharedSearch {
  private paths: string[] = [];
  private readonly waiting: Waiting[] = [];

  /** @param tell resolves with true when no more is wanted */
  constructor(
    private readonly job: WorkerJob,
    private readonly searchFile: SearchFile,
    private readonly help: SearchHelp,
    private readonly tell: (target: SearchTarget, path: string, result: FileResult) => Promise<boolean>,
  ) {}

  /** Resolves with true when no more is wanted. */
  async add(target: number, path: string, most: number): Promise<boolean> {
    this.paths.push(path);
    return this.paths.length >= batchFiles && this.handOver(target, most);
  }

  /** Waits for all that was added, likewise. */
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
    // What a helper failed at is done here.
    const results = taken?.catch(() => this.search(batch)) ?? this.search(batch);
    waiting.done = results.then((each) => void (waiting.results = each));
    this.waiting.push(waiting);
    if (!taken) await waiting.done;
    // Lets in what helpers have to say.
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
      if (await this.tell(target, path, await this.searchFile(target, path, batch.most))) return true;
    }
    return false;
  }

  private search(batch: FileBatch): Promise<FileResult[]> {
    return searchBatch(this.job, this.searchFile, batch);
  }

  private targetOf({ target }: FileBatch): SearchTarget {
    return this.job.targets[target]!;
  }
}

export async function searchBatch(
  job: WorkerJob,
  searchFile: SearchFile,
  { target, paths, most }: FileBatch,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  for (const path of paths) results.push(await searchFile(job.targets[target]!, path, most));
  return results;
}
