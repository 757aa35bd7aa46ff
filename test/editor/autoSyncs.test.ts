import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import manifest from '../../package.json';
import { Emitter } from '../../src/base/emitter.ts';
import { megabyte } from '../../src/base/text/formatSize.ts';
import { AutoSyncs, readSyncLimits } from '../../src/host/knowledge/autoSync/autoSyncs.ts';
import { watchFolder } from '../../src/host/knowledge/autoSync/watchFolder.ts';
import type { KnowledgeCommandContext } from '../../src/host/knowledge/knowledgeCommandContext.ts';
import { Settings } from '../../src/host/settings.ts';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { toPath } from '../../src/host/workspace/workspacePlaces.ts';
import type { SyncTerms } from '../../src/knowledge/autoSync/syncTerms.ts';
import type { FolderLink } from '../../src/knowledge/files/folderLinks.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { silentLog } from '../support/silentLog.ts';
import { replace, restoreAll } from './replace.ts';

const root = vscode.workspace.workspaceFolders![0]!.uri;
const folder = vscode.Uri.joinPath(root, 'synced');
const settings = new Settings(manifest, silentLog);

/** The editor's Git, with one repository around the folder once it is opened. */
function useGit() {
  const opened = new Emitter<void>();
  const moved = new Emitter<void>();
  let [following, waiting] = [0, 0];
  const state = {
    HEAD: { name: 'main', commit: '1' },
    onDidChange(listener: () => void) {
      following++;
      const listening = moved.event(listener);
      return {
        dispose() {
          following--;
          listening.dispose();
        },
      };
    },
  };
  const repositories: object[] = [];
  const git = { git: { path: 'git' }, repositories, onDidOpenRepository: opened.event };
  let activate = async () => ({ enabled: true, getAPI: () => git });
  replace(vscode.extensions, 'getExtension', () => ({ isActive: true, activate: () => activate() }));
  return {
    fail: () => void (activate = () => Promise.reject(new Error('spawn git ENOENT'))),
    hold(until: Promise<void>) {
      const before = activate;
      activate = () => {
        waiting++;
        return until.then(before);
      };
    },
    /** Resolves when this many callers are held; Switchboard's own window may be among them. */
    held: (count: number) => eventually(() => assert.ok(waiting >= count, `${waiting} wait`)),
    open(rootUri = root) {
      repositories.unshift({ rootUri, state });
      opened.fire();
    },
    change(head: { name: string; commit: string }) {
      state.HEAD = head;
      moved.fire();
    },
    following: () => following,
  };
}

const terms = (change: Partial<SyncTerms> = {}): SyncTerms => ({
  ...{ when: 'quiet', ...readSyncLimits(settings) },
  ...change,
});
const linkTo = (datasetId: string, name = 'synced'): FolderLink => ({
  ...{ folder: name, path: toPath(vscode.Uri.joinPath(root, name)) },
  ...{ datasetId, datasetName: datasetId.toUpperCase() },
});
const automatic = (datasetId: string, change: Partial<SyncTerms> = {}, name?: string) => ({
  ...linkTo(datasetId, name),
  auto: { terms: terms(change) },
});
/** Terms that the settings no longer fit: a folder is looked at, and sends nothing. */
const outdated = { maxFiles: 1 };

