import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTests } from '../../host/build.ts';
import { changedFiles, reachedTests } from '../../run/changed.ts';
import { runJob } from '../../run/mochaStages.ts';
import { readLoads } from '../../run/testLoads.ts';
import { gitIn } from '../../support/git.ts';

describe('npm test -- changed', () => {
  it('takes what the branch and the working tree have changed since the base, also what is new or gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-changed-'));
    const git = (...args: string[]) => gitIn(folder, ...args);
    const write = (path: string, text: string) => writeFile(join(folder, path), text);
    const commit = (message: string) => {
      git('add', '-A');
      git('commit', '-qm', message);
    };
    try {
      git('init', '-q', '-b', 'main');
      await mkdir(join(folder, 'src'));
      for (const name of ['kept', 'committed', 'unsaved', 'gone']) await write(`src/${name}.ts`, name);
      await write('.gitignore', 'out\n');
      commit('base');
      git('checkout', '-qb', 'topic');
      await write('src/committed.ts', 'new');
      commit('topic');
      git('checkout', '-q', 'main');
      await write('src/kept.ts', 'changed by others');
      commit('others');
      git('checkout', '-q', 'topic');
      await write('src/unsaved.ts', 'new');
      await write('src/untracked ü.ts', 'new');
      await write('out', 'ignored');
      await rm(join(folder, 'src/gone.ts'));
      assert.deepEqual(await changedFiles(folder), [
        'src/committed.ts',
        'src/gone.ts',
        'src/unsaved.ts',
        'src/untracked ü.ts',
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('runs the tests that load a file, however far, those that load the least first, and those that read it', async () => {
    const near = 'test/unit/base/text/lineDiff.test.ts';
    const far = 'test/unit/tools/review/fileReview.test.ts';
    const other = 'test/unit/net/eventStream.test.ts';
    const aboutSources = 'test/unit/run/imports.test.ts';
    const paths = [far, near, other, aboutSources];
    const loads = await readLoads(paths);
    const tests = paths.map((path) => ({ path, text: path === other ? "read('relay-api.md')" : '' }));
    const reached = (...files: string[]) => reachedTests(files, tests, loads);
    assert.deepEqual(reached('src/base/text/lineDiff.ts'), [near, far, aboutSources]);
    assert.deepEqual(reached('docs/relay-api.md'), [other, aboutSources]);
    assert.deepEqual(reached(far, 'src/base/text/lineDiff.ts'), [far, near, aboutSources]);
  });

  it('begins no test once its time is used up, and counts those left', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-changed-'));
    try {
      const [host = ''] = await buildTests(['test/run/mochaProcess.ts'], 'out/tests/budget');
      const file = join(folder, 'slow.mjs');
      const longer = `it('takes longer', () => new Promise((resolve) => setTimeout(resolve, 1500)));`;
      await writeFile(file, `${longer} it('is next', () => {}); it('is last', () => {});`);
      const job = { files: [file], timeoutMs: 60_000, verbose: false };
      const outcomeWith = async (budgetMs?: number) =>
        (await runJob(host, { ...job, budgetMs }, { limitMs: 60_000 })).outcome;
      assert.deepEqual(await outcomeWith(1000), { passed: 1, failed: 0, left: 2 });
      assert.deepEqual(await outcomeWith(), { passed: 3, failed: 0, left: 0 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
