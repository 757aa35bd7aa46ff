import { Worker } from 'node:worker_threads';
import type { FoundFile, WorkerJob, WorkerSummary } from './searchJob.ts';

export type WorkerMessage =
  | { type: 'found'; files: FoundFile[] }
  | { type: 'done'; summary: WorkerSummary }
  | { type: 'failed'; message: string };

export interface WorkerOutcome {
  files: FoundFile[];
  /** Undefined on a timeout. */
  summary: WorkerSummary | undefined;
}

const mostWorkers = 2;

/** Worker threads with one job each. Starting one is slow, so the last one is kept for a while. */
export class SearchWorkers {
  private idle: SearchWorker | undefined;
  private taken = 0;
  private readonly queue: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly keepMs: number,
  ) {}

  /** Returns a worker that may still be starting. At most two are in use; others wait and reject on abort. */
  async take(signal: AbortSignal): Promise<SearchWorker> {
    signal.throwIfAborted();
    if (this.taken < mostWorkers) this.taken++;
    else await this.turn(signal);
    clearTimeout(this.timer);
    const { idle } = this;
    this.idle = undefined;
    return idle ?? new SearchWorker(this.file);
  }

  giveBack(worker: SearchWorker): void {
    const next = this.queue.shift();
    if (next) next();
    else this.taken--;
    if (!worker.isReady || this.idle) {
      worker.dispose();
      return;
    }
    this.idle = worker;
    this.timer = setTimeout(() => this.dispose(), this.keepMs).unref();
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.queue.splice(this.queue.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.queue.push(begin);
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.idle?.dispose();
    this.idle = undefined;
  }
}

class SearchWorker {
  private readonly worker: Worker;
  private failure: Error | undefined;
  private isBusy = false;

  constructor(file: string) {
    this.worker = new Worker(file, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 512 } });
    // Reported with the next job.
    this.worker.on('error', (error) => (this.failure = error));
    this.worker.on('exit', () => (this.failure ??= new Error('the search ended before it was finished')));
    this.worker.unref();
  }

  get isReady(): boolean {
    return !this.isBusy && !this.failure;
  }

  /** Rejects on abort or failure, resolves partially on a timeout; in each case the worker is busy: dispose of it. */
  async run(
    job: WorkerJob,
    timeoutMs: number,
    signal: AbortSignal,
    found?: (files: FoundFile[]) => void,
  ): Promise<WorkerOutcome> {
    signal.throwIfAborted();
    if (this.failure) throw this.failure;
    this.isBusy = true;
    const files: FoundFile[] = [];
    let stop = () => {};
    try {
      return await new Promise<WorkerOutcome>((resolve, reject) => {
        const timer = setTimeout(() => resolve({ files, summary: undefined }), timeoutMs);
        const onAbort = () => reject(signal.reason);
        const onExit = () => reject(this.failure);
        const onMessage = (message: WorkerMessage) => {
          if (message.type === 'found') {
            if (found) found(message.files);
            else files.push(...message.files);
            return;
          }
          this.isBusy = false;
          if (message.type === 'failed') reject(new Error(message.message));
          else resolve({ files, summary: message.summary });
        };
        signal.addEventListener('abort', onAbort, { once: true });
        this.worker.on('message', onMessage).on('exit', onExit).ref();
        stop = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          this.worker.off('message', onMessage).off('exit', onExit).unref();
        };
        this.worker.postMessage(job);
      });
    } finally {
      stop();
    }
  }

  dispose(): void {
    void this.worker.terminate();
  }
}
