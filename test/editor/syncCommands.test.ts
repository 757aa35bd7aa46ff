import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import manifest from '../../package.json';
import { megabyte } from '../../src/base/text/formatSize.ts';
import { type AutoSyncs, readSyncLimits } from '../../src/host/knowledge/autoSync/autoSyncs.ts';
import { runAutoSync } from '../../src/host/knowledge/autoSync/autoSyncCommands.ts';
import type { KnowledgeCommandContext } from '../../src/host/knowledge/knowledgeCommandContext.ts';
import { syncFolder, unlinkFolder } from '../../src/host/knowledge/syncFolder.ts';
import { Settings } from '../../src/host/settings.ts';
import { firstState, type Pause, type SyncState } from '../../src/knowledge/autoSync/syncState.ts';
import type { SyncTerms } from '../../src/knowledge/autoSync/syncTerms.ts';
import type { FolderLink } from '../../src/knowledge/files/folderLinks.ts';
import type { AddRequest } from '../../src/knowledge/upload/uploadPipeline.ts';
import type { Dataset } from '../../src/platform/records.ts';
import { emptyDataset } from '../support/emptyDataset.ts';
import { silentLog } from '../support/silentLog.ts';
import { replace, restoreAll } from './replace.ts';
import { type ListScript, scriptedQuickPick } from './scriptedQuickPick.ts';
import { gitIn } from '../support/git.ts';

const settings = new Settings(manifest, silentLog);
const limits = readSyncLimits(settings);
const harbour: Dataset = { ...emptyDataset('d'), name: 'Harbour' };
const pier: Dataset = { ...emptyDataset('p'), name: 'Pier' };

type PlannedFile = {
  bytes?: number;
  change?: 'new' | 'changed' | 'unchanged' | 'conflict';
  isSelected?: boolean;
};

interface Shown {
  title: string;
  rows: string[];
}

const textOf = ({ label, description, detail }: vscode.QuickPickItem) =>
  [label, description, detail].filter(Boolean).join(' | ');

