// `npm test -- changed`: formatting, lint, types, and the tests that reach a file of the branch's changes.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { posix, join } from 'node:path';
import { buildTests } from '../host/build.ts';
import { root } from '../host/paths.ts';
import { runProcess } from '../host/processes.ts';
import { runTools, typeChecks, type Command } from './checks.ts';
import { runJob, testFiles } from './mochaStages.ts';
import type { Stage, StageOptions, StageResult } from './stage.ts';
import { readLoads, testsLoading, type TestLoads } from './testLoads.ts';

const quickFolders = ['unit', 'servers', 'integration'];
/** Time from the start of this process, in which tests may begin; the whole is to take 20 s. */
const beginMs = 14_500;
/** On a busy machine the tests nearest to the change begin all the same. */
const leastMs = 3000;
/** Tests of a batch share a process and the code that it has loaded. */
const batchSize = 12;
const testTimeoutMs = 60_000;
const batchTimeoutMs = 5 * 60_000;

/** Tests of the sources' texts, such as their imports, reach no file through imports. */
const readsSources = (test: string) => /^test\/unit\/(run\/)?[^/]+$/.test(test);

export async function changedStages(): Promise<Stage[]> {
  const files = await changedFiles();
  const scripts = files.filter((file) => /\.(m?js|tsx?)$/.test(file) && existsSync(join(root, file)));
  console.log(`${files.length} files changed`);
  return [
    {
      name: 'checks',
      run: () => runTools([['oxfmt', '--check'], ...lintOf(scripts), ...typeChecks]),
    },
    { name: 'tests', run: (options) => runTests(files, options) },
  ];
}

function lintOf(scripts: readonly string[]): Command[] {
  if (scripts.length === 0) return [];
  return [['oxlint', '--type-aware', '--deny-warnings', '--no-error-on-unmatched-pattern', ...scripts]];
}

/** Paths of files that differ from the branch's merge base, uncommitted and untracked ones included. */
export async function changedFiles(folder = root): Promise<string[]> {
  const git = async (...args: string[]) => {
    const { succeeded, output } = await runProcess('git', args, { cwd: folder });
    return succeeded ? output : undefined;
  };
  let base = 'HEAD';
  for (const branch of ['origin/HEAD', 'main', 'master']) {
    const commit = await git('merge-base', 'HEAD', branch);
    if (commit === undefined) continue;
    base = commit.trim();
    break;
  }
  const lists = [
    await git('diff', '--name-only', '--no-renames', '--relative', '-z', base),
    await git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  if (lists.includes(undefined)) throw new Error('Git could not tell what has changed.');
  return [...new Set(lists.join('').split('\0').filter(Boolean))].toSorted();
}

/** Tests that load one of the files or read it by its name, nearest first. */
export function reachedTests(
  files: readonly string[],
  tests: readonly { path: string; text: string }[],
  loads: TestLoads,
): string[] {
  const paths = tests.map(({ path }) => path);
  const loading = files.flatMap((file) => testsLoading(file, paths, loads));
  const reading = tests.filter(
    ({ path, text }) =>
      readsSources(path) ||
      files.some((file) => text.includes(posix.basename(file)) || text.includes(`'${posix.dirname(file)}'`)),
  );
  return [
    ...new Set([
      ...files.filter((file) => paths.includes(file)),
      ...loading,
      ...reading.map(({ path }) => path),
    ]),
  ];
}

async function runTests(files: readonly string[], options: StageOptions): Promise<StageResult> {
  const all = await testFiles(quickFolders);
  const [loads, tests] = await Promise.all([
    readLoads(all),
    Promise.all(all.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') }))),
  ]);
  const reached = reachedTests(files, tests, loads);
  const [host = '', ...scripts] = await buildTests(
    ['test/run/mochaProcess.ts', ...reached],
    'out/tests/changed',
  );
  const sum: StageResult = { passed: 0, failed: 0, output: '' };
  const runNext = async (): Promise<void> => {
    const budgetMs = Math.max(deadline - performance.now(), 0);
    const job = { files: scripts.splice(0, batchSize), timeoutMs: testTimeoutMs, budgetMs, ...options };
    const { outcome, output, problem } = await runJob(host, job, { limitMs: batchTimeoutMs });
    sum.passed += outcome?.passed ?? 0;
    leftTests += outcome?.left ?? 0;
    sum.failed += (outcome?.failed ?? 0) + (problem === undefined ? 0 : 1);
    sum.output += `${output}${problem === undefined ? '' : `  ✗ ${problem}\n`}`;
    if (scripts.length > 0 && performance.now() < deadline) await runNext();
  };
  let leftTests = 0;
  const deadline = Math.max(beginMs, performance.now() + leastMs);
  const workers = Math.min(availableParallelism(), Math.ceil(scripts.length / batchSize));
  await Promise.all(Array.from({ length: workers }, runNext));
  const left = [
    ...(scripts.length + leftTests > 0
      ? [
          `  not run for want of time: ${scripts.length} of ${reached.length} test files, ${leftTests} tests of others`,
        ]
      : []),
    ...(files.some((file) => /^(src|media|package\.)/.test(file)) ? ['  not run: page, editor and e2e'] : []),
  ];
  return { ...sum, output: [sum.output.trimEnd(), ...left].join('\n') };
}
