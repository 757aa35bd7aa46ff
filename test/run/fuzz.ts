import { parseArgs } from 'node:util';
import { fuzz } from './fuzzing.ts';
import { numberOf } from './numberOf.ts';

/**
 * @param args `--minutes <number>` (10), `--seed <number>`, `--grep`, `--verbose`, `--path <failed input>`
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string' },
      path: { type: 'string' },
      grep: { type: 'string', short: 'g' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const { grep, path, verbose } = values;
  const minutes = numberOf('minutes', values.minutes);
  const seed = values.seed === undefined ? undefined : numberOf('seed', values.seed);
  const options = { seed, path, grep, budgetMs: minutes * 60_000, isEndless: path === undefined };
  const { passed, failed } = await fuzz(options, verbose, (line) => console.log(line));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
