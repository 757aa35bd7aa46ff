import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blockingNodeFileSystem } from '../../../src/tools/files/nodeFileSystem.ts';
import type { FoundFile, WorkerJob } from '../../../src/tools/search/searchJob.ts';
import { runSearchJob } from '../../../src/tools/search/runSearchJob.ts';
import { SearchHelpers } from '../../../src/tools/search/searchHelpers.ts';
import type { FileBatch, SearchHelp } from '../../../src/tools/search/sharedSearch.ts';
import { builtWorker } from '../../support/searchParts.ts';

describe('tools: threads that help to search', function () {
  this.timeout(60_000);
  let folder: string;
  let helpers: SearchHelpers;

  before(async () => {
    helpers = new SearchHelpers(pathToFileURL(await builtWorker()), 2);
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-helpers-')));
    for (let index = 0; index < 1000; index++) {
      const text = index % 3 === 0 ? `needle ${index}\nneedle` : 'hay';
      writeFileSync(join(folder, `file${index}.txt`), index === 999 ? `${'a'.repeat(60)}!` : text);
    }
  });
  after(() => {
    helpers.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function jobFor(source: string, isPlain: boolean): WorkerJob {
    const work = { name: 'work', path: folder, isVirtual: false };
    return {
      folders: [work],
      rules: { isTrusted: true, filesExclude: [], toolsExclude: [], toolsProtected: [] },
      platform: process.platform,
      targets: [{ folder: work, root: folder, start: '', isFile: false }],
      include: [],
      exclude: ['file999.txt'],
      search: { pattern: { source, flags: 'u', isPlain, ...(isPlain && { literal: source }) }, context: 1 },
      skip: 5,
      limit: 600,
      maxFileBytes: 1000,
      texts: new Map(),
    };
  }

  /** Helpers start at their first request, and have no time limit until then. */
  async function taken(help: SearchHelp, batch: FileBatch) {
    let results = help.take(batch);
    while (!results) {
      await new Promise(setImmediate);
      results = help.take(batch);
    }
    return { results };
  }

  it('find what the one they help would find', async () => {
    for (const job of [jobFor('needle', true), jobFor('ne+d', false)]) {
      const alone: FoundFile[] = [];
      const summary = await runSearchJob(job, blockingNodeFileSystem, (files) => alone.push(...files));
      assert.ok(alone.length > 200);

      const help = helpers.helpWith(job);
      // A helper is idle once it has answered.
      await (
        await taken(help, { target: 0, paths: [], most: 1 })
      ).results;
      const together: FoundFile[] = [];
      let count = 0;
      const counted: SearchHelp = {
        take: (batch) => {
          const results = help.take(batch);
          if (results) count++;
          return results;
        },
      };
      const same = await runSearchJob(job, blockingNodeFileSystem, (files) => together.push(...files), {
        help: counted,
      });
      help.end();
      assert.deepEqual(together, alone);
      assert.deepEqual(same, summary);
      assert.ok(count > 0, 'a helper did a part of it');
    }
  });

  it('end with the search when they are at an expression that never ends', async () => {
    const job = jobFor('^(a+)+b', false);
    const help = helpers.helpWith(job);
    const { results: stuck } = await taken(help, { target: 0, paths: ['file999.txt'], most: 1 });
    help.end();
    await assert.rejects(stuck, /ended/);
    const next = await taken(helpers.helpWith(job), { target: 0, paths: ['file1.txt'], most: 1 });
    assert.deepEqual(await next.results, [undefined]);
  });
});
