import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discardChat, purgeChats } from '../../../../src/chat/store/discardedChats.ts';
import { FileChatStore, snapshotFolder } from '../../../../src/chat/store/fileChatStore.ts';
import { FileSnapshots } from '../../../../src/chat/edits/fileSnapshots.ts';
import { silentLog } from '../../../support/silentLog.ts';

describe('snapshots of files', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'snapshots-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('give back every byte of a text, and stand under their names once', async () => {
    const snapshots = new FileSnapshots(join(folder, 'c.files'));
    const texts = ['', '\uFEFFa\r\nb', 'ü\n', 'a'.repeat(100_000)];
    const hashes = await Promise.all([...texts, ...texts].map((text) => snapshots.put(text)));
    assert.deepEqual(await Promise.all(hashes.slice(0, 4).map((hash) => snapshots.get(hash))), texts);
    assert.deepEqual((await readdir(join(folder, 'c.files'))).toSorted(), [...new Set(hashes)].toSorted());
    assert.equal(await snapshots.get('unknown'), undefined);
  });

  it('give nothing for a file that was damaged', async () => {
    const snapshots = new FileSnapshots(folder);
    const hash = await snapshots.put('text');
    await writeFile(join(folder, hash), 'tex');
    assert.equal(await snapshots.get(hash), undefined);
  });

  it('are bounded: the oldest go, and what is put again is among the newest', async () => {
    const snapshots = new FileSnapshots(folder, 100);
    const put = async (letter: string, at: number) => {
      const hash = await snapshots.put(letter.repeat(40));
      await utimes(join(folder, hash), at, at);
      return hash;
    };
    const [a, b] = [await put('a', 1), await put('b', 2)];
    await snapshots.put('a'.repeat(40));
    const c = await snapshots.put('c'.repeat(40));
    const left = await Promise.all([a, b, c].map(async (hash) => (await snapshots.get(hash))?.[0]));
    assert.deepEqual(left, ['a', undefined, 'c']);
    const large = await snapshots.put('d'.repeat(1000));
    assert.equal((await snapshots.get(large))?.length, 1000);
    assert.deepEqual(await readdir(folder), [large]);
  });

  it('go with their conversation', async () => {
    const store = new FileChatStore(folder, (error) => assert.fail(String(error)), silentLog);
    store.append('one', { type: 'userMessageAdded', id: 'u', text: 'Hello' });
    await store.flush();
    for (const id of ['one', 'two']) await new FileSnapshots(snapshotFolder(folder, id)).put(id);
    await discardChat(store, folder, 'one');
    await purgeChats(folder, { chatId: 'one' });
    assert.deepEqual(await readdir(folder), ['two.files']);
  });
});