describe('folders in sync, by their commands', () => {
  let path: string;
  let links: FolderLink[];
  let warned: string[];
  let informed: string[];
  let planned: AddRequest[];
  let dataset: Dataset;
  let files: PlannedFile[];
  let removals: object[];
  let lists: Shown[];
  let checked: string[];
  let isForbidden: boolean;
  let shownPath: string;
  let running: ReturnType<typeof synced>[];
  let refreshed: number;

  /** A folder in sync that only notes what it is told. */
  function synced(link: FolderLink, change: Partial<SyncState> = {}) {
    const did: string[] = [];
    const auto = link.auto ?? { terms: { when: 'quiet' as const, ...limits } };
    return {
      ...{ of: { ...link, auto }, state: { ...firstState(false), ...change }, did },
      pause: async () => void did.push('pause'),
      resume: async () => void did.push('resume'),
      tell: ({ type }: { type: string }) => void did.push(type),
    };
  }
  const linkTo = ({ id, name }: Dataset, folder = 'docs', at = path): FolderLink => ({
    ...{ folder, path: at },
    ...{ datasetId: id, datasetName: name },
  });
  const syncs = {
    of: (id?: string) => running.filter(({ of }) => id === undefined || of.datasetId === id),
    refresh: async () => void refreshed++,
  } as unknown as AutoSyncs;
  const context = {
    settings,
    notifications: {
      warning: async (text: string) => void warned.push(text),
      information: async (text: string) => void informed.push(text),
    },
    dependencies: {
      policy: {
        check: async (given: string, access: string) => {
          checked.push(`${access} ${given}`);
          return isForbidden
            ? { isAllowed: false, forUser: 'It is blocked.' }
            : { isAllowed: true, shown: shownPath, folder: { name: 'sample' } };
        },
      },
    },
    memory: { recentBases: () => [], useBase() {}, processRule: () => undefined },
    access: { origin: 'http://platform' },
    knowledge: {
      bases: { state: { isScoped: false }, load: async () => [harbour, pier] },
      links: {
        all: async () => links,
        add: async (link: FolderLink) => {
          links = [
            ...links.filter((each) => each.path !== link.path || each.datasetId !== link.datasetId),
            link,
          ];
        },
        remove: async (link: FolderLink) => {
          links = links.filter((each) => each !== link);
        },
      },
      uploads: {
        plan: async (request: AddRequest) => {
          planned.push(request);
          const documents = files.map((file, index) => ({
            ...{
              id: `${index}`,
              name: `${index}.md`,
              origin: { path: `docs/${index}.md` },
              bytes: 1024,
              change: 'new',
              isSelected: true,
            },
            ...file,
          }));
          return { dataset, documents, removals, skipped: [], keeps: 0, settings: {}, isSync: true };
        },
      },
    },
  } as unknown as KnowledgeCommandContext;

  /** Answers lists by parts of labels; one beyond these, or without, is dismissed. */
  function pick(...labels: (string | undefined)[]) {
    replace(
      vscode.window,
      'showQuickPick',
      async (items: vscode.QuickPickItem[], { title = '' }: vscode.QuickPickOptions) => {
        lists.push({ title, rows: items.map(textOf) });
        const wanted = labels.shift();
        return wanted === undefined ? undefined : items.find(({ label }) => label.includes(wanted));
      },
    );
  }
  let failure: unknown;
  const answer = (...scripts: ListScript[]) =>
    replace(
      vscode.window,
      'createQuickPick',
      scriptedQuickPick(scripts, (error) => (failure ??= error)),
    );
  const keepInSync = (at: unknown = vscode.Uri.file(path)) => runAutoSync('autoSync', context, syncs, [at]);
  const nodeOf = (base: Dataset) => ({ type: 'base', dataset: base });

  /** The editor's Git, with a real repository around the folder. */
  function useRepository(): (...args: string[]) => void {
    const git = (...args: string[]) => gitIn(path, ...args);
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'Begin');
    const api = { git: { path: 'git' }, repositories: [{ rootUri: vscode.Uri.file(path) }] };
    replace(vscode.extensions, 'getExtension', () => ({
      activate: async () => ({ enabled: true, getAPI: () => api }),
    }));
    return git;
  }

  beforeEach(async () => {
    path = await realpath(await mkdtemp(join(tmpdir(), 'switchboard-synced-')));
    [links, warned, informed, planned, lists, checked, running] = [[], [], [], [], [], [], []];
    [dataset, files, removals, refreshed, isForbidden, shownPath] = [harbour, [{}], [], 0, false, 'docs'];
    failure = undefined;
    replace(vscode.extensions, 'getExtension', () => undefined);
    pick();
    answer();
  });
  afterEach(async () => {
    restoreAll();
    await rm(path, { recursive: true });
    assert.equal(failure, undefined);
  });

  describe('keeping a folder in sync', () => {
    const confirm: ListScript = (list) => list.accept('Keep in Sync Automatically');

    beforeEach(() => void (links = [linkTo(harbour)]));

    it('stores the terms that were confirmed, by which the folder is synced from now on', async () => {
      useRepository();
      answer(confirm);
      const terms = { when: 'commit', branch: 'main', ...limits };
      assert.deepEqual(await keepInSync(), terms);
      assert.deepEqual(links, [{ ...linkTo(harbour), auto: { terms } }]);
      assert.equal(refreshed, 1);
      assert.deepEqual(planned, [{ datasetId: 'd', targets: [{ type: 'path', path }], isSync: true }]);
      assert.deepEqual(lists, [], 'the only link of the folder is not asked for');
    });

    it('stores nothing when it is dismissed, whatever was chosen before', async () => {
      useRepository();
      answer(async (list) => {
        await list.accept('quiet for a minute');
        list.dismiss();
      });
      assert.equal(await keepInSync(), undefined);
      assert.deepEqual([links, refreshed], [[linkTo(harbour)], 0]);
    });

    it('says what goes without a question, and what never does', async () => {
      useRepository();
      let seen: string[] = [];
      let title = '';
      answer(async (list) => {
        const rows = await Promise.all(list.labels.filter((label) => label.includes('$(')).map(list.item));
        seen = rows.map(textOf);
        title = list.title;
        list.dismiss();
      });
      files = [{}, { change: 'changed', bytes: 2048 }, { change: 'unchanged' }, { isSelected: false }];
      files.push({ change: 'conflict', isSelected: false });
      removals = [{}];
      await keepInSync();
      assert.equal(title, 'Keep docs in Sync with Harbour');
      assert.deepEqual(seen, [
        '$(sync) Keep in Sync Automatically | Uploads 2 files (3 KB) · 2 waiting for you',
        '$(pass-filled) After each commit',
        '$(circle-large-outline) When files have been quiet for a minute',
        '$(folder) docs | New and changed files in this folder, and nothing else',
        '$(git-branch) main | Only while this branch is checked out',
        '$(shield) Files that no rule excludes | Same as a manual sync: .gitignore, .switchboardignore, files.exclude, knowledge.exclude and the list of secrets apply',
        '$(file) Documents, text and source code | Each up to 15 MB',
        '$(dashboard) At most 100 files and 20 MB at a time | Setting "switchboard.knowledge.autoSync"',
        '$(trash) Deletions | Including renamed files',
        '$(git-compare) Conflicts | What someone else changed on the platform',
        '$(key) Files with secrets',
        '$(warning) Uploads that exceed the limit',
        '$(git-branch) Another branch',
      ]);
    });

    it('goes by quiet files where that was chosen, which the list shows', async () => {
      useRepository();
      answer(async (list) => {
        await list.accept('After each commit');
        await list.accept('quiet for a minute');
        await list.item('$(circle-large-outline) After each commit');
        await list.item('$(pass-filled) When files');
        await list.accept('docs');
        await list.accept('Keep in Sync Automatically');
      });
      const terms = { when: 'quiet', branch: 'main', ...limits };
      assert.deepEqual(await keepInSync(), terms);
      links = [{ ...linkTo(harbour), auto: { terms: terms as SyncTerms } }];
      answer(confirm);
      assert.deepEqual(await keepInSync(), terms, 'what was chosen before is proposed again');
    });

    it('knows no commits outside of a repository', async () => {
      let labels: string[] = [];
      answer(async (list) => {
        ({ labels } = list);
        await confirm(list);
      });
      assert.deepEqual(await keepInSync(), { when: 'quiet', ...limits });
      assert.ok(!labels.some((label) => /commit|branch/.test(label)), labels.join());
    });

    it('asks for a branch first where none is checked out', async () => {
      const git = useRepository();
      git('checkout', '-q', '--detach');
      answer(confirm);
      assert.equal(await keepInSync(), undefined);
      assert.deepEqual(warned, ['Check out a branch first: a folder is kept in sync on one branch.']);
      assert.deepEqual(links, [linkTo(harbour)]);
    });

    for (const [what, most, isOver] of [
      ['as many files as are allowed', { maxFiles: 2 }, false],
      ['one file more', { maxFiles: 1 }, true],
      ['as many bytes as are allowed', { maxMegabytes: 2 }, false],
      ['more bytes', { maxMegabytes: 1 }, true],
    ] as const) {
      it(`${isOver ? 'warns of the first upload' : 'does not warn'}: ${what}`, async () => {
        const get = settings.get.bind(settings);
        replace(Settings.prototype, 'get', (key: 'knowledge.autoSync') =>
          key === 'knowledge.autoSync' ? most : get(key),
        );
        files = [{ bytes: megabyte }, { bytes: megabyte }];
        let detail: string | undefined;
        answer(async (list) => {
          ({ detail } = await list.item('Keep in Sync'));
          list.dismiss();
        });
        await keepInSync();
        const now = 'Uploads 2 files (2 MB)';
        assert.equal(detail, isOver ? `${now} once you confirm: exceeds the limit` : now);
      });
    }

    it('is refused for a base that asks each time, or could index nothing', async () => {
      dataset = { ...harbour, isPipeline: true };
      answer(confirm);
      assert.equal(await keepInSync(), undefined);
      dataset = { ...harbour, technique: 'high_quality', isEmbeddingAvailable: false };
      assert.equal(await keepInSync(), undefined);
      assert.deepEqual(warned, [
        '"Harbour" uses a knowledge pipeline, which asks each time. Sync it by hand.',
        'The embedding model of "Harbour" isn\'t available.',
      ]);
      assert.deepEqual([links, refreshed], [[linkTo(harbour)], 0]);
    });

    it('is refused where nothing can be watched, before anything is read', async () => {
      links = [linkTo(harbour, 'far', 'vscode-vfs://github/owner/repo')];
      assert.equal(await keepInSync(vscode.Uri.parse('vscode-vfs://github/owner/repo')), undefined);
      assert.match(warned.join(), /^far can't be kept in sync: .*virtual workspace/);
      assert.deepEqual(planned, []);
    });

    it('goes on with a folder that was paused, and with no other', async () => {
      running = [
        synced(linkTo(harbour), { pause: { reason: 'settings' } }),
        synced(linkTo(harbour, 'other', `${path}/other`), { pause: { reason: 'user' } }),
        synced(linkTo(pier), { pause: { reason: 'user' } }),
        synced(linkTo(harbour)),
      ];
      answer(confirm);
      await keepInSync();
      assert.deepEqual(
        running.map(({ did }) => did),
        [['resume'], [], [], []],
      );
    });
  });

  describe('choosing the folder', () => {
    it('links one that has no link yet, once its path is allowed', async () => {
      answer((list) => list.accept('Pier'));
      await syncFolder(context, { folder: vscode.Uri.file(path) });
      assert.deepEqual(links, [linkTo(pier)]);
      assert.deepEqual(checked, [`list ${path}`]);
      assert.deepEqual(planned, [{ datasetId: 'p', targets: [{ type: 'path', path }], isSync: true }]);
    });

    it('links none that is blocked, and says why', async () => {
      isForbidden = true;
      answer((list) => list.accept('Pier'));
      assert.equal(await syncFolder(context, { folder: vscode.Uri.file(path) }), undefined);
      assert.deepEqual([links, warned, planned], [[], ['It is blocked.'], []]);
    });

    it('links none without a knowledge base', async () => {
      answer((list) => list.dismiss());
      await syncFolder(context, { folder: vscode.Uri.file(path) });
      assert.deepEqual([links, planned], [[], []]);
    });

    it('asks for the folder of a knowledge base in the dialog of the editor, and names the whole workspace so', async () => {
      shownPath = '.';
      let asked: vscode.OpenDialogOptions = {};
      replace(vscode.window, 'showOpenDialog', async (options: vscode.OpenDialogOptions) => {
        asked = options;
        return [vscode.Uri.file(path)];
      });
      await syncFolder(context, { dataset: harbour });
      assert.deepEqual(links, [linkTo(harbour, '')]);
      assert.deepEqual([asked.canSelectFiles, asked.canSelectFolders], [false, true]);
      assert.equal(asked.defaultUri?.path, vscode.workspace.workspaceFolders?.[0]?.uri.path);
      replace(vscode.window, 'showOpenDialog', async () => undefined);
      links = [];
      await syncFolder(context, { dataset: harbour });
      assert.deepEqual(links, []);
    });

    it('takes the only link of what was clicked, and asks where there are several, or none was clicked', async () => {
      const [docs, piers, other] = [linkTo(harbour), linkTo(pier), linkTo(harbour, 'other', `${path}/other`)];
      links = [docs, piers, other];
      const chosen = async (from: { folder?: vscode.Uri; dataset?: Dataset }, ...labels: string[]) => {
        [planned, lists] = [[], []];
        pick(...labels);
        await syncFolder(context, from);
        const [request] = planned;
        const targets = request?.targets as { path: string }[] | undefined;
        return request && `${request.datasetId} ${basename(targets?.[0]?.path ?? '')}`;
      };
      assert.equal(await chosen({ dataset: pier }), `p ${basename(path)}`);
      assert.equal(lists.length, 0);
      assert.equal(await chosen({ dataset: harbour }, 'other'), 'd other');
      assert.deepEqual(lists, [
        {
          title: 'Sync Folder',
          rows: ['$(folder) docs | Harbour', '$(folder) other | Harbour', '$(link) Link Another Folder…'],
        },
      ]);
      assert.equal(await chosen({ folder: vscode.Uri.file(path) }), undefined);
      assert.deepEqual(lists[0]?.rows, [
        ...['$(folder) docs | Harbour', '$(folder) docs | Pier'],
        '$(link) Link Another Folder…',
      ]);
      links = [docs];
      assert.equal(await chosen({}), undefined);
      assert.deepEqual(lists[0]?.rows, ['$(folder) docs | Harbour', '$(link) Link Another Folder…']);
      replace(vscode.window, 'showOpenDialog', async () => [vscode.Uri.file(`${path}/new`)]);
      answer((list) => list.accept('Pier'));
      assert.equal(await chosen({}, 'Link Another'), 'p new');
    });

    it('unlinks the one that is meant, and leaves its documents', async () => {
      const [docs, piers, other] = [linkTo(harbour), linkTo(pier), linkTo(harbour, 'other', `${path}/other`)];
      links = [docs, piers, other];
      assert.equal(await unlinkFolder(context, harbour), false);
      assert.deepEqual(
        [links.length, lists[0]?.rows],
        [3, ['$(folder) docs | Harbour', '$(folder) other | Harbour']],
      );
      pick('other');
      assert.equal(await unlinkFolder(context, harbour), true);
      assert.deepEqual(links, [docs, piers]);
      pick();
      assert.equal(await unlinkFolder(context, pier), true);
      assert.deepEqual(links, [docs]);
      assert.deepEqual(informed, [
        '"other" is no longer synced. Uploaded documents stay on the platform.',
        '"docs" is no longer synced. Uploaded documents stay on the platform.',
      ]);
    });
  });

  describe('how a folder stands', () => {
    const stands = async (change: Partial<SyncState>, action?: string, terms: Partial<SyncTerms> = {}) => {
      const link = { ...linkTo(harbour), auto: { terms: { when: 'quiet' as const, ...limits, ...terms } } };
      links = [link];
      running = [synced(link, { changed: new Set(), inStep: { commit: '0123456789', atMs: 0 }, ...change })];
      lists = [];
      pick(action);
      const result = await runAutoSync('showSyncStatus', context, syncs, []);
      return { result, rows: lists[0]?.rows ?? [], title: lists[0]?.title, did: running[0]!.did };
    };
    const stop = '$(close) Stop Keeping in Sync | The folder stays linked';
    const check = '$(refresh) Check Now';
    const pauseRow = '$(debug-pause) Pause';

    it('is told with what waits and what goes next', async () => {
      const waiting = [
        { path: 'docs/a.md', reason: 'conflict' as const },
        { path: 'docs/a.md', reason: 'secret' as const, message: 'A key.' },
      ];
      const { result, rows, title } = await stands({ waiting, changed: new Set(['/w/docs/b.md']) });
      assert.deepEqual(result, { state: 'checking…', waiting: ['docs/a.md', 'docs/a.md'] });
      assert.equal(title, 'docs → Harbour: checking…');
      assert.deepEqual(rows, [
        '$(cloud-upload) Sync… | Shows the plan and asks before anything',
        `${check} | Otherwise when files have been quiet for a minute`,
        pauseRow,
        stop,
        'Waiting for you',
        '$(file) docs/a.md | Changed, deleted or added by someone else on the platform',
        '$(file) docs/a.md | A key.',
        'Uploaded next',
        '$(file) b.md | /w/docs/b.md',
      ]);
    });

    it('offers nothing that does not apply', async () => {
      const still = { activity: 'still' as const };
      const { rows, result } = await stands(still, undefined, { when: 'commit', branch: 'main' });
      assert.deepEqual(result, { state: 'in sync as of 0123456', waiting: [] });
      assert.deepEqual(rows, [`${check} | Otherwise after the next commit on "main"`, pauseRow, stop]);
      assert.deepEqual((await stands({ ...still, changed: 'all' })).rows.slice(2), [stop]);
    });

    const changed =
      'The limits or excluded files are no longer those you confirmed. Choose "Keep in Sync Automatically…" to confirm them.';
    const branch = 'Continues on the branch "main". Nothing is uploaded or deleted from another one.';
    const over = '3 files (2 KB) exceed the limit per upload. The plan is shown first.';
    const cases: [Pause, string[]][] = [
      [{ reason: 'user' }, ['$(debug-start) Resume | Nothing is uploaded until you resume.', stop]],
      [
        { reason: 'settings' },
        [`$(check) Keep in Sync Automatically… | ${changed}`, `${check} | ${changed}`, pauseRow, stop],
      ],
      [
        { reason: 'branch', branch: 'other' },
        [`$(check) Keep in Sync Automatically… | ${branch}`, `${check} | ${branch}`, pauseRow, stop],
      ],
      [{ reason: 'merge' }, [`${check} | Continues when the merge is finished.`, pauseRow, stop]],
      [
        { reason: 'limit', files: 3, bytes: 2048 },
        [`$(cloud-upload) Sync… | ${over}`, check, pauseRow, stop, 'Waiting for you'],
      ],
    ];
    for (const [pause, expected] of cases) {
      it(`offers what ends a pause: ${pause.reason}`, async () => {
        const waiting = pause.reason === 'limit' ? [{ path: 'a.md', reason: 'limit' as const }] : [];
        const { rows } = await stands({ pause, waiting }, undefined, { branch: 'main' });
        assert.deepEqual(rows.slice(0, expected.length), expected);
      });
    }

    it('does what was chosen', async () => {
      const user: Pause = { reason: 'user' };
      assert.deepEqual((await stands({}, 'Check Now')).did, ['recheck']);
      assert.deepEqual((await stands({}, 'Pause')).did, ['pause']);
      assert.deepEqual((await stands({ pause: user }, 'Resume')).did, ['resume']);
      assert.deepEqual((await stands({})).did, []);
      assert.equal(refreshed, 0);
    });

    it('ends automatic sync, but keeps the link', async () => {
      const { did } = await stands({}, 'Stop Keeping');
      assert.deepEqual([links, refreshed, did], [[linkTo(harbour)], 1, []]);
    });

    it('confirms changed terms only when the user does', async () => {
      answer((list) => list.dismiss());
      const { did } = await stands({ pause: { reason: 'settings' } }, 'Keep in Sync', { maxFiles: 1 });
      assert.deepEqual([links[0]?.auto?.terms.maxFiles, did], [1, []]);
      answer((list) => list.accept('Keep in Sync Automatically'));
      const confirmed = await stands({ pause: { reason: 'settings' } }, 'Keep in Sync', { maxFiles: 1 });
      assert.deepEqual([links[0]?.auto?.terms.maxFiles, confirmed.did], [100, ['resume']]);
    });

    it('shows the plan of a sync by hand, and looks again where nothing was sent', async () => {
      let title = '';
      answer((list) => {
        ({ title } = list);
        list.dismiss();
      });
      const waiting = [{ path: 'a.md', reason: 'deletion' as const }];
      const { did } = await stands({ waiting }, 'Sync…');
      assert.match(title, /^Sync with Harbour/);
      assert.deepEqual(planned, [{ datasetId: 'd', targets: [{ type: 'path', path }], isSync: true }]);
      assert.deepEqual(did, ['recheck']);
    });
  });

  describe('several of them', () => {
    beforeEach(() => {
      running = [
        synced(linkTo(harbour), { pause: { reason: 'user' } }),
        synced(linkTo(pier, 'other'), { pause: { reason: 'merge' } }),
      ];
    });
    const did = () => running.map((each) => each.did);

    it('are asked for, unless a knowledge base was clicked that has one', async () => {
      pick('other', 'other');
      assert.equal(await runAutoSync('pauseSync', context, syncs, []), true);
      assert.equal(await runAutoSync('resumeSync', context, syncs, []), true);
      assert.deepEqual(did(), [[], ['pause', 'resume']]);
      assert.deepEqual(lists, [
        {
          title: 'Pause Automatic Sync',
          rows: ['$(folder) docs | Harbour | paused', '$(folder) other | Pier | paused: merge in progress'],
        },
        { title: 'Resume Automatic Sync', rows: lists[0]!.rows },
      ]);
      assert.equal(await runAutoSync('pauseSync', context, syncs, [nodeOf(harbour)]), true);
      assert.equal(await runAutoSync('resumeSync', context, syncs, [nodeOf(pier)]), true);
      assert.deepEqual(did(), [['pause'], ['pause', 'resume', 'resume']]);
      assert.equal(lists.length, 2);
    });

    it('are left alone when the list is dismissed, or there is none', async () => {
      assert.equal(await runAutoSync('pauseSync', context, syncs, []), false);
      assert.equal(await runAutoSync('resumeSync', context, syncs, []), false);
      assert.deepEqual(did(), [[], []]);
      running = [];
      assert.equal(await runAutoSync('pauseSync', context, syncs, []), false);
      assert.equal(await runAutoSync('showSyncStatus', context, syncs, []), undefined);
    });
  });
});
