import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { EditsItem } from '../../src/chat/conversation/items.ts';
import type { EditReviews } from '../../src/chat/edits/editReviews.ts';
import type { ChatSession } from '../../src/chat/session/chatSession.ts';
import { type PendingFile, RevertedFiles } from '../../src/host/review/revertedFiles.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

/** Files of one turn, of which those in `reverted` have nothing left to review. */
function setUp(...names: string[]) {
  const listeners = new Map<string, (uri: vscode.Uri) => void>();
  let watchers = 0;
  const { createFileSystemWatcher } = vscode.workspace;
  const workspace = vscode.workspace as { createFileSystemWatcher: unknown };
  workspace.createFileSystemWatcher = () => {
    watchers++;
    const on = (kind: string) => (listener: (uri: vscode.Uri) => void) => listeners.set(kind, listener);
    return {
      ...{ onDidCreate: on('create'), onDidChange: on('change'), onDidDelete: on('delete') },
      dispose: () => void watchers--,
    };
  };
  const item = { type: 'edits', id: 'e', edits: [] } as unknown as EditsItem;
  const shown: string[] = [];
  const session = { showAgain: (id: string) => void shown.push(id) } as unknown as ChatSession;
  const pending: PendingFile[] = names.map((path) => ({ session, item, path, realPath: `/work/${path}` }));
  const reverted = new Set<string>();
  /** Files in whose changes others wrote. */
  const edited = new Set<string>();
  const looked: string[] = [];
  let during = async () => {};
  const review = async (_: ChatSession, __: EditsItem, path: string) => {
    looked.push(path);
    await during();
    const hunks = reverted.has(path) ? [] : [{ isEdited: edited.has(path) }];
    return { path, realPath: `/work/${path}`, review: { hunks } };
  };
  let changes = 0;
  const files = new RevertedFiles(
    () => pending,
    { review } as unknown as EditReviews,
    () => void changes++,
  );
  return {
    ...{ files, item, looked, pending, reverted, edited, shown },
    changes: () => changes,
    watchers: () => watchers,
    tell: (kind: 'create' | 'change' | 'delete', name: string) =>
      listeners.get(kind)?.(vscode.Uri.file(`/work/${name}`)),
    meanwhile: (work: () => Promise<void>) => void (during = work),
    dispose() {
      files.dispose();
      workspace.createFileSystemWatcher = createFileSystemWatcher;
    },
  };
}

describe('files that others put back', () => {
  let made: ReturnType<typeof setUp> | undefined;
  const files = (...names: string[]) => (made = setUp(...names));
  afterEach(() => made?.dispose());

  it('are found once they are to be reviewed: they may have been put back before', async () => {
    const { files: all, item, reverted, looked, changes, shown } = files('a', 'b');
    reverted.add('a').add('b');
    all.update();
    await eventuallyEqual(() => [...(item.reverted ?? [])], ['a', 'b']);
    await eventuallyEqual(() => [changes(), shown], [1, ['e']]);
    all.update();
    all.fileChanged('/work/other');
    all.fileChanged('/work/b');
    await eventuallyEqual(() => looked, ['a', 'b', 'b']);
    assert.equal(changes(), 1);
  });

  for (const kind of ['create', 'change', 'delete'] as const) {
    it(`are found as the editor tells of a ${kind}`, async () => {
      const { files: all, item, reverted, looked, tell } = files('a', 'b');
      all.update();
      await eventuallyEqual(() => looked, ['a', 'b']);
      reverted.add('a');
      tell(kind, 'a');
      await eventuallyEqual(() => [...(item.reverted ?? [])], ['a']);
      reverted.delete('a');
      reverted.add('b');
      tell(kind, 'a');
      tell(kind, 'b');
      await eventuallyEqual(() => [...(item.reverted ?? [])], ['b']);
      assert.deepEqual(looked, ['a', 'b', 'a', 'a', 'b']);
    });
  }

  it('stay put back whatever others write there, until a change is back as it was made', async () => {
    const { files: all, item, reverted, edited, looked, changes } = files('a', 'b');
    edited.add('a').add('b');
    reverted.add('a');
    all.update();
    await eventuallyEqual(() => [...(item.reverted ?? [])], ['a']);
    reverted.delete('a');
    all.fileChanged('/work/a');
    all.fileChanged('/work/b');
    await eventually(() => assert.equal(looked.length, 4));
    edited.delete('b');
    all.fileChanged('/work/b');
    await eventually(() => assert.equal(looked.length, 5));
    assert.deepEqual([[...item.reverted!], changes()], [['a'], 1]);
    edited.delete('a');
    all.fileChanged('/work/a');
    await eventuallyEqual(() => [...item.reverted!], []);
  });

  it('stay put back where a newer turn makes the same change', async () => {
    const { files: all, item, pending, reverted, looked } = files('a');
    reverted.add('a');
    all.update();
    await eventuallyEqual(() => [...(item.reverted ?? [])], ['a']);
    const newer = { ...item, id: 'newer', reverted: new Set<string>() };
    pending.unshift({ ...pending[0]!, item: newer, path: 'b' });
    reverted.delete('a');
    all.update();
    await eventuallyEqual(() => looked, ['a', 'b']);
    assert.deepEqual([[...item.reverted!], [...newer.reverted]], [['a'], []]);
  });

  it('are watched for only while there is something to review', async () => {
    const { files: all, item, looked, meanwhile, pending, reverted, watchers, changes } = files('a');
    all.update();
    all.update();
    assert.equal(watchers(), 1);
    await eventuallyEqual(() => looked, ['a']);
    reverted.add('a');
    meanwhile(async () => {
      pending.length = 0;
      all.update();
    });
    all.fileChanged('/work/a');
    await eventually(() => assert.equal(looked.length, 2));
    await eventuallyEqual(watchers, 0);
    assert.deepEqual([item.reverted, changes()], [undefined, 0]);
  });
});