describe('the folders that are kept in step', function () {
  this.timeout(30_000);
  let lockFolder: string;
  let links: FolderLink[];
  let warned: string[];
  let planned: string[];
  let isBusy: () => Promise<boolean>;
  const linksChanged = new Emitter<void>();
  const uploaded = new Emitter<string>();
  const made: AutoSyncs[] = [];

  function open(...given: FolderLink[]): AutoSyncs {
    links = given;
    const context = {
      log: { ...silentLog, warn: (text: string) => void warned.push(text) },
      settings,
      dependencies: createToolDependencies(
        createVscodeWorkspace(() => ({ toolsExclude: [], toolsProtected: [] })),
        { workerFile: '', ripgrep: undefined, timeoutMs: 1000 },
      ),
      knowledge: {
        links: {
          all: async () => links,
          find: async ({ path, datasetId }: FolderLink) =>
            links.find((each) => each.path === path && each.datasetId === datasetId),
          add: async (link: FolderLink) => {
            links = links.map((each) => (each.datasetId === link.datasetId ? link : each));
          },
          onDidChange: linksChanged.event,
        },
        uploads: {
          isBusy: () => isBusy(),
          plan: async ({ datasetId }: { datasetId: string }) => {
            planned.push(datasetId);
            throw new Error('No plan.');
          },
        },
        onDidUpload: uploaded.event,
      },
    } as unknown as KnowledgeCommandContext;
    const syncs = new AutoSyncs(context, lockFolder);
    made.push(syncs);
    return syncs;
  }
  const states = (syncs: AutoSyncs) =>
    syncs.of().map(({ of, state }) => `${of.datasetId}: ${state.pause?.reason ?? state.activity}`);
  const become = (...given: FolderLink[]) => {
    links = given;
    linksChanged.fire();
  };

  beforeEach(async () => {
    [warned, planned] = [[], []];
    isBusy = async () => true;
    lockFolder = await mkdtemp(join(tmpdir(), 'switchboard-locks-'));
    await vscode.workspace.fs.createDirectory(folder);
  });
  afterEach(async () => {
    for (const each of made.splice(0)) each.dispose();
    restoreAll();
    await rm(lockFolder, { recursive: true, force: true });
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  it('are those whose terms were confirmed, and of these alone it is told how they stand', async () => {
    const syncs = open(linkTo('byhand'), automatic('a', outdated), automatic('b', outdated));
    assert.equal(syncs.describe([linkTo('byhand')]), undefined);
    assert.deepEqual(syncs.describe(links), { text: 'checking…', isPaused: false, isOn: false });
    await syncs.refresh();
    await eventuallyEqual(() => states(syncs), ['a: settings', 'b: settings']);
    assert.deepEqual(syncs.describe(links), {
      text: 'paused: settings changed',
      ...{ isPaused: false, isOn: true },
    });
    assert.deepEqual(
      syncs.of('b').map(({ of }) => of.datasetId),
      ['b'],
    );
    await syncs.of('a')[0]!.pause();
    assert.equal(syncs.describe(links)?.isPaused, false);
    await syncs.of('b')[0]!.pause();
    assert.deepEqual(syncs.describe(links), { text: 'paused', isPaused: true, isOn: true });
  });

  it('follow their links: one that goes is left, and one with other terms begins again', async () => {
    const syncs = open(automatic('a', outdated), automatic('b', outdated));
    const told: string[] = [];
    syncs.onDidChange((datasetId) => told.push(datasetId));
    await syncs.refresh();
    await eventuallyEqual(() => states(syncs), ['a: settings', 'b: settings']);
    const [a, b] = syncs.of();
    told.length = 0;
    become(automatic('b', outdated), linkTo('a'));
    await syncs.refresh();
    assert.deepEqual([syncs.of(), told], [[b], ['a']]);
    a?.tell({ type: 'recheck' });
    assert.deepEqual(told, ['a'], 'it hears nothing more');
    become(automatic('b', { maxFiles: 2 }));
    await syncs.refresh();
    assert.notEqual(syncs.of()[0], b);
    await eventuallyEqual(() => states(syncs), ['b: settings']);
  });

  it('are kept apart by folder and knowledge base, each with a lock of its own', async () => {
    const looking = Promise.withResolvers<boolean>();
    let looks = 0;
    isBusy = () => {
      looks++;
      return looking.promise;
    };
    const syncs = open(automatic('a'), automatic('b'), automatic('a', {}, 'other'));
    await syncs.refresh();
    await eventually(async () => assert.deepEqual([looks, (await readdir(lockFolder)).length], [3, 3]));
    looking.resolve(true);
    await eventuallyEqual(() => states(syncs), ['a: retrying', 'b: retrying', 'a: retrying']);
    assert.deepEqual(planned, []);
  });

  it('are looked at again after an upload to their knowledge base, and when a file changes', async () => {
    const syncs = open(automatic('a', outdated), automatic('b', outdated));
    await syncs.refresh();
    await eventuallyEqual(() => states(syncs), ['a: settings', 'b: settings']);
    const told: string[] = [];
    syncs.onDidChange((datasetId) => told.push(datasetId));
    uploaded.fire('b');
    await eventually(() => assert.ok(told.includes('b')));
    await eventuallyEqual(() => states(syncs), ['a: settings', 'b: settings']);
    assert.ok(!told.includes('a'));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'new.md'), Buffer.from('x'));
    await eventually(() => assert.ok(told.includes('a')));
  });

  it('begin only in a workspace that is trusted, once it is', async () => {
    const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted')!;
    const granted = new vscode.EventEmitter<void>();
    replace(vscode.workspace, 'isTrusted', false);
    replace(vscode.workspace, 'onDidGrantWorkspaceTrust', granted.event);
    const syncs = open(automatic('a', outdated));
    await syncs.refresh();
    assert.deepEqual(syncs.of(), []);
    assert.deepEqual(syncs.describe(links), {
      text: 'no automatic sync in an untrusted workspace',
      ...{ isPaused: false, isOn: false },
    });
    Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
    granted.fire();
    await eventuallyEqual(() => states(syncs), ['a: settings']);
  });

  it('end with the connection, also those that are just beginning', async () => {
    const git = useGit();
    const syncs = open(automatic('a', outdated));
    await syncs.refresh();
    await eventuallyEqual(() => states(syncs), ['a: settings']);
    const activated = Promise.withResolvers<void>();
    git.hold(activated.promise);
    git.open();
    become(automatic('a', outdated), automatic('b', outdated));
    const refreshed = syncs.refresh();
    // The one looks at what was opened, the other is beginning.
    await git.held(2);
    syncs.dispose();
    activated.resolve();
    await refreshed;
    assert.deepEqual([syncs.of(), git.following(), warned], [[], 0, []]);
  });

  it('leave one whose link goes while it begins, and send nothing of it', async () => {
    const git = useGit();
    const created = new Emitter<vscode.Uri>();
    const none = { onDidChange: () => {}, onDidDelete: () => {}, dispose: () => {} };
    replace(vscode.workspace, 'createFileSystemWatcher', () => ({ ...none, onDidCreate: created.event }));
    isBusy = async () => false;
    const activated = Promise.withResolvers<void>();
    git.hold(activated.promise);
    const syncs = open(automatic('a'));
    const refreshed = syncs.refresh();
    await git.held(1);
    // Its files are watched already, and nobody started it.
    created.fire(vscode.Uri.joinPath(folder, 'new.md'));
    await Promise.resolve();
    become();
    activated.resolve();
    await refreshed;
    await syncs.refresh();
    assert.deepEqual([syncs.of(), planned, warned], [[], [], []]);
  });

  it('do without the Git of the editor where it cannot start', async () => {
    useGit().fail();
    const syncs = open(automatic('a', outdated));
    await syncs.refresh();
    await eventuallyEqual(() => states(syncs), ['a: settings']);
    assert.deepEqual(warned, []);
  });

  it('are not held up by one that cannot be watched', async () => {
    const { createFileSystemWatcher } = vscode.workspace;
    replace(vscode.workspace, 'createFileSystemWatcher', (pattern: vscode.RelativePattern) => {
      if (pattern.baseUri.path.endsWith('/other')) throw new Error('Too many watchers.');
      return createFileSystemWatcher(pattern);
    });
    const syncs = open(automatic('b', outdated, 'other'), automatic('a', outdated));
    await syncs.refresh();
    await eventuallyEqual(() => states(syncs), ['a: settings']);
    assert.deepEqual(warned, ['Folders in step: Too many watchers.']);
  });

  it('are shown in the status bar, the paused one first, while there are any', async () => {
    const items: vscode.StatusBarItem[] = [];
    const { createStatusBarItem } = vscode.window;
    replace(
      vscode.window,
      'createStatusBarItem',
      (id: string, at: vscode.StatusBarAlignment, rank: number) => {
        const item = createStatusBarItem(id, at, rank);
        items.push(item);
        return item;
      },
    );
    const { executeCommand } = vscode.commands;
    const known: unknown[] = [];
    replace(vscode.commands, 'executeCommand', (command: string, ...rest: unknown[]) => {
      if (command === 'setContext' && rest[0] === 'switchboard.keepsInSync') known.push(rest[1]);
      return executeCommand(command, ...rest);
    });
    const syncs = open(automatic('a'), automatic('b', outdated));
    await syncs.refresh();
    await eventuallyEqual(() => states(syncs), ['a: retrying', 'b: settings']);
    const [item] = items;
    assert.equal(item?.text, '$(debug-pause) B: paused: settings changed');
    assert.equal(item.tooltip, 'A: changes waiting\nB: paused: settings changed');
    assert.equal(known.at(-1), true);
    become(automatic('a'));
    await syncs.refresh();
    assert.equal(item.text, '$(sync) A: changes waiting');
    become();
    await syncs.refresh();
    assert.equal(known.at(-1), false);
    become(automatic('a'));
    await syncs.refresh();
    assert.equal(items.length, 2, 'the item went with the last folder');
  });

  it('have the limits of the settings', () => {
    const given = (value: object) =>
      readSyncLimits({
        get: (key: string) => (key === 'knowledge.autoSync' ? value : settings.get(key as never)),
      } as Settings);
    const { maxFileSizeBytes, exclude } = readSyncLimits(settings);
    assert.deepEqual(given({}), {
      ...{ maxFiles: 100, maxBytes: 20 * megabyte, maxFileSizeBytes },
      exclude,
    });
    assert.deepEqual(given({ maxFiles: 3, maxMegabytes: 2 }), {
      ...{ maxFiles: 3, maxBytes: 2 * megabyte, maxFileSizeBytes },
      exclude,
    });
  });
});

