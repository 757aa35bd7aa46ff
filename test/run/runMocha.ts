// Runs built test files with mocha in this process, be it Node or an extension host.
import Mocha from 'mocha';
import { testEnded } from '../host/failures.ts';
import { testsEnded } from '../host/testsEnd.ts';
import { FileReporter, type ReporterOptions } from './fileReporter.ts';

export interface MochaJob {
  /** Absolute paths of built test files. */
  files: string[];
  timeoutMs: number;
  grep?: string | undefined;
  verbose: boolean;
  /** What the inputs of properties are made from; else they are new in each run. */
  seed?: number;
  /** Ends with the first test that fails. */
  bail?: boolean;
}

/** The process that mocha runs in. */
export interface MochaHost {
  /** Prints in the form of console.log. */
  write?: typeof console.log;
  /** Begins every test. */
  beforeEach?: () => unknown;
  /** True for an uncaught error that is no fault of the test during which it was thrown. */
  isForeign?: (error: unknown) => boolean;
}

export interface MochaOutcome {
  passed: number;
  failed: number;
}

/**
 * Resolves with the counts; a failing test does not reject.
 */
export async function runMocha(
  { files, timeoutMs, grep, verbose, bail = false }: MochaJob,
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
      const { passes = 0, failures = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures });
    });
  });
}
