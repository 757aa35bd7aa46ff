// Suggestions while typing, in a real extension host with the packaged code and a relay beside it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildTests } from '../host/build.ts';
import { runInServer } from '../host/extensionHost.ts';
import { createScratch } from '../host/scratch.ts';
import { startRelay } from '../servers/sandbox.ts';
import { isBusy, loadRow, row, type Row } from './rows.ts';
import type { SuggestionTimes, Took } from './suggestionsSuite.ts';

/** The shortest pause; answers of the stand-in are too quick for a longer one. */
const pauseMs = 25;

export async function benchSuggestions(): Promise<Row[]> {
  const { asked, along, bare } = await inEditor();
  const ms = (value: number) => ({ value, unit: 'ms' });
  const elapsed = (all: readonly Took[]) => median(all.map((took) => took.ms));
  const processor = (all: readonly Took[]) => median(all.map(({ processorMs }) => processorMs));
  const isOwnKept = (value: number) => value < 10;
  return [
    loadRow(),
    row(
      'first suggestion after the pause, from a local stand-in',
      ms(elapsed(asked) - pauseMs),
      'under 60 ms, where nothing else runs',
      (value) => value < 60 || isBusy(),
    ),
    row('  the same request by fetch alone', ms(elapsed(bare)), 'the floor', () => true),
    row('  the very first of a window', ms((asked[0]?.ms ?? 0) - pauseMs), 'no budget', () => true),
    row(
      'our own time per key that asks, of the processor, beyond fetch',
      ms(processor(asked) - processor(bare)),
      'under 10 ms',
      isOwnKept,
    ),
    row('our own time per key that was suggested before', ms(elapsed(along)), 'under 10 ms', isOwnKept),
  ];
}

async function inEditor(): Promise<SuggestionTimes> {
  const [[suite = ''], relay, scratch] = await Promise.all([
    buildTests(['test/bench/suggestionsSuite.ts'], 'out/bench', 'cjs'),
    startRelay({ list: 'good' }),
    createScratch(),
  ]);
  try {
    const resultFile = join(scratch.folder, 'suggestions.json');
    await runInServer({
      suite,
      workspace: await scratch.workspace(),
      dataFolder: join(scratch.folder, 'data'),
      resultFile,
      timeoutMs: 120_000,
      env: {
        SWITCHBOARD_BENCH_RESULT: resultFile,
        SWITCHBOARD_RELAY_URL: relay.url,
        SWITCHBOARD_RELAY_KEY: relay.key,
      },
    });
    const result = JSON.parse(await readFile(resultFile, 'utf8')) as SuggestionTimes & { error?: string };
    if (result.error !== undefined) throw new Error(result.error);
    return result;
  } finally {
    await Promise.all([relay.stop(), scratch.remove()]);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
