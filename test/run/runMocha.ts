// Runs built test files with mocha in this process, be it Node or an extension host.
import Mocha from 'mocha';
import { testFailed } from '../host/failures.ts';
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

export interface MochaOutcome {
  passed: number;
  failed: number;
}

/**
 * Resolves with the counts; a failing test does not reject.
 * @param write where what mocha says goes, in the form of console.log
 * @param beforeEach what every test begins with
 */
export async function runMocha(
  { files, timeoutMs, grep, verbose, bail = false }: MochaJob,
  write: typeof console.log = console.log,
  beforeEach: () => unknown = () => {},
): Promise<MochaOutcome> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: timeoutMs,
    reporter: FileReporter,
    reporterOptions: { verbose, write } satisfies ReporterOptions,
    forbidOnly: true,
    bail,
    rootHooks: {
      afterAll: testsEnded,
      beforeEach: async () => void (await beforeEach()),
      async afterEach(this: Mocha.Context) {
        if (this.currentTest?.state === 'failed') await testFailed(this.currentTest.fullTitle());
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
