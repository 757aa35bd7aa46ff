// Tries properties with inputs made from a seed: `npm test` some, `npm run fuzz` as many as time allows.
import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildTests } from '../host/build.ts';
import { root } from '../host/paths.ts';
import { startProcess } from '../host/processes.ts';
import { vscodeFiles } from '../host/vscodeFiles.ts';
import type { FuzzJob, FuzzReport } from './fuzzProcess.ts';
import type { Stage, StageOptions, StageResult } from './stage.ts';

export interface FuzzOptions extends Pick<FuzzJob, 'path' | 'grep' | 'budgetMs' | 'isEndless'> {
  seed?: number | undefined;
  folder?: string;
  /** Limit of silence in ms: a property that freezes fails, too. */
  frozenMs?: number;
}

const stageBudgetMs = 30_000;

export const fuzzStage: Stage = {
  name: 'fuzz',
  async run({ grep, verbose, seed }: StageOptions): Promise<StageResult> {
    const lines: string[] = [];
    const options = { grep, seed, budgetMs: stageBudgetMs, isEndless: false };
    const { passed, failed } = await fuzz(options, verbose, (line) => lines.push(line));
    return { passed, failed, output: lines.join('\n') };
  },
};

interface Tried {
  runs: number;
  durationMs: number;
  hasFailed: boolean;
}

export async function fuzz(
  options: FuzzOptions,
  verbose: boolean,
  say: (line: string) => void,
): Promise<{ passed: number; failed: number }> {
  const { seed = randomInt(0x7fffffff), folder = 'test/fuzz', frozenMs = 90_000, ...rest } = options;
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.fuzz.ts')).toSorted();
  const sources = names.map((name) => `${folder}/${name}`);
  const [host = '', ...files] = await buildTests(
    ['test/run/fuzzProcess.ts', ...sources],
    `out/tests/${basename(folder)}`,
  );
  const targets = files.map((file, index) => ({ name: basename(names[index] ?? '', '.fuzz.ts'), file }));
  say(`  seed ${seed}`);
  // The targets use its ripgrep; its installation doesn't count as their time.
  await vscodeFiles();

  const tried = new Map<string, Tried>();
  let now: { title: string; seed: number } | undefined;
  const { child, ended, output, stop } = startProcess(process.execPath, ['--enable-source-maps', host], {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: '0' },
    ipc: true,
  });
  let watch = setTimeout(() => void stop(), frozenMs);
  child.on('message', (message) => {
    clearTimeout(watch);
    watch = setTimeout(() => void stop(), frozenMs);
    const report = message as FuzzReport;
    now = report.type === 'trying' ? report : undefined;
    if (report.type === 'trying') return;
    const { runs = 0, durationMs = 0 } = tried.get(report.title) ?? {};
    tried.set(report.title, {
      runs: runs + report.runs,
      durationMs: durationMs + report.durationMs,
      hasFailed: report.failure !== undefined,
    });
    if (report.failure) say(failureText(report, report.failure));
    else if (verbose) say(`    ✓ ${report.title} (${report.runs} inputs, ${report.durationMs} ms)`);
  });
  child.send({ targets, seed, ...rest } satisfies FuzzJob);
  const code = await ended;
  clearTimeout(watch);
  await stop();
  const failed = [...tried.values()].filter(({ hasFailed }) => hasFailed).length;
  for (const line of summary(tried)) say(line);
  if (code === 0 && now === undefined) return { passed: tried.size - failed, failed };
  const where = now ? ` in "${now.title}"; it is tried again by ${replayCommand(now)}` : '';
  say(`  ✗ the process ended with ${code}${where}\n${output().slice(-4000)}`);
  return { passed: tried.size - failed, failed: failed + 1 };
}

function failureText(
  { title, seed, runs }: { title: string; seed: number; runs: number },
  { path, shrinks, input, error }: NonNullable<Extract<FuzzReport, { type: 'tried' }>['failure']>,
): string {
  return [
    `  ✗ ${title}`,
    `    input ${runs} of seed ${seed}, shrunk ${shrinks} times: ${input}`,
    error.replace(/^/gm, '    '),
    `    again: ${replayCommand({ title, seed, path })}`,
  ].join('\n');
}

function replayCommand({ title, seed, path }: { title: string; seed: number; path?: string }): string {
  return `npm run fuzz -- --seed ${seed}${path ? ` --path ${path}` : ''} --grep ${JSON.stringify(title)}`;
}

function summary(tried: ReadonlyMap<string, Tried>): string[] {
  const byTarget = new Map<string, Tried[]>();
  for (const [title, each] of tried) {
    const name = title.slice(0, title.indexOf(':'));
    byTarget.set(name, [...(byTarget.get(name) ?? []), each]);
  }
  return [...byTarget].map(([name, properties]) => {
    const sum = (of: (each: Tried) => number) => properties.reduce((total, each) => total + of(each), 0);
    const failed = sum(({ hasFailed }) => Number(hasFailed));
    const count = failed === 0 ? `${properties.length}` : `${failed} of ${properties.length} failed`;
    const runs = sum(({ runs: each }) => each).toLocaleString('en');
    const durationMs = sum((each) => each.durationMs);
    return `  ${failed === 0 ? '✓' : '✗'} fuzz/${name}  ${count}  (${runs} inputs, ${durationMs} ms)`;
  });
}
