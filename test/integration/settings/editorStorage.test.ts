import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedStorageFolder } from '../../../src/settings/editorStorage.ts';

describe('the storage of a workspace', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'switchboard-storage-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const ours = (workspace: string) => join(root, workspace, 'switchboard.switchboard');

  for (const id of ['3a6d5ddb', '-49cffa89']) {
    it(`is that of the first window for each other one of ${id}`, async () => {
      await mkdir(join(root, id));
      await writeFile(join(root, id, 'vscode.lock'), '{}');
      assert.equal(sharedStorageFolder(ours(id)), ours(id));
      assert.equal(sharedStorageFolder(ours(`${id}-1`)), ours(id));
      assert.equal(sharedStorageFolder(ours(`${id}-2`)), ours(id));
    });
  }

  it('is the one that the editor gave where no other has its name', async () => {
    await mkdir(join(root, '3a6d5ddb'));
    for (const id of ['3a6d5ddb-1', 'no-workspace', '-4', '1700000000000'])
      assert.equal(sharedStorageFolder(ours(id)), ours(id));
  });
});
