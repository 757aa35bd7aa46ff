// Runs a mocha stage. Gets its job as the first message and answers with the outcome.
import * as fc from 'fast-check';
import { runMocha, type MochaJob } from './runMocha.ts';

/** Time for the process to end by itself after the last test. */
const drainMs = 20_000;

// Mocha fails the running test for an uncaught exception, but leaves rejections to its command line.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

process.once('message', (job: MochaJob) => {
  if (job.seed !== undefined) fc.configureGlobal({ seed: job.seed });
  void runMocha(job).then((outcome) => {
    setTimeout(() => {
      const kinds = process
        .getActiveResourcesInfo()
        .filter((kind) => kind !== 'PipeWrap' && kind !== 'Timeout');
      console.log(`  ✗ The tests left something open: ${kinds.join(', ') || 'a timer'}`);
      process.exit(1);
    }, drainMs).unref();
    process.send?.(outcome, () => process.disconnect());
  });
});
