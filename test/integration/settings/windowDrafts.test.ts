import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thisWindow } from '../../../src/chat/session/windowMark.ts';
import { WindowDrafts } from '../../../src/settings/windowDrafts.ts';

describe('unsent messages of several windows', () => {
  let parent: string;
  let folder: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'switchboard-'));
    folder = join(parent, 'drafts');
  });
  afterEach(() => rm(parent, { recursive: true }));

  /** A window whose process is gone as soon as it is checked. */
  const window = (id: string) => new WindowDrafts(folder, { ...thisWindow, id });
  const texts = async (asker: WindowDrafts, own: string) =>
    (await asker.left({ text: own })).map(({ text }) => text);

  it('are all there after a crash: one is gone on with, the others are offered, the newest first', async () => {
    for (const [age, id] of ['c', 'b', 'a'].entries()) {
      await window(id).save({ text: `Of ${id}`, attachments: [{ type: 'changes' }], target: { id } });
      const at = new Date(Date.now() - age * 60_000);
      await utimes(join(folder, `${id}.json`), at, at);
    }
    // The editor restores the state of the window that wrote last.
    const own = { text: 'Of c', attachments: [{ type: 'changes' }], target: { id: 'c' } };
    const left = await window('next').left(own);
    assert.deepEqual(left, [
      { id: 'b.json', ...own, text: 'Of b', target: { id: 'b' } },
      { id: 'a.json', ...own, text: 'Of a', target: { id: 'a' } },
    ]);
    assert.deepEqual(await texts(window('another'), 'Else'), ['Of c', 'Of b', 'Of a']);
  });

  it('are what was typed last, however long it takes to write what was typed before', async () => {
    const typing = window('a');
    const long = typing.save({ text: 'x'.repeat(10_000_000) });
    await Promise.all([long, typing.save({ text: 'Short' })]);
    assert.deepEqual(await texts(window('b'), ''), ['Short']);
  });

  it('are taken by one window', async () => {
    await window('a').save({ text: 'Hello' });
    const [one, other] = [window('b'), window('c')];
    const [left] = await one.left({ text: '' });
    assert.deepEqual(await other.left({ text: '' }), [left]);
    assert.deepEqual(
      await Promise.all([one.take('a.json'), other.take('a.json')]).then((taken) => taken.toSorted()),
      [false, true],
    );
    assert.deepEqual(await texts(window('d'), ''), []);
  });

  it('are not offered while their window is there, and not when they were sent', async () => {
    const here = new WindowDrafts(folder);
    await here.save({ text: 'Still typing' });
    assert.deepEqual(await texts(window('b'), ''), []);
    await window('a').save({ text: 'Sent' });
    await window('a').save({ text: ' ' });
    assert.deepEqual(await texts(window('b'), ''), []);
    assert.deepEqual(await readdir(folder), [`${thisWindow.id}.json`]);
  });

  it('are offered although one of them cannot be read', async () => {
    await window('a').save({ text: 'Hello' });
    await writeFile(join(folder, 'b.json'), '{"window":');
    await writeFile(join(folder, 'a.json.1.partial'), '{}');
    assert.deepEqual(await texts(window('c'), ''), ['Hello']);
  });
});
