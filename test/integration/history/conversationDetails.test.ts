import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DetailsFile } from '../../../src/history/conversationDetails.ts';

describe('details of conversations', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
    path = join(folder, 'details');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are what windows said of them, one after the other', async () => {
    const [here, there] = [new DetailsFile(path), new DetailsFile(path)];
    assert.deepEqual(await here.read(), new Map());
    await here.change('a', { title: 'Tides', isTitleByModel: true, folder: 'app' });
    await there.change('a', { isPinned: true });
    await there.change('b', { title: 'Locks' });
    await here.change('a', { title: 'High tide' });
    assert.deepEqual(
      [...(await there.read())],
      [
        ['a', { title: 'High tide', isTitleByModel: false, folder: 'app', isPinned: true }],
        ['b', { title: 'Locks', isTitleByModel: false }],
      ],
    );
    await here.forget('b');
    assert.deepEqual([...(await there.read()).keys()], ['a']);
  });

  it('pass over lines that are torn, or somebody else wrote', async () => {
    const details = new DetailsFile(path);
    await details.change('a', { isPinned: true });
    await appendFile(path, '{"id":"a","title":5,"isPinned":"no"}\n[]\n{"id":7}\n{"id":"b","ti');
    await details.change('c', { title: 'After' });
    assert.deepEqual(
      [...(await details.read())],
      [
        ['a', { isPinned: true }],
        ['c', { title: 'After', isTitleByModel: false }],
      ],
    );
  });

  it('do not grow with every change', async () => {
    const details = new DetailsFile(path);
    for (let number = 0; number <= 520; number++) await details.change('a', { title: `${number}` });
    await details.read();
    assert.ok((await readFile(path, 'utf8')).length < 200);
    assert.equal((await details.read()).get('a')?.title, '520');
  });
});
