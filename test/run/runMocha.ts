// Runs built test files with mocha in this process, be it Node or an extension host.
import Mocha from 'mocha';
import { noteFailure, testEnded } from '../host/failures.ts';
import { testsEnded } from '../host/testsEnd.ts';
import { FileReporter, type ReporterOptions } from './fileReporter.ts';

export interface MochaJob {
  files: string[];
  timeoutMs: number;
  grep?: string | undefined;
  verbose: boolean;
  /** Seed of properties' inputs; random by default. */
  seed?: number;
  bail?: boolean;
  /** No test begins later, counted from when the files were loaded. */
  budgetMs?: number | undefined;
}

export interface MochaHost {
  write?: typeof console.log;
  beforeEach?: () => unknown;
  /** True for an uncaught error that isn't a fault of the running test. */
  isForeign?: (error: unknown) => boolean;
}

export interface MochaOutcome {
  passed: number;
  failed: number;
  /** Tests that had not begun when the budget was used up. */
  left: number;
}

/** Resolves with the counts; a failing test does not reject. */
export async function runMocha(
  { files, timeoutMs, grep, verbose, bail = false, budgetMs }: MochaJob,
  { write = console.log, beforeEach = () => {}, isForeign = () => false }: MochaHost = {},
): Promise<MochaOutcome> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: timeoutMs,
    reporter: FileReporter,
    reporterOptions: { verbose, write, isForeign } satisfies ReporterOptions,
    forbidOnly: true,
    bail,
    rootHooks: {
      afterAll: testsEnded,
      beforeEach: async () => void (await beforeEach()),
      async afterEach(this: Mocha.Context) {
        await testEnded(this.currentTest);
      },
    },
    ...(grep === undefined ? {} : { grep }),
  });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      clearTimeout(timer);
      const { passes = 0, failures = 0, tests = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures, left: runner.total - tests });
    });
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, noteFailure);
    const timer = budgetMs === undefined ? undefined : setTimeout(() => runner.abort(), budgetMs);
  });
}