describe('a folder that is watched', function () {
  this.timeout(30_000);
  const link = (when: SyncTerms['when']) => ({ ...linkTo('a'), auto: { terms: terms({ when }) } });
  const heard: string[] = [];
  const watch = (when: SyncTerms['when']) => watchFolder(link(when), ({ type }) => heard.push(type));

  beforeEach(async () => {
    heard.length = 0;
    await vscode.workspace.fs.createDirectory(folder);
  });
  afterEach(async () => {
    restoreAll();
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  it('hears of commits and checkouts, but not of each file that changes, until it is left', async () => {
    const git = useGit();
    git.open();
    const watching = await watch('commit');
    git.change({ name: 'main', commit: '1' });
    assert.deepEqual(heard, []);
    git.change({ name: 'main', commit: '2' });
    git.change({ name: 'main', commit: '2' });
    assert.deepEqual(heard, ['moved']);
    git.change({ name: 'next', commit: '2' });
    assert.deepEqual(heard, ['moved', 'moved']);
    watching.dispose();
    git.change({ name: 'next', commit: '3' });
    assert.deepEqual([heard.length, git.following()], [2, 0]);
  });

  it('hears of a repository that is found later, once, and follows that alone', async () => {
    const git = useGit();
    const watching = await watch('commit');
    const asked = async () => {
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    };
    git.open(vscode.Uri.joinPath(root, 'elsewhere'));
    await asked();
    assert.deepEqual([heard, git.following()], [[], 0]);
    git.open();
    await asked();
    git.open(vscode.Uri.joinPath(root, 'elsewhere', 'too'));
    await asked();
    assert.deepEqual([heard, git.following()], [['recheck'], 1]);
    // A repository of the folder itself is nearer.
    git.open(folder);
    await asked();
    assert.deepEqual([heard, git.following()], [['recheck', 'recheck'], 1]);
    git.change({ name: 'main', commit: '2' });
    assert.equal(heard.at(-1), 'moved');
    const activated = Promise.withResolvers<void>();
    git.hold(activated.promise);
    git.open(folder);
    watching.dispose();
    activated.resolve();
    await asked();
    assert.equal(git.following(), 0);
    git.open(folder);
    await asked();
    assert.equal(heard.length, 3);
  });

  it('hears of its files only if they count before they are committed: written, changed or deleted', async () => {
    useGit();
    const kinds: string[] = [];
    const listeners = new Map<string, (uri: vscode.Uri) => void>();
    const on = (kind: string) => (listener: (uri: vscode.Uri) => void) => listeners.set(kind, listener);
    replace(vscode.workspace, 'createFileSystemWatcher', () => {
      kinds.push('watched');
      return {
        ...{ onDidCreate: on('create'), onDidChange: on('change'), onDidDelete: on('delete') },
        dispose: () => kinds.push('left'),
      };
    });
    (await watch('commit')).dispose();
    assert.deepEqual(kinds, []);
    const told: string[][] = [];
    const watching = await watchFolder(link('quiet'), (event) => {
      if (event.type === 'changed')
        told.push([...event.paths].map((path) => path.slice(toPath(folder).length)));
    });
    const tell = (kind: string, name: string) => listeners.get(kind)?.(vscode.Uri.joinPath(folder, name));
    tell('create', 'a.md');
    tell('change', 'a.md');
    tell('delete', 'b.md');
    tell('change', '.git/index');
    tell('change', '.gitignore');
    await Promise.resolve();
    tell('delete', 'c.md');
    await Promise.resolve();
    assert.deepEqual(told, [['/a.md', '/b.md', '/.gitignore'], ['/c.md']]);
    watching.dispose();
    assert.deepEqual(kinds, ['watched', 'left']);
  });
});
