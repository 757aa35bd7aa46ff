import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryPlatform } from '../../support/memoryPlatform.ts';
import { WorkspaceUnderTest } from '../../support/workspaceUnderTest.ts';

describe('a plan of single changes', () => {
  let workspace: WorkspaceUnderTest;
  const platform = new MemoryPlatform();
  const planned = async (...names: string[]) => {
    const { knowledge } = workspace.open(platform.client);
    const folder = join(workspace.folder, 'docs');
    const paths = names.map((name) => join(folder, name));
    const request = { datasetId: platform.dataset.id, folder, paths };
    return knowledge.uploads.planChanges(request, workspace.signal);
  };
  beforeEach(() => {
    workspace = new WorkspaceUnderTest({ 'docs/a.md': 'in', 'docs/sub/b.md': 'below', 'other/c.md': 'out' });
  });
  afterEach(() => workspace.dispose());

  it('holds the files and folders that were named, and none behind a link', async () => {
    symlinkSync(join(workspace.folder, 'other', 'c.md'), join(workspace.folder, 'docs', 'link.md'));
    symlinkSync(join(workspace.folder, 'other'), join(workspace.folder, 'docs', 'linked'));
    const { documents } = await planned('a.md', 'sub', 'link.md', 'linked/c.md');
    assert.deepEqual(
      documents.map(({ origin }) => origin.path),
      ['docs/a.md', 'docs/sub/b.md'],
    );
  });

  it('says nothing of a file that is gone and was never sent', async () => {
    const { documents, removals, skipped } = await planned('gone.md');
    assert.deepEqual([documents, removals, skipped], [[], [], []]);
  });

  it('keeps to the rules for files', async () => {
    workspace.write('docs/.env', 'KEY=1');
    const { documents, skipped } = await planned('.env');
    assert.deepEqual([documents.length, skipped[0]?.reason], [0, 'policy']);
  });
});
