import { setImmediate } from 'node:timers/promises';
import { blockingNodeFiles } from '../nodeFiles.ts';
import type { FoundFile, WorkerJob } from './protocol.ts';
import { scan } from './scan.ts';
import type { WorkerOutcome } from './searchWorkers.ts';

/** The thread is the editor's extension host: others get their turn after so long. */
const longestTurnMs = 8;

/** Does a job without a worker: for plain text in files that were chosen already. Gives what it had at the deadline. */
export async function scanHere(job: WorkerJob, deadline: AbortSignal): Promise<WorkerOutcome> {
  const files: FoundFile[] = [];
  let turnStarted = performance.now();
  const pause = async () => {
    if (performance.now() - turnStarted < longestTurnMs) return;
    await setImmediate();
    deadline.throwIfAborted();
    turnStarted = performance.now();
  };
  try {
    const summary = await scan(job, blockingNodeFiles, (found) => files.push(...found), pause);
    return { files, summary };
  } catch (error) {
    if (deadline.aborted) return { files, summary: undefined };
    throw error;
  }
}
