// The worker thread of searches: a separate bundle entry, started by searchWorkers.ts and, as a helper, by itself.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/errors/errors.ts';
import { blockingNodeFileSystem } from '../files/nodeFileSystem.ts';
import type { WorkerJob } from './searchJob.ts';
import { runSearchJob } from './runSearchJob.ts';
import { createFileMatcher } from './fileMatcher.ts';
import { helperData, type HelperMessage, type HelperRequest, SearchHelpers } from './searchHelpers.ts';
import type { WorkerMessage } from './searchWorkers.ts';
import { searchBatch } from './sharedSearch.ts';

function work(): void {
  const send = (message: WorkerMessage) => parentPort?.postMessage(message);
  const helpers = new SearchHelpers(new URL(import.meta.url));
  parentPort?.on('message', (job: WorkerJob) => {
    const help = helpers.helpWith(job);
    runSearchJob(job, blockingNodeFileSystem, (files) => send({ type: 'found', files }), { help })
      .finally(() => help.end())
      .then(
        (summary) => send({ type: 'done', summary }),
        (error: unknown) => send({ type: 'failed', message: messageOf(error) }),
      );
  });
}

function helpToWork(): void {
  const send = (message: HelperMessage) => parentPort?.postMessage(message);
  let search: (request: HelperRequest & { type: 'batch' }) => Promise<void> = async () => undefined;
  parentPort?.on('message', (request: HelperRequest) => {
    if (request.type === 'batch') {
      void search(request);
      return;
    }
    const { job } = request;
    if (!job.search) return;
    const matchFile = createFileMatcher(job, job.search, blockingNodeFileSystem);
    search = async ({ id, batch }) =>
      send({ type: 'results', id, results: await searchBatch(job, matchFile, batch) });
  });
  send({ type: 'ready' });
}

if (workerData === helperData) helpToWork();
else work();
