import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import manifest from '../../package.json' with { type: 'json' };
import type { Log } from '../../src/base/log.ts';
import type { KnowledgeCommandContext } from '../../src/host/knowledge/knowledgeCommandContext.ts';
import { SourceDocuments } from '../../src/host/knowledge/sourceDocuments.ts';
import { editTags } from '../../src/host/knowledge/tree/editTags.ts';
import { FoldersInStep } from '../../src/host/knowledge/autoSync/foldersInStep.ts';
import { KnowledgeTree } from '../../src/host/knowledge/tree/knowledgeTree.ts';
import { Memory } from '../../src/settings/memory.ts';
import { readKnowledgeOptions, Settings } from '../../src/host/settings.ts';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { placeOfSegment, type TreeNode } from '../../src/knowledge/view/treeNode.ts';
import { createWorkspaceKnowledge } from '../../src/knowledge/files/workspaceKnowledge.ts';
import { createHttpClient } from '../../src/net/httpClient.ts';
import type { Dialect } from '../../src/platform/platformDialect.ts';
import type { ProcessRule } from '../../src/platform/documents/processRule.ts';
import { createPlatformClient, type PlatformClient } from '../../src/platform/platformClient.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import { startPlatform, type PlatformServer } from '../servers/sandbox.ts';
import { unzip } from '../support/zip.ts';
import { type PersonScript, withPerson } from './person.ts';
import type { ListScript, OpenList } from './scriptedQuickPick.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';

const { signal } = new AbortController();
const log: Log = { debug() {}, info() {}, warn() {}, error() {} };

