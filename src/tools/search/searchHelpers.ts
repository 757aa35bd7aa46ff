import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { HelperMessage, HelperRequest, WorkerJob } from './protocol.ts';
import type { FileResult } from './searchFile.ts';
import type { FileBatch, SearchHelp } from './sharedSearch.ts';

/** Beside the worker that asks for them: ripgrep uses every processor, and beyond four threads the disk is waited for. */
const mostHelpers = Math.min(3, availableParallelism() - 1);
/** So many batches lie with a helper, that it need not wait for the next. */
const batchesAtHand = 2;
/** What the script of a worker gets as `workerData` when it is to help another. */
export const helperData = 'helper';

/** Threads that search files for a worker. They start at the first call for help, and end with the worker. */
export class SearchHelpers {
  private helpers: SearchHelper[] | undefined;

  /** @param file the worker's own script */
  constructor(
    private readonly file: URL,
    private readonly count = mostHelpers,
  ) {}

  /** Help with one job. `end` is to be called when nothing more of it is wanted. */
  helpWith(job: WorkerJob): SearchHelp & { end(): void } {
    // Which files are searched is said batch by batch.
    const targets = job.targets.map((target) => ({ ...target, candidates: undefined }));
    const shared = { ...job, targets };
    return {
      take: (batch) => {
        this.helpers ??= Array.from({ length: this.count }, () => new SearchHelper(this.file));
        const free = this.helpers.find((helper) => helper.isReady);
        return free?.search(shared, batch);
      },
      end: () => {
        // It may be at an expression that never ends, and nobody would know.
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
