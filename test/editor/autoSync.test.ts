import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { notPossible } from '../../src/host/knowledge/autoSync/autoSyncs.ts';
import { watchFolder } from '../../src/host/knowledge/autoSync/watchFolder.ts';
import { toPath } from '../../src/host/workspace/workspacePlaces.ts';
import { eventually } from '../support/eventually.ts';
import { replace, restoreAll } from './replace.ts';

describe('folders that keep themselves in step', () => {
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'watched');
  const path = toPath(folder);
  const terms = { when: 'quiet' as const, maxFiles: 1, maxBytes: 1, maxFileSizeBytes: 1, exclude: [] };
  const link = { folder: 'watched', path, datasetId: 'd', datasetName: 'D', auto: { terms } };
  const write = (name: string) =>
    vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name), Buffer.from('x'));

  before(() => vscode.workspace.fs.createDirectory(folder));
  afterEach(restoreAll);
  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));

  it('hear of each file below them, but not of the repository, until they are left', async () => {
    const heard: string[] = [];
    const watch = await watchFolder(link, (event) => {
      if (event.type === 'changed') heard.push(...event.paths);
    });
    try {
      await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(folder, '.git'));
      await write('.git/index');
      await write('deep/a.md');
      // A watcher may tell of a new folder alone; that is looked through.
      await eventually(() =>
        assert.ok(
          ['deep', 'deep/a.md'].some((each) => heard.includes(`${path}/${each}`)),
          heard.join(),
        ),
      );
      assert.deepEqual(
        heard.filter((each) => each.includes('/.git')),
        [],
      );
    } finally {
      watch.dispose();
    }
  });

  it('are off in a workspace that is virtual or not trusted, and say so', () => {
    assert.equal(notPossible({ path }), undefined);
    assert.match(notPossible({ path: 'vscode-vfs://github/owner/repo' }) ?? '', /virtual workspace/);
    replace(vscode.workspace, 'isTrusted', false);
    assert.match(notPossible({ path }) ?? '', /untrusted workspace/);
  });
});
