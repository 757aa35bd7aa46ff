// Activation time in a real extension host: load and run, and the scripts loaded at first use.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildTests } from '../host/build.ts';
import { runInServer } from '../host/extensionHost.ts';
import { createScratch } from '../host/scratch.ts';
import { isBusy, loadRow, row, type Row } from './rows.ts';

const runs = 5;

/** Requires a production build in dist/. */
export async function benchActivation(): Promise<Row[]> {
  const [suite = ''] = await buildTests(['test/bench/activationSuite.ts'], 'out/bench', 'cjs');
  const loads: number[] = [];
  const calls: number[] = [];
  const firsts: number[] = [];
  for (let run = 0; run < runs; run++) {
    const scratch = await createScratch();
    const resultFile = join(scratch.folder, 'activation.json');
    await runInServer({
      suite,
      workspace: await scratch.workspace(),
      dataFolder: join(scratch.folder, 'data'),
      resultFile,
      timeoutMs: 60_000,
      env: { SWITCHBOARD_BENCH_RESULT: resultFile },
    });
    const { error, loadMs, callMs, firstMs } = JSON.parse(await readFile(resultFile, 'utf8')) as {
      error?: string;
      loadMs: number;
      callMs: number;
      firstMs: number;
    };
    if (error) throw new Error(error);
    loads.push(loadMs);
    calls.push(callMs);
    firsts.push(firstMs);
    await scratch.remove();
  }
  const [load, call] = [median(loads), median(calls)];
  const sums = loads.map((each, run) => each + (calls[run] ?? 0));
  return [
    loadRow(),
    row(
      'activation: loading the code and calling activate',
      { value: load + call, unit: 'ms' },
      'under 20 ms, where nothing else runs',
      (v) => v < 20 || isBusy(),
    ),
    row('  the quickest of the runs', { value: Math.min(...sums), unit: 'ms' }, 'no budget', () => true),
    row('  of that, activate itself', { value: call, unit: 'ms' }, 'no budget', () => true),
    row(
      '  then, with the first use, the parts of a window',
      { value: median(firsts), unit: 'ms' },
      'no budget',
      () => true,
    ),
  ];
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
