import assert from 'node:assert/strict';
import { FilePolicy } from '../../../src/tools/policy/filePolicy.ts';
import { compilePattern } from '../../../src/tools/search/linePattern.ts';
import type { WorkerJob } from '../../../src/tools/search/searchJob.ts';
import { createFileMatcher } from '../../../src/tools/search/fileMatcher.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';

/** Upper limit for the look-ups of one read: before the first and after the last, a swap has no effect. */
const lookUps = 5;

/** Every order in which a folder is a link to a secret one, or not, per look-up. */
const schedules = Array.from({ length: 2 ** lookUps }, (_, bits) =>
  Array.from({ length: lookUps }, (_each, at) => ((bits >> at) & 1) === 1),
);
const shownOf = (schedule: readonly boolean[]) =>
  schedule.map((isLink) => (isLink ? 'link' : 'folder')).join();

function swappedWorkspace(tellsPlaces: boolean) {
  const workspace = new MemoryWorkspace({
    '/work/sub/a.ts': 'a needle',
    '/secret/a.ts': 'the needle of others',
  });
  const { memory } = workspace;
  memory.tellsPlaces = tellsPlaces;
  const follow = (schedule: readonly boolean[]) => {
    let at = 0;
    memory.beforeAccess = () => {
      if (schedule[at++]) memory.set('/work/sub', { linkTo: '/secret' });
      else memory.delete('/work/sub');
    };
  };
  return { workspace, memory, follow };
}

describe('tools: a folder that is swapped for a link while a file of it is read', () => {
  /** The result of a search and of a read after the file was judged. */
  async function textsBy(tellsPlaces: boolean, schedule: readonly boolean[]): Promise<string[]> {
    const { workspace, memory, follow } = swappedWorkspace(tellsPlaces);
    const pattern = compilePattern({ query: 'needle', isRegex: false, ignoreCase: false });
    assert.ok(!('problem' in pattern));
    const [folder] = workspace.folderList;
    const target = { folder: folder!, root: '/work', start: '', isFile: false };
    const job: WorkerJob = {
      folders: workspace.folderList,
      rules: workspace.ruleSet,
      platform: 'linux',
      targets: [target],
      ...{ include: [], exclude: [], search: { pattern, context: 0 }, skip: 0, limit: 9 },
      ...{ maxFileBytes: 1000, texts: new Map() },
    };
    const matchFile = createFileMatcher(job, job.search!, memory);
    const policy = new FilePolicy(workspace.files);
    const judged = await policy.check('sub/a.ts', 'read');
    assert.ok(judged.isAllowed);
    const texts: string[] = [];
    follow(schedule);
    const result = await matchFile(target, 'sub/a.ts', 9);
    if (result && result !== 'too-large') texts.push(...result.matches.map(({ text }) => text));
    follow(schedule);
    const open = await policy.open(judged);
    if (!('reason' in open)) {
      const bytes = Buffer.alloc(50);
      texts.push(bytes.toString('utf8', 0, await open.read(bytes, 0)));
    }
    return texts;
  }

  it('gives nothing of the other file, in whatever order it is swapped', async () => {
    let found = 0;
    for (const schedule of schedules) {
      const texts = await textsBy(true, schedule);
      found += texts.length;
      for (const text of texts) assert.equal(text, 'a needle', shownOf(schedule));
    }
    assert.ok(found >= schedules.length, 'the file itself is read');
  });

  it('gives nothing of it where an open file tells no place, unless it is swapped at each look-up', async () => {
    for (const schedule of schedules) {
      // The link is there at the open and at the check, hidden at the two proofs.
      if (shownOf(schedule).startsWith('link,folder,link,folder')) continue;
      for (const text of await textsBy(false, schedule)) assert.equal(text, 'a needle', shownOf(schedule));
    }
  });
});
