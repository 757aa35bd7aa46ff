import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { buildTests } from '../host/build.ts';
import { cacheFolder, root } from '../host/paths.ts';
import { startProcess } from '../host/processes.ts';
import { passMemory } from './passMemory.ts';
import type { MochaJob, MochaOutcome } from './runMocha.ts';
import type { Stage, StageOptions, StageResult } from './stage.ts';

interface MochaStage {
  name: string;
  folders: string[];
  /** Selects files if another stage shares the folders. */
  part?: { name: string; has: (text: string) => boolean };
  timeoutMs: number;
  /** Limit of the whole stage; it ends a synchronous hang, which mocha's timeout cannot. */
  stageTimeoutMs: number;
  prepare?: () => Promise<void>;
  /** Skips the stage if nothing it depends on changed since it passed, except in CI and fresh clones. */
  isOnlyForChanges?: boolean;
}

export function mochaStage(stage: MochaStage): Stage {
  return { name: stage.name, run: (options) => runStage(stage, options) };
}

export async function testFiles(folders: string[]): Promise<string[]> {
  const found = folders.map(async (folder) => {
    const names = await readdir(join(root, 'test', folder), { recursive: true }).catch(() => []);
    return names
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => `test/${folder}/${name.split(sep).join('/')}`);
  });
  return (await Promise.all(found)).flat().toSorted();
}

async function runStage(stage: MochaStage, options: StageOptions): Promise<StageResult> {
  const { part } = stage;
  const sources = part
    ? await filesWith(part.has, await testFiles(stage.folders))
    : await testFiles(stage.folders);
  if (sources.length === 0) return { passed: 0, failed: 1, output: '  ✗ there is no test file' };
  const outdir = `out/tests/${part ? `${stage.name}-${part.name}` : stage.name}`;
  const [host = '', ...files] = await buildTests(['test/run/mochaProcess.ts', ...sources], outdir);
  // Chunk names contain content hashes, so the entry scripts stand for all of them.
  const memory = stage.isOnlyForChanges
    ? await passMemory(join(cacheFolder, `${stage.name}-passed`), [...files, join(root, 'package-lock.json')])
    : undefined;
  if (memory?.isUnchanged && options.grep === undefined && !options.isNamed) {
    return { passed: 0, failed: 0, output: '  unchanged since it passed' };
  }
  await stage.prepare?.();
  const { timeoutMs, stageTimeoutMs: limitMs } = stage;
  const { outcome, output, problem } = await runJob(host, { files, timeoutMs, ...options }, { limitMs });
  let note = problem === undefined ? '' : `\n  ✗ ${problem}`;
  const { passed = 0, failed = 0 } = outcome ?? {};
  if (passed + failed === 0 && note === '') {
    // A filter without a match in one of several stages is fine; a stage without tests is an error.
    if (options.grep === undefined) note = '\n  ✗ no test ran';
  }
  if (failed === 0 && note === '' && options.grep === undefined) await memory?.keep();
  return { passed, failed: failed + (note === '' ? 0 : 1), output: output.trimEnd() + note };
}

async function filesWith(has: (text: string) => boolean, files: string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  return files.filter((_, index) => has(texts[index] ?? ''));
}

/**
 * @param host the script that `test/run/mochaProcess.ts` was built to
 * @param limitMs for all files; it ends a synchronous hang, which mocha's timeout cannot
 * @returns `problem`: the process ended abnormally; without an outcome it didn't finish the tests
 */
export async function runJob(
  host: string,
  job: MochaJob,
  { limitMs, cwd = root }: { limitMs: number; cwd?: string },
): Promise<{ outcome?: MochaOutcome; output: string; problem?: string }> {
  const started = startProcess(process.execPath, ['--enable-source-maps', host], {
    cwd,
    env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
    ipc: true,
  });
  let outcome: MochaOutcome | undefined;
  started.child.on('message', (message) => (outcome = message as MochaOutcome));
  started.child.send(job);
  let problem: string | undefined;
  const timer = setTimeout(() => {
    problem = `the tests were ended after ${limitMs / 60_000} minutes`;
    void started.stop();
  }, limitMs);
  const code = await started.ended;
  clearTimeout(timer);
  await started.stop();
  if (code !== 0 || !outcome)
    problem ??= `the process ended with ${code} ${outcome ? 'after the tests' : 'before the tests did'}`;
  return { output: started.output(), ...(outcome && { outcome }), ...(problem !== undefined && { problem }) };
}
