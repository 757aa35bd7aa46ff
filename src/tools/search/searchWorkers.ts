import { Worker } from 'node:worker_threads';
import type { FoundFile, WorkerJob, WorkerMessage, WorkerSummary } from './protocol.ts';

export interface WorkerOutcome {
  files: FoundFile[];
  /** Undefined when time ran out: then there may be more. */
  summary: WorkerSummary | undefined;
}

/** More would only slow each other and the editor down: they read the same disk. */
const mostWorkers = 2;

/**
 * Worker threads that do one job at a time. Starting one takes as long as many a search, and models search several
 * times in a row, so the last one stays for a while; then nothing is left.
 */
export class SearchWorkers {
  private idle: SearchWorker | undefined;
  private taken = 0;
  private readonly queue: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly keepMs: number,
  ) {}

  /**
   * A worker that may have yet to start: asking early hides the time it takes. At most two are out at a time; who
   * asks for more waits, and rejects when aborted meanwhile.
   */
  async take(signal: AbortSignal): Promise<SearchWorker> {
    signal.throwIfAborted();
    if (this.taken < mostWorkers) this.taken++;
    else await this.turn(signal);
    clearTimeout(this.timer);
    const { idle } = this;
    this.idle = undefined;
    return idle ?? new SearchWorker(this.file);
  }

  /** Takes a worker back. One that failed, or is still busy, ends. */
  giveBack(worker: SearchWorker): void {
    // The next that waits goes on in this one's place.
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

export class SearchWorker {
  private readonly worker: Worker;
  private failure: Error | undefined;
  private isBusy = false;

  constructor(file: string) {
    this.worker = new Worker(file, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 512 } });
    // What goes wrong before the job is given is told when it is.
    this.worker.on('error', (error) => (this.failure = error));
    this.worker.on('exit', () => (this.failure ??= new Error('the search ended before it was finished')));
    this.worker.unref();
  }

  get isReady(): boolean {
    return !this.isBusy && !this.failure;
  }

  /**
   * Rejects on abort or when the worker fails; at the deadline it resolves with what was found. In all three cases the
   * worker is still busy, perhaps with a regular expression that never ends: it is for nothing but to be disposed of.
   */
  async run(
    job: WorkerJob,
    timeoutMs: number,
    signal: AbortSignal,
    /** Takes the files in the outcome's place. */
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
