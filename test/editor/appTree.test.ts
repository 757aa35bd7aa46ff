import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AppRecord } from '../../src/apps/appRegistry.ts';
import type { Log } from '../../src/base/log.ts';
import type { AddAppResult } from '../../src/host/apps/addApp.ts';
import type { RunResult } from '../../src/apps/run/performRun.ts';
import { linksFile } from '../../src/host/ids.ts';
import { hashOfDsl } from '../../src/flows/flowState.ts';
import { writeLinks } from '../../src/flows/sync/flowLinks.ts';
import { FlowFiles } from '../../src/host/flows/flowFiles.ts';
import { registerFlowDecorations } from '../../src/host/flows/flowDecorations.ts';
import { AppTree } from '../../src/host/apps/tree/appTree.ts';
import type { AppTreeNode } from '../../src/apps/appTreeNode.ts';
import { createHttpClient } from '../../src/net/httpClient.ts';
import { type AppClient, createAppClient } from '../../src/apps/client/appClient.ts';
import { startPlatform, type PlatformServer } from '../servers/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { withPerson, type PersonScript } from './person.ts';

const { signal } = new AbortController();
const log: Log = { debug() {}, info() {}, warn() {}, error() {} };

describe('the tree of apps', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  let tree: AppTree;
  /** The first four are of all tests, and were never used by the user of the running one. */
  const apps: AppRecord[] = [];
  const keys = new Map<string, string>();
  let user: string;
  let users = 0;
  const http = createHttpClient({ log, settings: () => ({ noProxy: [], strictTls: true }) });
  const configuration = () => vscode.workspace.getConfiguration('switchboard');

  async function command(name: string, node: AppTreeNode, script: PersonScript = {}) {
    let result: unknown;
    await withPerson(script, async () => {
      result = await vscode.commands.executeCommand(`switchboard.apps.${name}`, node);
    });
    return result;
  }
  async function add(key: string): Promise<AppRecord> {
    let result: AddAppResult | undefined;
    await withPerson({ types: [platform.url, key] }, async () => {
      result = await vscode.commands.executeCommand<AddAppResult>('switchboard.addApp');
    });
    const app = result?.app ?? assert.fail('The app was not added.');
    apps.push(app);
    keys.set(app.id, key);
    return app;
  }
  async function remove(from: number): Promise<void> {
    for (const app of apps.splice(from))
      await command('remove', { type: 'app', app, hasKey: true }, { presses: ['Remove'] });
  }
  function clientOf(app: AppRecord | undefined): AppClient {
    assert.ok(app);
    return createAppClient({
      http,
      log,
      user,
      connection: { baseUrl: app.baseUrl, key: keys.get(app.id) ?? '' },
      timeouts: { connectMs: 5000, firstTokenMs: 20_000, idleMs: 20_000 },
      dialects: { get: () => ({}), learn() {} },
    });
  }
  async function chat(app: AppRecord | undefined, query: string): Promise<void> {
    const events = clientOf(app).chat({ query, inputs: {}, stream: false }, signal);
    for await (const event of events) if (event.type === 'ended') return;
  }
  const line = (node: AppTreeNode) => {
    const { label, description } = tree.getTreeItem(node);
    return [label, description].flatMap((part) => (typeof part === 'string' && part ? part : [])).join(' | ');
  };
  const lines = async (node?: AppTreeNode) => (await tree.getChildren(node)).map(line);
  async function child(text: string, node?: AppTreeNode): Promise<AppTreeNode> {
    const found = (await tree.getChildren(node)).find((each) => line(each).includes(text));
    return found ?? assert.fail(`${text} is not among ${(await lines(node)).join('\n')}`);
  }

  const flowFiles = new FlowFiles();
  let marks: vscode.Disposable | undefined;
  const flows = {
    files: async () => flowFiles,
    decorate: async () => (marks ??= registerFlowDecorations(flowFiles)),
  };

  before(async () => {
    platform = await startPlatform();
    await add(platform.apps.chat.key);
    await add(platform.apps.chatflow.key);
    await add(platform.apps.workflow.key);
    await add(platform.apps.completion.key);
  });
  beforeEach(async () => {
    user = `harbour-master-${++users}`;
    await configuration().update('platform.user', user, vscode.ConfigurationTarget.Global);
    tree = new AppTree(
      {
        listed: apps,
        twinOf: () => undefined,
        hasKey: ({ id }) => Promise.resolve(keys.has(id)),
        client: (id) => Promise.resolve(clientOf(apps.find((app) => app.id === id))),
        pictureFile: ({ look }) => look?.picture && `/pictures/${look.picture.file}`,
      },
      flows,
    );
  });
  afterEach(async () => {
    tree.dispose();
    await remove(4);
  });
  after(async () => {
    await remove(0);
    await configuration().update('platform.user', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    marks?.dispose();
    flowFiles.dispose();
    http.dispose();
    await platform.stop();
  });

  it('shows each app with its kind, and says what is below one that was never used', async () => {
    assert.deepEqual(await lines(), [
      'Tide helper | chat app',
      'Guide | chatflow',
      'Summarise | workflow',
      'Rewrite | completion app',
    ]);
    assert.deepEqual(await lines(await child('Tide helper')), ['No conversations yet.']);
    // Runs are those of all users.
    const unused = await add(platform.apps.workflowFails.key);
    assert.deepEqual(await lines(await child(unused.name)), ['No runs yet.']);
    const { collapsibleState } = tree.getTreeItem(await child('Rewrite'));
    assert.equal(collapsibleState, vscode.TreeItemCollapsibleState.None);
  });

  it('stays a list when the last app is removed, so that the focus stays in it', async () => {
    const empty = new AppTree(
      {
        listed: [],
        twinOf: () => undefined,
        hasKey: () => Promise.resolve(true),
        client: () => Promise.reject(new Error('no app')),
        pictureFile: () => undefined,
      },
      flows,
    );
    const [none] = await empty.getChildren();
    const { label, command: act } = tree.getTreeItem(none ?? assert.fail('There is no line.'));
    assert.deepEqual([label, act?.command], ['No apps', 'switchboard.addApp']);
    empty.dispose();
  });

  it('shows where an app of a sign-in and its file differ', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const uriOf = (path: string) => vscode.Uri.joinPath(folder!.uri, path);
    const write = (path: string, text: string) =>
      vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(text));
    const account = { accountId: 'u', appId: 'flow-1', workspace: 'Office' };
    const app = { ...apps[2]!, origin: 'https://dify.example.com', account };
    const signedIn = new AppTree(
      {
        ...{ listed: [app, apps[0]!], twinOf: () => undefined },
        ...{ hasKey: async () => true, pictureFile: () => undefined },
        client: () => Promise.reject(new Error('no app')),
      },
      flows,
    );
    const shown = async () => {
      const [node, other] = await signedIn.getChildren();
      assert.equal(line(other!), 'Tide helper | chat app');
      return signedIn.getTreeItem(node!);
    };
    try {
      assert.equal((await shown()).description, 'workflow');
      const hash = hashOfDsl('as pulled');
      const synced = { file: hash, platform: hash };
      const server = app.origin;
      const flow = { path: 'flows/tree.yml', server, workspaceId: 'w', appId: 'flow-1', synced };
      await write(linksFile, writeLinks([flow]));
      await write('flows/tree.yml', 'as pulled');
      assert.equal((await shown()).description, 'workflow ✓');
      let refreshed = 0;
      signedIn.onDidChangeTreeData(() => refreshed++);
      const file = uriOf('flows/tree.yml');
      const document = await vscode.workspace.openTextDocument(file);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(file, new vscode.Position(0, 0), '# ');
      await vscode.workspace.applyEdit(edit);
      await document.save();
      await eventually(() => assert.ok(refreshed > 0));
      const { description, tooltip } = await shown();
      assert.equal(description, 'workflow ↑');
      assert.match(typeof tooltip === 'string' ? tooltip : '', /^flows\/tree\.yml: Changed here\.$/m);
      flowFiles.noteDraft(file, 'theirs');
      assert.equal((await shown()).description, 'workflow ↕');
      await write('flows/tree.yml', 'as pulled');
      assert.equal((await shown()).description, 'workflow ↓');
    } finally {
      signedIn.dispose();
      await vscode.workspace.fs.delete(uriOf('flows'), { recursive: true });
      await vscode.workspace.fs.delete(uriOf(linksFile));
    }
  });

  it('offers audio unless it is known that an app has it off', async () => {
    const [app] = apps;
    assert.ok(app);
    const offered = (audio: AppRecord['audio']) => {
      const parent = { type: 'app' as const, app: { ...app, audio }, hasKey: true };
      const conversation = { id: '1', name: 'Tides', inputs: {} };
      const words = [parent, { type: 'conversation' as const, parent, conversation }].map((node) =>
        tree
          .getTreeItem(node)
          .contextValue?.split(' ')
          .filter((word) => /speaks|transcribes/.test(word)),
      );
      return words.flat().join(' ');
    };
    assert.equal(offered(undefined), 'transcribes speaks');
    assert.equal(offered({ transcribes: true, speaks: false }), 'transcribes');
    assert.equal(offered({ transcribes: false, speaks: true }), 'speaks');
  });

  it('gives the conversations of the user in the settings page by page, newest first', async () => {
    const [app] = apps;
    for (let index = 0; index < 52; index++) await chat(app, `Question ${index}`);
    const node = await child('Tide helper');
    const first = await lines(node);
    assert.equal(first.length, 51);
    assert.match(first[0] ?? '', /^Question 51 \|/);
    assert.match(first[50] ?? '', /^Load More \| 50 shown$/);
    assert.ok(node.type === 'app');
    await tree.loadMore(node);
    assert.match((await lines(node)).at(-1) ?? '', /^Question 0 \|/);

    const conversation = await child('Question 51', node);
    assert.equal(await command('rename', conversation, { types: ['Tides'] }), 'Tides');
    assert.equal(await command('delete', await child('Question 50', node)), false);
    const isDeleted = await command('delete', await child('Question 50', node), { presses: ['Delete'] });
    assert.equal(isDeleted, true);
    tree.refresh(node);
    const shown = (await lines(node)).map((each) => each.replace(/ \|.*/, ''));
    assert.deepEqual(shown.slice(0, 2).toSorted(), ['Question 49', 'Tides']);
  });

  it('sets a variable that a chatflow keeps for a conversation', async () => {
    const app = apps.find(({ kind }) => kind === 'chatflow');
    await chat(app, 'When does the lock open?');
    const conversation = await child('When does the lock', await child('Guide'));
    const set = await command('variables', conversation, { picks: ['language'], types: ['Danish'] });
    assert.equal(set, 1);
    assert.ok(conversation.type === 'conversation');
    const variables = await clientOf(app).variables(conversation.conversation.id, signal);
    assert.equal(variables.find(({ name }) => name === 'language')?.value, 'Danish');
  });

  it('shows the picture of an app that has one', async () => {
    const iconOf = async (name: string) => tree.getTreeItem(await child(name)).iconPath;
    const picture = await iconOf('Guide');
    assert.ok(picture instanceof vscode.Uri);
    assert.match(picture.path, /^\/pictures\/[0-9a-f]{32}\.png$/);
    assert.ok((await iconOf('Summarise')) instanceof vscode.ThemeIcon);
  });

  it('lists the last runs of a workflow, and opens what one came to', async () => {
    const app = apps.find(({ kind }) => kind === 'workflow');
    const events = clientOf(app).runWorkflow({ inputs: { text: 'one two' }, stream: true }, signal);
    for await (const event of events) if (event.type === 'ended') break;
    const run = await child('done', await child('Summarise'));
    assert.match(line(run), /done · [\d.]+ s · 412 tokens/);
    assert.ok(app);
    let isToldAgain = false;
    tree.onDidChangeTreeData((node) => (isToldAgain = node?.type === 'app' && node.app === app));
    tree.ran(app);
    assert.equal(isToldAgain, true);
    await command('openRun', run);
    await eventually(() => {
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /"words": 2/);
    });
    platform.clearRequests();
    const again = await command('runVersion', run, { forms: [{}] });
    assert.equal((again as RunResult).status, 'succeeded');
    const version = platform.requests.find(({ path }) => /^\/v1\/workflows\/[0-9a-f-]{36}\/run$/.test(path));
    assert.deepEqual((version?.json as { inputs: object } | undefined)?.inputs, { text: 'one two' });

    // Another version is named by the user and gets the previous inputs.
    platform.clearRequests();
    const workflow = await child('Summarise');
    assert.equal(await command('runOtherVersion', workflow, { types: ['v2'] }), undefined);
    const script: PersonScript = {
      types: [version?.path.split('/')[3] ?? ''],
      forms: [{}],
    };
    const other = await command('runOtherVersion', workflow, script);
    assert.equal((other as RunResult).status, 'succeeded');
    assert.ok(platform.requests.some(({ path }) => path === version?.path));
  });

  it('says that a run waits for another user, who alone can continue it', async () => {
    const app = await add(platform.apps.workflowPauses.key);
    const theirs = clientOf(app).runWorkflow({ inputs: { notice: 'Lock closed.' }, stream: true }, signal);
    for await (const event of theirs) if (event.type === 'ended') break;
    await configuration().update('platform.user', 'somebody', vscode.ConfigurationTarget.Global);
    await command('openRun', await child('waiting for human input', await child(app.name)));
    await eventually(() => {
      const text = vscode.window.activeTextEditor?.document.getText() ?? '';
      assert.match(text, /- This run was started by another user.*\n\n- State: waiting for human input/);
    });
  });

  it('says why the platform gives nothing, and tries again', async () => {
    const [app] = apps;
    assert.ok(app);
    await chat(app, 'When is high water?');
    let isDown = true;
    const failing = new AppTree(
      {
        listed: [app],
        twinOf: () => undefined,
        hasKey: () => Promise.resolve(true),
        pictureFile: () => undefined,
        client: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(clientOf(app))),
      },
      flows,
    );
    const [node] = await failing.getChildren();
    assert.ok(node?.type === 'app');
    assert.deepEqual(
      (await failing.getChildren(node)).map(({ type }) => type),
      ['failure'],
    );
    isDown = false;
    await failing.loadMore(node);
    const [found] = await failing.getChildren(node);
    assert.equal(found?.type, 'conversation');
    failing.dispose();
  });
});
