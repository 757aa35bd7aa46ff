import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { PictureFiles } from '../../src/base/files/pictureFiles.ts';
import { createPictureHost } from '../../src/host/panel/pictureHost.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { eventually } from '../support/eventually.ts';
import { pixel } from '../support/pictureSamples.ts';
import { silentLog } from '../support/silentLog.ts';
import { withPerson } from './person.ts';
import { replace, restoreAll } from './replace.ts';

describe('pictures of answers, in the editor', () => {
  const workspace = vscode.workspace.workspaceFolders![0]!.uri;
  let folder: string;
  let file: string;
  const host = createPictureHost(new Notifications(silentLog), async () => new PictureFiles(folder));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-pictures-'));
    file = await new PictureFiles(folder).keep({ type: 'image/png', bytes: pixel });
  });
  afterEach(async () => {
    restoreAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true });
  });

  it('open as pictures', async () => {
    await host.openPicture('chat', file);
    await eventually(() => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputCustom);
      assert.deepEqual(
        [input.viewType, input.uri.fsPath],
        ['imagePreview.previewEditor', join(folder, file)],
      );
    });
  });

  it('are saved where the user chooses, or not at all', async () => {
    const target = vscode.Uri.joinPath(workspace, 'tide.png');
    let offered: vscode.SaveDialogOptions | undefined;
    const save = async (chosen: vscode.Uri | undefined) => {
      replace(vscode.window, 'showSaveDialog', async (options: vscode.SaveDialogOptions) => {
        offered = options;
        return chosen;
      });
      const asked = await withPerson({}, () => host.savePicture('chat', file));
      return asked.map(({ text }) => text);
    };
    assert.deepEqual(await save(undefined), []);
    assert.equal(offered?.defaultUri?.path, `${workspace.path}/picture.png`);
    await vscode.workspace.fs.writeFile(target, Buffer.from('older'));
    try {
      assert.deepEqual(await save(target), ['Saved tide.png.']);
      assert.deepEqual(Buffer.from(await vscode.workspace.fs.readFile(target)), pixel);
    } finally {
      await vscode.workspace.fs.delete(target);
    }
  });

  it('say that they are gone', async () => {
    const gone = `${'0'.repeat(32)}.png`;
    for (const act of [() => host.openPicture('chat', gone), () => host.savePicture('chat', gone)])
      await assert.rejects(async () => act(), /no longer available/);
  });
});
