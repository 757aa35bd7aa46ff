// Suggestions while typing, in a real extension host with the packaged code and a relay beside it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildTests } from '../host/build.ts';
import { runInServer } from '../host/extensionHost.ts';
import { createScratch } from '../host/scratch.ts';
import { startRelay } from '../servers/sandbox.ts';
import { isBusy, loadRow, row, type Row } from './rows.ts';
import type { SuggestionTimes } from './suggestionsSuite.ts';

/** The shortest pause; answers of the stand-in are too quick for a longer one. */
const pauseMs = 25;

export async function benchSuggestions(): Promise<Row[]> {
  const { askedMs, alongMs, bareMs } = await inEditor();
  const [asked, bare] = [median(askedMs) - pauseMs, median(bareMs)];
  const ms = (value: number) => ({ value, unit: 'ms' });
  const own = (value: number) => value < 10 || isBusy();
  return [
    loadRow(),
    row(
      'first suggestion after the pause, from a local stand-in',
      ms(asked),
      'under 60 ms, where nothing else runs',
      (value) => value < 60 || isBusy(),
    ),
    row('  of that, our own time for the key', ms(asked - bare), 'under 10 ms, where nothing else runs', own),
    row('  and the same request by fetch alone', ms(bare), 'the floor', () => true),
    row(
      'our own time per key that was suggested before',
      ms(median(alongMs)),
      'under 10 ms, where nothing else runs',
      own,
    ),
    row('  the slowest of them', ms(Math.max(...alongMs)), 'no budget', () => true),
    row(
      'the very first suggestion of a window, after the pause',
      ms((askedMs[0] ?? 0) - pauseMs),
      'no budget',
      () => true,
    ),
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
