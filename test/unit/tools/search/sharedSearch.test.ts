import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WorkerJob } from '../../../../src/tools/search/searchJob.ts';
import type { FileResult } from '../../../../src/tools/search/fileMatcher.ts';
import { type FileBatch, SharedSearch } from '../../../../src/tools/search/sharedSearch.ts';

const target = {
  folder: { name: 'work', path: '/work', isVirtual: false },
  root: '/work',
  start: '',
  isFile: false,
};
const job = { targets: [target] } as unknown as WorkerJob;
const resultOf = (path: string): FileResult => ({ realPath: path, stat: undefined, matches: [] });

/** A search of numbered files, whose helpers take the batches chosen by `takes` and finish on demand. */
function start(takes: (count: number) => boolean, stopAt = Infinity) {
  const told: string[] = [];
  const own: string[] = [];
  const taken: { batch: FileBatch; finish: () => void; fail: () => void }[] = [];
  let asked = 0;
  const shared = new SharedSearch(
    job,
    async (_, path) => (own.push(path), resultOf(path)),
    {
      take: (batch) =>
        takes(asked++)
          ? new Promise((resolve, reject) => {
              const finish = () => resolve(batch.paths.map(resultOf));
              taken.push({ batch, finish, fail: () => reject(new Error('the helper ended')) });
            })
          : undefined,
    },
    async (_, path, result) => {
      assert.equal(result && result !== 'too-large' && result.realPath, path);
      told.push(path);
      return told.length >= stopAt;
    },
  );
  return { shared, told, own, taken };
}

const paths = (count: number) => Array.from({ length: count }, (_, index) => `file${index}`);

describe('tools: a search that is shared', () => {
  it('tells everything once and in order, whoever finds it when, also what a helper failed at', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(400),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.tuple(fc.nat(), fc.nat(3))),
        async (count, pattern, order) => {
          const { shared, told, taken } = start((asked) => pattern[asked % pattern.length] ?? false);
          const next = () => {
            const [{ value: [place, fate] = [0, 0] }] = [order.next()];
            const [one] = taken.splice(place % Math.max(1, taken.length), 1);
            if (fate === 0) one?.fail();
            else one?.finish();
          };
          for (const [index, path] of paths(count).entries()) {
            assert.equal(await shared.add(0, path, 1), false);
            if (index % 20 === 0) next();
          }
          const finishing = shared.finish(0, 1);
          while (taken.length > 0) next();
          assert.equal(await finishing, false);
          assert.deepEqual(told, paths(count));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('stops as soon as no more is wanted', async () => {
    const { shared, told } = start(() => false, 5);
    let added = 0;
    for (const path of paths(1000)) {
      added++;
      if (await shared.add(0, path, 1)) break;
    }
    assert.equal(told.length, 5);
    assert.ok(added < 100, `${added} were looked at`);
  });

  it('does not run ahead of a helper without end', async () => {
    const { shared, told, own, taken } = start((asked) => asked === 0);
    const all = paths(20_000);
    const adding = (async () => {
      for (const path of all) await shared.add(0, path, 1);
      await shared.finish(0, 1);
    })();
    let before = -1;
    while (own.length > before) {
      before = own.length;
      for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    }
    assert.ok(own.length < 3000, `${own.length} were searched`);
    assert.deepEqual(told, []);
    taken[0]?.finish();
    await adding;
    assert.deepEqual(told, all);
  });
});
