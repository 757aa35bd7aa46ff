import assert from 'node:assert/strict';
import { fuzz, type FuzzOptions } from '../../run/fuzzing.ts';

async function outcome(options: Partial<FuzzOptions>) {
  const lines: string[] = [];
  const base = { folder: 'test/integration/run/seededFaults', budgetMs: 5000, isEndless: false };
  const counts = await fuzz({ ...base, ...options }, false, (line) => lines.push(line));
  return { ...counts, output: lines.join('\n') };
}

describe('the runner of the fuzz targets', () => {
  it('names the smallest input of a fault, and how to try it again, which then finds it at once', async () => {
    const { passed, failed, output } = await outcome({ grep: 'hold' });
    assert.deepEqual([passed, failed], [1, 1]);
    assert.match(output, /✗ faulty: does not hold from 1000 on\n.*shrunk \d+ times: \[1000\]\n/);
    const [, seed = '', path = ''] =
      /npm run fuzz -- --seed (\d+) --path ([\d:]+) --grep "faulty: does not hold/.exec(output) ?? [];
    const again = await outcome({ seed: Number(seed), path, grep: 'does not hold' });
    assert.match(again.output, /input 1 of seed \d+, shrunk 0 times: \[1000\]/);
  });

  it('goes on with other inputs as long as there is time', async () => {
    const { passed, failed, output } = await outcome({
      grep: ': holds',
      isEndless: true,
      budgetMs: 300,
      seed: 5,
    });
    assert.deepEqual([passed, failed], [1, 0]);
    assert.match(output, /seed 5\n/);
    const [, inputs = ''] = /\(([\d,]+) inputs/.exec(output) ?? [];
    assert.ok(Number(inputs.replaceAll(',', '')) > 50, output);
  });

  it('tries a property whose first input takes longer than its share of the time', async () => {
    const { passed, failed, output } = await outcome({ grep: 'is slow', budgetMs: 1 });
    assert.deepEqual([passed, failed], [1, 0], output);
  });

  it('ends a property that never does, and names it with its seed', async () => {
    const { failed, output } = await outcome({ grep: 'never ends', frozenMs: 3000, seed: 7 });
    assert.equal(failed, 1);
    assert.match(output, /in "faulty: never ends"; it is tried again by npm run fuzz -- --seed 7 --grep/);
  });
});
