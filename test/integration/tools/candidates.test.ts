import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blockingNodeFileSystem } from '../../../src/tools/files/nodeFileSystem.ts';
import { CandidatesAhead } from '../../../src/tools/search/candidates.ts';
import type { WorkerJob } from '../../../src/tools/search/searchJob.ts';

describe('tools: candidates that are looked at ahead', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-ahead-')));
    for (const name of ['a.txt', 'b.txt', '.env', 'ignored.log'])
      writeFileSync(join(folder, name), 'a needle');
    writeFileSync(join(folder, '.gitignore'), '*.log\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function start(limit: number) {
    const work = { name: 'work', path: folder, isVirtual: false };
    const target = { folder: work, root: folder, start: '', isFile: false };
    const job: WorkerJob = {
      folders: [work],
      rules: { isTrusted: true, filesExclude: [], toolsExclude: [], toolsProtected: [] },
      platform: process.platform,
      targets: [target],
      include: [],
      exclude: [],
      search: { pattern: { source: 'needle', flags: 'u', isPlain: true, literal: 'needle' }, context: 0 },
      skip: 0,
      limit,
      maxFileBytes: 1000,
      texts: new Map(),
    };
    const ahead = new CandidatesAhead(job, blockingNodeFileSystem);
    /** The file is gone by now, so the answer can only come from the candidates. */
    const found = async (path: string) => {
      rmSync(join(folder, path), { force: true });
      const result = await ahead.matchFile(target, path, 9);
      return result && result !== 'too-large' ? result.matches.map(({ line }) => line) : result;
    };
    const settle = async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    };
    return { ahead, target, found, settle };
  }

  it('knows what they hold when it is asked, and what the rules have against them', async () => {
    const { ahead, target, found, settle } = start(9);
    ahead.add(target, ['a.txt', '.env']);
    ahead.add(target, ['ignored.log']);
    await settle();
    assert.deepEqual(await found('a.txt'), [1]);
    assert.equal(await found('b.txt'), undefined, 'it was not told of this one');
    for (const [path, reason] of [
      ['a.txt', undefined],
      ['.env', 'environment'],
      ['ignored.log', 'ignored'],
    ] as const) {
      assert.equal(await ahead.objection(target, path), reason, path);
    }
    assert.equal(await found('.env'), undefined, 'what is withheld is not read');
  });

  it('looks at no more when there are more than can be told, or when it is stopped', async () => {
    const many = start(1);
    many.ahead.add(many.target, ['a.txt', 'b.txt', '.gitignore']);
    await many.settle();
    assert.equal(await many.found('a.txt'), undefined);
    const stopped = start(9);
    stopped.ahead.stop();
    stopped.ahead.add(stopped.target, ['b.txt']);
    await stopped.settle();
    assert.equal(await stopped.found('b.txt'), undefined);
  });
});
