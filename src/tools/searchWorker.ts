// The worker thread that walks and searches: an entry of its own in the bundle, started by search/searchWorkers.ts. It
// starts itself once more for those that help it to search.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../base/messageOf.ts';
import { blockingNodeFiles } from './nodeFiles.ts';
import type { HelperMessage, HelperRequest, WorkerJob, WorkerMessage } from './search/protocol.ts';
import { scan } from './search/scan.ts';
import { createSearchFile } from './search/searchFile.ts';
import { helperData, SearchHelpers } from './search/searchHelpers.ts';
import { searchBatch } from './search/sharedSearch.ts';

function work(): void {
  const send = (message: WorkerMessage) => parentPort?.postMessage(message);
  const helpers = new SearchHelpers(new URL(import.meta.url));
  parentPort?.on('message', (job: WorkerJob) => {
    const help = helpers.helpWith(job);
    scan(job, blockingNodeFiles, (files) => send({ type: 'found', files }), { help })
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
    const searchFile = createSearchFile(job, job.search, blockingNodeFiles);
    search = async ({ id, batch }) =>
      send({ type: 'results', id, results: await searchBatch(job, searchFile, batch) });
  });
  send({ type: 'ready' });
}

if (workerData === helperData) helpToWork();
else work();