describe('the tree of knowledge bases', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  let context: KnowledgeCommandContext;
  let tree: KnowledgeTree;
  let folder: string;
  let clientOf: (server: PlatformServer) => PlatformClient;
  let disposables: { dispose(): void }[];

  const command = (name: string, ...nodes: TreeNode[]) =>
    vscode.commands.executeCommand(`switchboard.knowledge.${name}`, nodes[0], nodes);
  const line = (node: TreeNode) => {
    const { label, description } = tree.getTreeItem(node);
    const text = typeof label === 'string' ? label : (label?.label ?? '');
    return typeof description === 'string' && description ? `${text} | ${description}` : text;
  };
  const lines = async (node?: TreeNode) => (await tree.getChildren(node)).map(line);
  async function child(text: string, node?: TreeNode): Promise<TreeNode> {
    const found = (await tree.getChildren(node)).find((each) => line(each).includes(text));
    return found ?? assert.fail(`${text} is not among ${(await lines(node)).join('\n')}`);
  }
  const changeOf = (expected: TreeNode | undefined) =>
    new Promise<void>((resolve) => {
      const listening = tree.onDidChangeTreeData((node) => {
        if (node !== expected) return;
        listening.dispose();
        resolve();
      });
    });

  beforeEach(async () => {
    const names = Array.from({ length: 120 }, (_, index) => `page-${String(index).padStart(3, '0')}.md`);
    platform = await startPlatform({
      indexing: 'instant',
      seed: [
        {
          dataset: 'Harbour',
          documents: [
            { name: 'rules.md', text: 'Boats wait outside the wall.\n\nThree knots in the basin.' },
            { name: 'tides.md', text: 'High water at noon.' },
          ],
        },
        { dataset: 'Many', documents: names.map((name) => ({ name, text: `This is ${name}.` })) },
        { dataset: 'Empty' },
        { dataset: 'Crawled', isPipeline: true },
        { dataset: 'Piped', isPipeline: true },
        {
          dataset: 'Template',
          isPipeline: true,
          pipelineInputs: [
            { kind: 'number', variable: 'size', label: 'Chunk Size', required: true },
            { kind: 'select', variable: 'mode', label: 'Mode', required: true, options: ['full', 'part'] },
          ],
        },
      ],
    });
    folder = await mkdtemp(join(tmpdir(), 'switchboard-tree-'));
    const http = createHttpClient({ log, settings: () => ({ noProxy: [], strictTls: true }) });
    const learnt = new Map<string, Dialect>();
    clientOf = ({ url, datasetKey }) =>
      createPlatformClient({
        http,
        log,
        connection: { baseUrl: url, key: datasetKey },
        timeouts: { connectMs: 5000, firstTokenMs: 20_000, idleMs: 20_000 },
        dialects: {
          get: (origin) => learnt.get(origin) ?? {},
          learn: (origin, found) => learnt.set(origin, found),
        },
      });
    const client = clientOf(platform);
    const deps = createToolDependencies(
      createVscodeWorkspace(() => ({ toolsExclude: [], toolsProtected: [] })),
      { workerFile: '', ripgrep: undefined, timeoutMs: 1000 },
    );
    const settings = new Settings(manifest, log);
    const kept = new Map<string, unknown>();
    const memento: vscode.Memento = {
      keys: () => [...kept.keys()],
      get: <T>(key: string, value?: T) => (kept.get(key) as T | undefined) ?? value,
      update: async (key, value) => void kept.set(key, value),
    };
    const memory = new Memory(memento, memento);
    const knowledge = createWorkspaceKnowledge({
      ...{ client, origin: platform.url, dependencies: deps, manifestFolder: folder, log },
      options: () => readKnowledgeOptions(settings),
      searchSettings: (id) => memory.searchSettings(platform.url, id),
      addedBases: () => memory.addedBases(platform.url),
    });
    const sources = new SourceDocuments(async () => client);
    const access = {
      baseUrl: platform.url,
      origin: platform.url,
      key: platform.datasetKey,
      fromEnvironment: false,
    };
    context = {
      access,
      client,
      knowledge,
      memory,
      settings,
      log,
      notifications: new Notifications(log),
      dependencies: deps,
      sources,
      askedRuns: new Set(),
      goodReport: {},
    };
    const folders = new FoldersInStep(context, '');
    tree = new KnowledgeTree(context, folders);
    disposables = [folders, tree, sources, knowledge, http];
    // The nodes' commands are the extension's own, so it needs the platform, too.
    await withPerson({ types: [platform.url, platform.datasetKey] }, () =>
      vscode.commands.executeCommand('switchboard.connectPlatform'),
    );
  });
  afterEach(async () => {
    for (const each of disposables) each.dispose();
    await withPerson({}, () => vscode.commands.executeCommand('switchboard.removeKeys'));
    await vscode.workspace
      .getConfiguration('switchboard')
      .update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows knowledge bases with what they are, and says when one is empty', async () => {
    assert.deepEqual((await lines()).toSorted(), [
      'Crawled | 0 documents · economical · visible to its owner · knowledge pipeline',
      'Empty | 0 documents · economical · visible to its owner',
      'Harbour | 2 documents · economical · visible to its owner',
      'Many | 120 documents · economical · visible to its owner',
      'Piped | 0 documents · economical · visible to its owner · knowledge pipeline',
      'Template | 0 documents · economical · visible to its owner · knowledge pipeline',
    ]);
    assert.deepEqual(await lines(await child('Empty')), ['No documents yet.']);
  });

  it('shows documents with their state in words, for screen readers too', async () => {
    const base = await child('Harbour');
    assert.deepEqual((await lines(base)).toSorted(), ['rules.md | indexed', 'tides.md | indexed']);
    const { accessibilityInformation, iconPath } = tree.getTreeItem(await child('rules.md', base));
    assert.equal(accessibilityInformation?.label, 'rules.md, indexed');
    assert.ok(iconPath instanceof vscode.ThemeIcon && iconPath.id === 'pass');
  });

  it('says first what is stuck, which a line sends again, then the folders that are synced', async () => {
    const base = await child('Harbour');
    assert.ok(base.type === 'base');
    const links = ['pages', ''].map((path) => ({ folder: path, path, datasetId: 'd', datasetName: 'D' }));
    const node = { ...base, links, stuck: 2 };
    assert.match(line(node), /^Harbour \| 2 stuck · .* · synced with pages, the workspace folder$/);
    const { contextValue } = tree.getTreeItem(node);
    assert.ok(
      ['linked', 'stuck'].every((word) => contextValue?.split(' ').includes(word)),
      contextValue,
    );
    assert.equal(line({ type: 'stuck', parent: node }), '2 documents are stuck: Re-upload');
    const one = { ...node, stuck: 1 };
    const { label, command: clicked } = tree.getTreeItem({ type: 'stuck', parent: one });
    assert.deepEqual(
      [label, clicked?.command],
      ['1 document is stuck: Re-upload', 'switchboard.knowledge.resendStuck'],
    );
  });

  it('loads the next page of documents when asked, and keeps those it has', async () => {
    const base = await child('Many');
    const before = await lines(base);
    assert.match(before.at(-1) ?? '', /^Load More \| \d+ of 120 shown$/);
    const more = await child('Load More', base);
    assert.ok(more.type === 'more');
    const changed = changeOf(base);
    await tree.loadMore(more.parent);
    await changed;
    const now = await lines(base);
    assert.ok(now.length > before.length);
    assert.deepEqual(now.slice(0, before.length - 1), before.slice(0, -1));
  });

  it('filters by name on the server, and shows by what', async () => {
    const base = await child('Many');
    context.knowledge.documents(base.type === 'base' ? base.dataset.id : '').filter('page-007');
    assert.deepEqual(await lines(base), ['page-007.md | indexed']);
    assert.ok(
      (await lines()).includes('Many | 120 documents · economical · visible to its owner · only "page-007"'),
    );
    context.knowledge.documents(base.type === 'base' ? base.dataset.id : '').filter('nothing');
    assert.deepEqual(await lines(base), ['No documents match "nothing".']);
    context.knowledge.documents(base.type === 'base' ? base.dataset.id : '').filter(undefined);
  });

  it('shows the segments of a document, and opens them and the document as indexed', async () => {
    const document = await child('rules.md', await child('Harbour'));
    const [first = ''] = await lines(document);
    assert.match(first, /^Boats wait outside the wall\./);
    assert.equal(await command('openDocument', document), true);
    const open = vscode.window.activeTextEditor?.document;
    assert.equal(open?.uri.scheme, 'switchboard-source');
    assert.match(open.getText(), /──── 1 ────\n\nBoats wait/);
    assert.equal(open.languageId, 'markdown');
    assert.equal(await command('openSegment', await child('Boats', document)), true);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /^Boats wait/);
  });

  it('tells a failure in a line that tries again', async () => {
    const broken = platform.others.addDataset({ dataset: 'Broken' });
    await tree.refresh();
    const base = await child('Broken');
    platform.others.deleteDataset('Broken');
    assert.ok(broken);
    const failure = await child('', base);
    assert.equal(failure.type, 'failure');
    const { command: onClick, contextValue } = tree.getTreeItem(failure);
    assert.equal(onClick?.command, 'switchboard.knowledge.retry');
    assert.equal(contextValue, 'failure');
    await tree.refresh();
    assert.ok(!(await lines()).some((each) => each.startsWith('Broken')));
  });

  it('disables, enables and deletes documents, asking before the last', async () => {
    const base = await child('Harbour');
    const tides = await child('tides.md', base);
    const stored = () => platform.datasets[0]?.documents.find(({ name }) => name === 'tides.md');
    assert.equal(await command('disable', tides), 1);
    assert.equal(stored()?.isEnabled, false);
    assert.equal(await command('enable', tides), 1);
    assert.equal(stored()?.isEnabled, true);
    const asked = await withPerson({}, async () => assert.equal(await command('delete', tides), 0));
    assert.match(asked[0]?.text ?? '', /Delete "tides\.md" from "Harbour"\?/);
    assert.ok(stored());
    await withPerson({ presses: ['Delete'] }, async () => assert.equal(await command('delete', tides), 1));
    assert.equal(stored(), undefined);
  });

  it('changes a segment in an editor, and sends it when the user says so', async () => {
    const document = await child('rules.md', await child('Harbour'));
    await command('editSegment', await child('Boats', document));
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.scheme, 'switchboard-segment');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'All '));
    const asked = await withPerson({}, () => editor.document.save());
    assert.match(asked[0]?.text ?? '', /in this window only/);
    const contents = () => platform.datasets[0]?.documents[0]?.segments ?? [];
    assert.ok(!contents().some((text) => text.startsWith('All Boats')));
    await withPerson({ presses: ['Replace'] }, async () => {
      const isSent = await vscode.commands.executeCommand(
        'switchboard.knowledge.sendSegment',
        editor.document.uri,
      );
      assert.equal(isSent, true);
    });
    assert.ok(contents().some((text) => text.startsWith('All Boats')));
  });

  it('shows the new child chunks of a replaced segment, and says before that those made by hand go', async () => {
    const { client } = context;
    const { id: datasetId } = await client.datasets.create({ name: 'Nested' }, signal);
    const rules = { pre_processing_rules: [] };
    const processRule: ProcessRule = {
      mode: 'hierarchical',
      rules: {
        ...rules,
        parent_mode: 'paragraph',
        segmentation: { separator: '\n\n', max_tokens: 200 },
        subchunk_segmentation: { separator: '\n', max_tokens: 60 },
      },
    };
    const settings = { technique: 'high_quality', form: 'hierarchical_model', processRule } as const;
    await client.documents.createByText(
      datasetId,
      { name: 'quay.md', text: 'Old quay.', ...settings },
      signal,
    );
    await tree.refresh();
    const base = await child('Nested');
    const document = await child('quay.md', base);
    const before = await child('Old quay', document);
    assert.ok(before.type === 'segment' && document.type === 'document');
    await client.childChunks.create(placeOfSegment(before), 'Made by hand.', signal);
    assert.deepEqual(await lines(before), ['Old quay. | 9 words', 'Made by hand. | 13 words']);

    await command('editSegment', before);
    const editor = vscode.window.activeTextEditor ?? assert.fail('There is no editor.');
    const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
    await editor.edit((edit) => edit.replace(whole, 'New quay.'));
    const asked = await withPerson({ presses: ['Replace'] }, () =>
      vscode.commands.executeCommand('switchboard.knowledge.sendSegment', editor.document.uri),
    );
    assert.match(asked[0]?.detail ?? '', /those added or changed by hand are deleted/);
    await tree.refresh(document);
    assert.deepEqual(await lines(await child('New quay', document)), ['New quay. | 9 words']);
    await client.datasets.delete(datasetId, signal);
    await tree.refresh();
  });

  it('adds a segment, and deletes it once that is confirmed', async () => {
    const document = await child('rules.md', await child('Harbour'));
    assert.ok(document.type === 'document');
    const contents = () => platform.datasets[0]?.documents[0]?.segments ?? [];
    await command('addSegment', document);
    const editor = vscode.window.activeTextEditor;
    await editor?.edit((edit) => edit.insert(new vscode.Position(0, 0), 'Lamps are lit at dusk.'));
    const uri = editor?.document.uri;
    await withPerson({}, async () => {
      assert.equal(await vscode.commands.executeCommand('switchboard.knowledge.sendSegment', uri), true);
    });
    assert.ok(contents().includes('Lamps are lit at dusk.'));
    await tree.refresh(document);
    const added = await child('Lamps', document);
    const asked = await withPerson({}, async () => assert.equal(await command('delete', added), 0));
    assert.match(asked[0]?.text ?? '', /Delete this segment from the platform\?/);
    assert.ok(contents().includes('Lamps are lit at dusk.'));
    await withPerson({ presses: ['Delete'] }, async () => assert.equal(await command('delete', added), 1));
    assert.ok(!contents().includes('Lamps are lit at dusk.'));
  });

  it('saves the file of a document where the user wants it, whole or not at all', async () => {
    const document = await child('rules.md', await child('Harbour'));
    const target = vscode.Uri.file(join(folder, 'saved.md'));
    const dialogs: vscode.SaveDialogOptions[] = [];
    const window = vscode.window as { showSaveDialog: unknown };
    const original = window.showSaveDialog;
    window.showSaveDialog = async (options: vscode.SaveDialogOptions) => {
      dialogs.push(options);
      return target;
    };
    try {
      await writeFile(target.fsPath, 'before');
      const asked = await withPerson({}, async () => {
        assert.equal(await command('downloadDocument', document), target.toString());
      });
      assert.match(dialogs[0]?.defaultUri?.path ?? '', /\/rules\.md$/);
      assert.match(await readFile(target.fsPath, 'utf8'), /^Boats wait outside the wall\./);
      assert.match(asked[0]?.text ?? '', /^Saved .*saved\.md\.$/);

      const many = await child('Many');
      const first = await child('page-100.md', many);
      const both = [first, await child('page-101.md', many)];
      const archived = await withPerson({}, async () => {
        assert.equal(await command('downloadDocuments', ...both), target.toString());
      });
      assert.match(dialogs[1]?.defaultUri?.path ?? '', /\/Many\.zip$/);
      assert.deepEqual([...unzip(await readFile(target.fsPath)).keys()].toSorted(), [
        'page-100.md',
        'page-101.md',
      ]);
      assert.match(archived[0]?.text ?? '', /^Saved .*saved\.md\.$/);
      const refused = await withPerson({}, async () => {
        assert.equal(await command('downloadDocuments', document, first), undefined);
      });
      assert.match(refused[0]?.text ?? '', /documents of one knowledge base/);
      assert.equal(dialogs.length, 2);

      // A failed download leaves the file.
      await writeFile(target.fsPath, 'before');
      const stop = platform.misbehave({ does: 'bad-gateway', on: ['readFile'] });
      const failed = await withPerson({}, async () => {
        assert.equal(await command('downloadDocument', document), undefined);
      });
      stop();
      assert.match(failed.at(-1)?.text ?? '', /couldn't be downloaded: status 502/);
      assert.equal(await readFile(target.fsPath, 'utf8'), 'before');
    } finally {
      window.showSaveDialog = original;
    }
  });

  it('asks whether documents go through the pipeline that fills a knowledge base', async () => {
    const open = vscode.window as { showOpenDialog: unknown };
    const original = open.showOpenDialog;
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    const file = vscode.Uri.joinPath(workspace.uri, 'README.md');
    open.showOpenDialog = async () => [file];
    try {
      const crawled = await child('Crawled');
      platform.clearRequests();
      let asked = await withPerson({}, () => command('addFiles', crawled));
      const question = asked.find(({ kind }) => kind === 'warning');
      assert.match(question?.text ?? '', /"Crawled" uses a knowledge pipeline\. Run it/);
      asked = await withPerson({ presses: ['Run Pipeline'] }, () => command('addFiles', crawled));
      assert.match(asked.at(-1)?.text ?? '', /"Crawled" doesn't accept files\. Run it on the platform/);
      assert.ok(!platform.requests.some(({ method }) => method === 'POST'));

      const piped = await child('Piped');
      open.showOpenDialog = async () => [file, vscode.Uri.joinPath(workspace.uri, 'docs', 'heights.md')];
      let result: unknown = 'nothing';
      const dismiss: PersonScript = {
        presses: ['Run Pipeline'],
        lists: [
          async (list) => {
            await list.item('Upload 2 documents');
            list.dismiss();
          },
        ],
      };
      await withPerson(dismiss, async () => {
        result = await command('addFiles', piped);
      });
      assert.equal(result, undefined);
      assert.ok(!platform.requests.some(({ method }) => method === 'POST'));
      const script: PersonScript = {
        presses: ['Run Pipeline'],
        lists: [
          async (list) => {
            await list.press('docs/heights.md');
            await list.accept('Upload 1 document');
          },
        ],
      };
      asked = await withPerson(script, async () => {
        result = await command('addFiles', piped);
      });
      assert.deepEqual(result, { added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 });
      assert.match(asked.at(-1)?.text ?? '', /pipeline of "Piped" is running with 1 document/);
      const filled = (await lines(piped)).join();
      assert.ok(filled.includes('README.md') && !filled.includes('heights.md'), filled);
    } finally {
      open.showOpenDialog = original;
    }
  });

  it('asks for what a pipeline requires, and the next time first, with the last values', async () => {
    const open = vscode.window as { showOpenDialog: unknown };
    const original = open.showOpenDialog;
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    let file = 'README.md';
    open.showOpenDialog = async () => [vscode.Uri.joinPath(workspace.uri, file)];
    const template = await child('Template');
    const run = (script: Omit<PersonScript, 'presses' | 'lists'>) =>
      withPerson(
        {
          ...script,
          presses: ['Run Pipeline'],
          lists: [async (list) => list.accept('Upload 1 document')],
        },
        async () => assert.deepEqual(await command('addFiles', template), reported),
      );
    const reported = { added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 };
    const inputsOfRuns = () =>
      platform.requests
        .filter(({ path }) => path.endsWith('/pipeline/run'))
        .map(({ json }) => (json as { inputs: unknown }).inputs);
    try {
      platform.clearRequests();
      // The platform lists the options only when it refuses a value.
      const first = await run({ types: ['500', 'all'], picks: ['part'] });
      assert.deepEqual(
        first.filter(({ kind }) => kind === 'input' || kind === 'pick').map(({ text }) => text),
        ['Pipeline Input: size', 'Pipeline Input: mode', 'Pipeline Input: mode'],
      );
      assert.deepEqual(inputsOfRuns(), [
        {},
        { size: '500' },
        { size: '500', mode: 'all' },
        { size: '500', mode: 'part' },
      ]);
      assert.equal(platform.count('uploadPipelineFile'), 1);

      platform.clearRequests();
      // The first file is in conflict by now, as its document wasn't uploaded by us.
      file = 'docs/heights.md';
      await run({ types: ['800', 'part'] });
      assert.deepEqual(inputsOfRuns(), [{ size: '800', mode: 'part' }]);
    } finally {
      open.showOpenDialog = original;
    }
  });

  it('has a knowledge base searched as the user sets it, and says so', async () => {
    const base = await child('Harbour');
    assert.ok(base.type === 'base');
    const { client } = context;
    await client.metadata.create(base.dataset.id, { name: 'port', type: 'string' }, signal);
    const settings = {
      filter: { match: 'all', conditions: [{ name: 'port', comparison: 'is', value: 'east' }] },
    };
    let result: unknown;
    await withPerson(
      { picks: ['Metadata Filter', 'Add Condition', 'port', 'is'], types: ['east'] },
      async () => {
        result = await command('editSearch', base);
      },
    );
    assert.deepEqual(JSON.parse(JSON.stringify(result)), settings);
    platform.clearRequests();
    let shown: string | undefined;
    const look: ListScript = (list) => {
      shown = list.placeholder;
      list.dismiss();
    };
    await withPerson({ types: ['boats'], lists: [look] }, () => command('search', base));
    assert.match(shown ?? '', /port is "east"$/);
    const asked = platform.requests.find(({ path }) => path.endsWith('/retrieve'))?.json as Retrieval;
    assert.deepEqual(asked.retrieval_model.metadata_filtering_conditions, {
      logical_operator: 'and',
      conditions: [{ name: 'port', comparison_operator: 'is', value: 'east' }],
    });
    await withPerson({ picks: ['Reset'] }, () => command('editSearch', base));
    context.memory.setSearchSettings(platform.url, base.dataset.id, settings);
    assert.match(
      (await lines()).join('\n'),
      /^Harbour \| .*economical · visible to its owner · search: port is "east"$/m,
    );
    context.memory.setSearchSettings(platform.url, base.dataset.id, undefined);
  });

  it('sets metadata and tags', async () => {
    const base = await child('Harbour');
    const document = await child('rules.md', base);
    await withPerson({ types: ['author', 'Pilot'], picks: ['New Field', 'Text'] }, async () =>
      assert.equal(await command('editMetadata', document), 1),
    );
    assert.deepEqual(platform.datasets[0]?.documents[0]?.metadata, { author: 'Pilot' });
  });

  it('tells the fault of 1.14 with tags, and assigns those in use all the same', async () => {
    const told = await withPerson(
      {
        types: ['sea'],
        lists: [(list) => list.pressButton('New Tag'), (list) => list.dismiss()],
      },
      async () => assert.equal(await command('editTags', await child('Harbour')), false),
    );
    assert.match(told.find(({ kind }) => kind === 'error')?.text ?? '', /"sea" was created.*known issue/);
    platform.others.tag('Many', 'river');
    await tree.refresh();
    assert.ok((await lines()).includes('Many | 120 documents · economical · visible to its owner · #river'));
    await command('refreshAll');
    await withPerson(
      {
        lists: [
          (list) => {
            assert.throws(() => list.pressButton('New Tag'));
            return list.accept('river');
          },
        ],
      },
      async () => assert.equal(await command('editTags', await child('Harbour')), true),
    );
    assert.deepEqual(platform.datasets[0]?.tags, ['river']);
  });

  it('offers a typed name as a new tag, by Enter and by a tick', async () => {
    const newer = await startPlatform({ version: '1.16.1', seed: [{ dataset: 'Quays' }] });
    const client = clientOf(newer);
    const [dataset] = await client.datasets.list(signal);
    assert.ok(dataset);
    const type =
      (name: string, choose: (list: OpenList) => Promise<void>): ListScript =>
      async (list) => {
        list.type(name);
        await choose(list);
      };
    const edit = (...lists: ListScript[]) =>
      withPerson({ lists }, async () => assert.equal(await editTags({ ...context, client }, dataset), true));
    await edit(
      type('sea', (list) => list.accept('New Tag "sea"')),
      type('river', (list) => list.tick('New Tag "river"')),
      (list) => {
        list.type('sea');
        assert.ok(list.labels.every((label) => !label.includes('New Tag')));
        return list.accept('sea', 'river');
      },
    );
    assert.deepEqual(newer.datasets[0]?.tags, ['sea', 'river']);
    await newer.stop();
  });

  it('reads everything again by the refresh in its title, whatever is selected', async () => {
    const document = await child('rules.md', await child('Harbour'));
    for (const [name, isAll] of [
      ['refresh', false],
      ['refreshAll', true],
    ] as const) {
      platform.clearRequests();
      assert.equal(await command(name, document), true);
      const paths = platform.requests.map(({ path }) => path);
      assert.equal(paths.includes('/v1/datasets'), isAll, paths.join());
    }
  });

  it('says that the API access of a knowledge base is off, and shows no count that may be wrong', async () => {
    platform.others.switchApi('Empty', false);
    await tree.refresh();
    const base = await child('Empty');
    const [failure = ''] = await lines(base);
    assert.match(failure, /API access/);
    assert.ok(
      (await lines()).includes('Empty | API access off · economical · visible to its owner'),
      (await lines()).join(),
    );
    platform.others.switchApi('Empty', true);
    await tree.refresh();
    assert.ok((await lines()).includes('Empty | 0 documents · economical · visible to its owner'));
  });

  it('renames and deletes a knowledge base', async () => {
    const base = await child('Empty');
    await withPerson({ types: ['Void'] }, async () =>
      assert.equal(await command('renameBase', base), 'Void'),
    );
    assert.ok(platform.datasets.some(({ name }) => name === 'Void'));
    await tree.refresh();
    const renamed = await child('Void');
    await withPerson({}, async () => assert.equal(await command('deleteBase', renamed), false));
    assert.ok(platform.datasets.some(({ name }) => name === 'Void'));
    const asked = await withPerson({ presses: ['Delete'] }, async () =>
      assert.equal(await command('deleteBase', renamed), true),
    );
    assert.match(asked[0]?.text ?? '', /"Void" with its 0 documents/);
    assert.ok(!platform.datasets.some(({ name }) => name === 'Void'));
  });

  it('asks the platform nothing as long as nothing happens', async () => {
    await lines();
    await lines(await child('Harbour'));
    platform.clearRequests();
    await lines();
    await lines(await child('Harbour'));
    await lines(await child('rules.md', await child('Harbour')));
    assert.deepEqual(
      platform.requests.map(({ path }) => path).filter((path) => !path.includes('/segments')),
      [],
    );
    await context.knowledge.bases.load(signal);
    assert.equal(platform.requests.at(-1)?.path, '/v1/datasets');
  });
});

interface Retrieval {
  retrieval_model: { metadata_filtering_conditions?: object };
}
