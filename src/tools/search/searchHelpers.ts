import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { WorkerJob } from './searchJob.ts';
import type { FileResult } from './fileMatcher.ts';
import type { FileBatch, SearchHelp } from './sharedSearch.ts';

export type HelperRequest = { type: 'job'; job: WorkerJob } | { type: 'batch'; id: number; batch: FileBatch };

export type HelperMessage = { type: 'ready' } | { type: 'results'; id: number; results: FileResult[] };

/** ripgrep uses all processors, and more than four threads wait for the disk. */
const mostHelpers = Math.min(3, availableParallelism() - 1);
const batchesAtHand = 2;
export const helperData = 'helper';

export class SearchHelpers {
  private helpers: SearchHelper[] | undefined;

  constructor(
    private readonly file: URL,
    private readonly count = mostHelpers,
  ) {}

  /** `end` must be called when the job is done. */
  helpWith(job: WorkerJob): SearchHelp & { end(): void } {
    // Each batch names its files.
    const targets = job.targets.map((target) => ({ ...target, candidates: undefined }));
    const shared = { ...job, targets };
    return {
      take: (batch) => {
        this.helpers ??= Array.from({ length: this.count }, () => new SearchHelper(this.file));
        const free = this.helpers.find((helper) => helper.isReady);
        return free?.search(shared, batch);
      },
      end: () => {
        // The expression may never end.
        const mayBeStuck = job.search?.pattern.isPlain === false;
        if (mayBeStuck && this.helpers?.some((helper) => helper.isBusy)) this.dispose();
      },
    };
  }

  dispose(): void {
    for (const helper of this.helpers ?? []) helper.dispose();
    this.helpers = undefined;
  }
}

class SearchHelper {
  private readonly worker: Worker;
  private job: WorkerJob | undefined;
  private isStarted = false;
  private lastId = 0;
  private readonly asked = new Map<
    number,
    { resolve: (results: FileResult[]) => void; reject: (error: Error) => void }
  >();

  constructor(file: URL) {
    this.worker = new Worker(file, {
      execArgv: [],
      workerData: helperData,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.worker.on('message', (message: HelperMessage) => {
      if (message.type === 'ready') {
        this.isStarted = true;
        return;
      }
      this.asked.get(message.id)?.resolve(message.results);
      this.asked.delete(message.id);
    });
    // An exit follows.
    this.worker.on('error', () => undefined);
    this.worker.on('exit', () => {
      this.isStarted = false;
      for (const { reject } of this.asked.values()) reject(new Error('the helper ended'));
      this.asked.clear();
    });
  }

  get isReady(): boolean {
    return this.isStarted && this.asked.size < batchesAtHand;
  }

  get isBusy(): boolean {
    return this.asked.size > 0;
  }

  search(job: WorkerJob, batch: FileBatch): Promise<FileResult[]> {
    if (this.job !== job) this.send({ type: 'job', job });
    this.job = job;
    const id = ++this.lastId;
    this.send({ type: 'batch', id, batch });
    return new Promise((resolve, reject) => this.asked.set(id, { resolve, reject }));
  }

  dispose(): void {
    void this.worker.terminate();
  }

  private send(request: HelperRequest): void {
    this.worker.postMessage(request);
  }
}
