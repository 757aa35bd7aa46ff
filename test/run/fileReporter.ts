// Prints a line per test file, each failure in full, and no totals (the runner has them).
import { relative, join } from 'node:path';
import Mocha from 'mocha';
import { outFolder } from '../host/paths.ts';

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;

export interface ReporterOptions {
  verbose: boolean;
  write: typeof console.log;
  isForeign: (error: unknown) => boolean;
}

interface FileCount {
  passed: number;
  failed: number;
  durationMs: number;
}

export class FileReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { verbose, write, isForeign } = options.reporterOptions as ReporterOptions;
    // Mocha listens with this from the start of the run to its end.
    const uncaught = runner.uncaught.bind(runner);
    runner.uncaught = (error) => {
      if (!isForeign(error)) uncaught(error);
    };
    Object.assign(Mocha.reporters.Base, { consoleLog: write });
    const files = new Map<string, FileCount>();
    const count = (test: Mocha.Runnable): FileCount => {
      const file = sourceName(test.file ?? test.parent?.file);
      const known = files.get(file) ?? { passed: 0, failed: 0, durationMs: 0 };
      files.set(file, known);
      known.durationMs += test.duration ?? 0;
      return known;
    };
    const tell = (mark: string, test: Mocha.Runnable) => {
      if (verbose) write(`    ${mark} ${test.fullTitle()} (${test.duration ?? 0} ms)`);
    };
    runner.on(EVENT_TEST_PASS, (test: Mocha.Test) => {
      count(test).passed++;
      tell('✓', test);
    });
    runner.on(EVENT_TEST_FAIL, (test: Mocha.Runnable) => {
      count(test).failed++;
      tell('✗', test);
    });
    // A skipped test proves nothing, so it is reported.
    runner.on(EVENT_TEST_PENDING, (test: Mocha.Test) => write(`  - skipped: ${test.fullTitle()}`));
    runner.once(EVENT_RUN_END, () => {
      for (const [file, { passed, failed, durationMs }] of files) {
        const tests = failed === 0 ? `${passed}` : `${failed} of ${passed + failed} failed`;
        write(`  ${failed === 0 ? '✓' : '✗'} ${file}  ${tests}  (${durationMs} ms)`);
      }
      Mocha.reporters.Base.list(this.failures);
    });
  }
}

/** The source of a bundle, such as `unit/relay/streamModel`. */
function sourceName(bundle: string | undefined): string {
  if (bundle === undefined) return 'hooks of all files';
  const [, ...path] = relative(join(outFolder, 'tests'), bundle)
    .replace(/\.test\.[cm]js$/, '')
    .split(/[\\/]test[\\/]/);
  return path.join('/').replaceAll('\\', '/');
}
