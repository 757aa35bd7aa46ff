import { createGiveWay } from '../../base/giveWay.ts';
import { blockingNodeFiles } from '../nodeFiles.ts';
import type { Candidates } from './candidates.ts';
import type { FoundFile, WorkerJob } from './protocol.ts';
import { scan } from './scan.ts';
import type { WorkerOutcome } from './searchWorkers.ts';

/** Does a job without a worker: for plain text in files that were chosen already. Gives what it had at the deadline. */
export async function scanHere(
  job: WorkerJob,
  candidates: Candidates,
  deadline: AbortSignal,
): Promise<WorkerOutcome> {
  const files: FoundFile[] = [];
  const giveWay = createGiveWay();
  const pause = async () => {
    if (await giveWay()) deadline.throwIfAborted();
  };
  try {
    const summary = await scan(job, blockingNodeFiles, (found) => files.push(...found), {
      pause,
      candidates,
    });
    return { files, summary };
  } catch (error) {
    if (deadline.aborted) return { files, summary: undefined };
    throw error;
  }
}
