// Runs built test files with mocha in this process, be it Node or an extension host.
import Mocha from 'mocha';
import { testEnded } from '../host/failures.ts';
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
}

/** Resolves with the counts; a failing test does not reject. */
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
