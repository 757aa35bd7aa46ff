// The worker thread that walks and searches: an entry of its own in the bundle, started by search/searchWorkers.ts.
import { parentPort } from 'node:worker_threads';
import { blockingNodeFiles } from './nodeFiles.ts';
import type { WorkerJob, WorkerMessage } from './search/protocol.ts';
import { scan } from './search/scan.ts';
import { messageOf } from '../base/messageOf.ts';

const send = (message: WorkerMessage) => parentPort?.postMessage(message);

parentPort?.on('message', (job: WorkerJob) => {
  scan(job, blockingNodeFiles, (files) => send({ type: 'found', files })).then(
    (summary) => send({ type: 'done', summary }),
    (error: unknown) => send({ type: 'failed', message: messageOf(error) }),
  );
});
