import assert from 'node:assert/strict';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AppCommandContext } from '../../src/host/apps/appCommandContext.ts';
import type { SignInResult } from '../../src/host/apps/signIn.ts';
import { writePulled } from '../../src/host/flows/flowWorkspace.ts';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import type { FlowApp } from '../servers/platform/openapi/flowApps.ts';
import { startPlatform, type PlatformServer } from '../servers/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { flowText } from '../support/flowText.ts';
import { inDays } from './inDays.ts';
import { withPerson, type Asked, type PersonScript } from './person.ts';

describe('workflows as code, in the editor', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  /** The workflow of the running test, just pulled into its file. */
  let flow: FlowApp;
  let name: string;
  let file: vscode.Uri;
  let flows = 0;
  const outside = mkdtempSync(join(tmpdir(), 'switchboard-outside-'));
  /** How many workflows the platform has. */
  let all: number;
  const read = async (uri: vscode.Uri) => new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const write = (uri: vscode.Uri, text: string) => vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const secret = { id: 'k', name: 'KEY', value_type: 'secret', value: 'hunter2' };

  async function withCommand(script: PersonScript, command: string, ...args: unknown[]) {
    let result: unknown;
    const asked = await withPerson(script, async () => {
      result = await vscode.commands.executeCommand(`switchboard.${command}`, ...args);
    });
    return { result, asked };
  }
  const said = (asked: readonly Asked[]) =>
    asked.map(({ text, detail = '' }) => `${text} ${detail}`).join('\n');
  /** Answers dialogs for files and folders. */
  async function choosing<T>(uri: vscode.Uri, action: () => Promise<T>): Promise<T> {
    const window = vscode.window as unknown as { showOpenDialog: unknown; showSaveDialog: unknown };
    const { showOpenDialog, showSaveDialog } = window;
    Object.assign(window, { showOpenDialog: async () => [uri], showSaveDialog: async () => uri });
    try {
      return await action();
    } finally {
      Object.assign(window, { showOpenDialog, showSaveDialog });
    }
  }
  const dependencies = createToolDependencies(
    createVscodeWorkspace(() => ({ toolsExclude: [], toolsProtected: [] })),
    { workerFile: '', ripgrep: undefined, timeoutMs: 1000 },
  );
  async function readByModel(path: string): Promise<string> {
    const verdict = await dependencies.policy.check(path, 'read');
    return verdict.isAllowed ? 'allowed' : verdict.reason;
  }
  const lineOf = ({ id }: { id: string }) => ({
    type: 'app',
    hasKey: true,
    app: {
      ...{ id: 'x', name: 'Small flow', kind: 'workflow', baseUrl: platform.url },
      ...{
        origin: new URL(platform.url).origin,
        account: { accountId: 'u', appId: id, workspace: 'Office' },
      },
    },
  });
  const change = async (from: string, to: string) => write(file, (await read(file)).replace(from, to));
  /** A push beside a colleague's change, whose difference is open. */
  async function refusedPush(): Promise<Asked[]> {
    platform.console.edit(flow.id, platform.console.draftOf(flow.id).replace('Be brief.', 'Be long.'));
    await change('gpt-4o', 'gemini');
    const { result, asked } = await withCommand({ presses: ['Compare'] }, 'pushWorkflow', file);
    assert.equal(result, false);
    return asked;
  }
  async function textThere(): Promise<string> {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    return (await vscode.workspace.openTextDocument(input.original)).getText();
  }

  before(async () => {
    platform = await startPlatform({
      openapi: {
        pollSeconds: 1,
        requestsPerMinute: 10_000,
        workspaces: [{ name: 'Office', apps: [] }],
        plugins: ['own/there'],
      },
    });
    await vscode.env.clipboard.writeText('');
    const approving = eventually(async () => {
      assert.ok(platform.console.approve(await vscode.env.clipboard.readText()));
    });
    const { result } = await withCommand({ answers: ['Copy Code and Open Browser'] }, 'signIn', platform.url);
    await approving;
    assert.equal((result as SignInResult).apps, 0);
  });
  beforeEach(async () => {
    name = `Small flow ${++flows}`;
    flow = platform.console.addFlow(flowText({ app: { name }, environment: [secret] }));
    file = uriOf(`flows/small-flow-${flows}.yml`);
    await vscode.workspace.fs.createDirectory(uriOf('flows'));
    await withCommand({}, 'apps.refresh');
    const { result } = await choosing(uriOf('flows'), () => withCommand({}, 'pullAllWorkflows'));
    ({ pulled: all } = result as { pulled: number });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uriOf('flows'), { recursive: true });
    await vscode.workspace.fs.delete(uriOf('.switchboard/flows.json'));
  });
  after(async () => {
    await withPerson({}, () => vscode.commands.executeCommand('switchboard.signOut'));
    const configuration = vscode.workspace.getConfiguration('switchboard');
    await configuration.update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await rm(outside, { recursive: true });
    await platform.stop();
  });

  it('pulls all flows into the folder that was chosen, with a file of links without keys', async () => {
    const text = await read(file);
    assert.match(text, new RegExp(`name: ${name}`));
    assert.doesNotMatch(text, /hunter2/);
    const links = await read(uriOf('.switchboard/flows.json'));
    assert.match(links, new RegExp(`"app": "${flow.id}"`));
    assert.doesNotMatch(links, /dfoa_|hunter2/);
    const { result } = await withCommand({}, 'pullAllWorkflows');
    assert.deepEqual(result, { pulled: all, skipped: 0, failed: 0 });
    assert.equal(await read(file), text);
  });

  it('pulls secrets only after two questions, into a file that models are refused', async () => {
    const app = lineOf(flow);
    const requests = () =>
      platform.requests.filter(({ query }) => query.get('include_secret') === 'true').length;
    const pull = (presses: string[], uri: vscode.Uri) =>
      choosing(uri, () => withCommand({ presses }, 'pullWorkflowWithSecrets', app));
    const before = requests();
    for (const presses of [[], ['Choose File…']]) {
      const { result } = await pull(presses, uriOf('flows/secrets.small-flow.yml'));
      assert.equal(result, undefined);
    }
    const { asked } = await pull(['Choose File…', 'Write Secrets'], uriOf('flows/open.yml'));
    assert.match(
      said(asked),
      /Models could read "flows\/open\.yml"\. Choose a file .* begins with "secrets\."/,
    );
    const elsewhere = vscode.Uri.file(join(outside, 'secrets.small-flow.yml'));
    const link = uriOf('flows/secrets.link.yml');
    await symlink(elsewhere.fsPath, link.fsPath);
    for (const uri of [elsewhere, link]) {
      const refused = await pull(['Choose File…', 'Write Secrets'], uri);
      assert.match(said(refused.asked), /Models could read/, uri.path);
    }
    assert.equal(existsSync(elsewhere.fsPath), false);
    assert.equal(requests(), before, 'nothing was asked for');
    const { result } = await pull(['Choose File…', 'Write Secrets'], uriOf('flows/secrets.small-flow.yml'));
    assert.equal(result, 'flows/secrets.small-flow.yml');
    assert.match(await read(uriOf('flows/secrets.small-flow.yml')), /value: hunter2/);
    assert.equal(await readByModel('flows/secrets.small-flow.yml'), 'credentials');
    // Nor under another name, as from the console.
    await write(uriOf('flows/renamed.yml'), await read(uriOf('flows/secrets.small-flow.yml')));
    assert.equal(await readByModel('flows/renamed.yml'), 'credentials');
    assert.equal(await readByModel(vscode.workspace.asRelativePath(file)), 'allowed');
    assert.doesNotMatch(await read(uriOf('.switchboard/flows.json')), /secrets\./);
  });

  it('writes what was pulled neither over unsaved changes nor into a file that models may not edit', async () => {
    const context = { tools: async () => ({ dependencies }) } as unknown as AppCommandContext;
    const text = await read(file);
    const editor = await vscode.window.showTextDocument(file);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# Mine\n'));
    await assert.rejects(writePulled(context, file, 'pulled'), /small-flow-\d+\.yml" has unsaved changes\./);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await assert.rejects(writePulled(context, uriOf('flows/.env'), 'pulled'), /is an environment file/);
    assert.equal(existsSync(uriOf('flows/.env').fsPath), false);
    assert.equal(await read(file), text);
    await writePulled(context, file, 'pulled');
    assert.equal(await read(file), 'pulled');
  });

  it('asks the platform for nothing once the sign-in has ended', async () => {
    platform.clearRequests();
    const { result } = await inDays(15, () => withCommand({}, 'pullAllWorkflows'));
    assert.deepEqual(result, { pulled: 0, skipped: 0, failed: 1 });
    assert.deepEqual(platform.requests, []);
  });

  it('shows the problems of a file that is open', async () => {
    const text = await read(file);
    await write(file, text.replace('target: end', 'target: gone'));
    await vscode.window.showTextDocument(file);
    await eventually(() => {
      const found = vscode.languages.getDiagnostics(file).map(({ message }) => message);
      assert.deepEqual(found, ['The edge\'s target "gone" is not a node of this file.']);
    });
    await write(file, text);
    await eventually(() => assert.deepEqual(vscode.languages.getDiagnostics(file), []));
  });

  it('pushes after the summary, fills the secrets in, and is in step', async () => {
    await change('gpt-4o', 'claude');
    const { result, asked } = await withCommand({ answers: ['Push'] }, 'pushWorkflow', file);
    assert.equal(result, true, said(asked));
    assert.match(said(asked), /LLM "Write": model gpt-4o → claude/);
    assert.match(
      said(asked),
      /name, description and icon change immediately.*runs use the published version/s,
    );
    assert.match(platform.console.draftOf(flow.id), /hunter2/);
    assert.match(platform.console.draftOf(flow.id), /claude/);
    await eventually(() => assert.match(said(asked), /Pushed as the draft\./));
    await change('claude', 'gemini');
    const again = await withCommand({ answers: ['Push'] }, 'pushWorkflow', file);
    assert.equal(again.result, true, said(again.asked));
    assert.match(said(again.asked), /LLM "Write": model claude → gemini/);
    const { result: compared } = await withCommand({}, 'compareWorkflow', file);
    assert.deepEqual(compared, { state: 'same', changes: [] });
  });

  it('pushes nothing, and asks nothing, where the platform has the same', async () => {
    const { result, asked } = await withCommand({ answers: ['Push'] }, 'pushWorkflow', file);
    assert.equal(result, false);
    assert.match(
      said(asked),
      /^"flows\/small-flow-\d+\.yml" is the same on the platform\. Nothing to push\. $/,
    );
  });

  it("warns of a colleague's change, shows it, and pushes nothing unless told to", async () => {
    const asked = await refusedPush();
    assert.match(said(asked), /"Small flow \d+" was changed on the platform since the last pull/);
    assert.match(said(asked), /LLM "Write": model gpt-4o → gemini, prompt changed/);
    assert.deepEqual(asked.find(({ text }) => /was changed/.test(text))?.buttons, ['Compare', 'Overwrite']);
    assert.match(platform.console.draftOf(flow.id), /Be long\./);
    const there = await textThere();
    assert.match(there, /Be long\./);
    assert.doesNotMatch(there, /hunter2/);
    const again = await withCommand({}, 'pullAllWorkflows');
    assert.deepEqual(again.result, { pulled: all - 1, skipped: 1, failed: 0 });
    assert.match(await read(file), /gemini/);
  });

  it('pushes what was merged of both, after the refusal', async () => {
    await refusedPush();
    const [brief] = /Be long\./.exec(await textThere())!;
    await change('Be brief.', brief);
    // Only the user's own change differs now.
    const { result, asked } = await withCommand({ answers: ['Push'] }, 'pushWorkflow', file);
    assert.equal(result, true, said(asked));
    assert.match(said(asked), /Push "flows\/small-flow-\d+\.yml" to "Small flow \d+" at .*gpt-4o → gemini/s);
    assert.match(said(asked), /that the file doesn't have are overwritten\. You compared them\./);
    assert.doesNotMatch(said(asked), /prompt changed/);
    const draft = platform.console.draftOf(flow.id);
    assert.match(draft, /Be long\./);
    assert.match(draft, /gemini/);
    assert.match(draft, /hunter2/);
    const { result: compared } = await withCommand({}, 'compareWorkflow', file);
    assert.deepEqual(compared, { state: 'same', changes: [] });
  });

  it('tells in the file which plugins the platform missed at the push', async () => {
    const plugin = (id: string) => ({
      type: 'marketplace',
      value: { marketplace_plugin_unique_identifier: `${id}:1.0.0@f0` },
    });
    const uri = uriOf('flows/plugins.yml');
    const text = flowText({ dependencies: [plugin('own/there'), plugin('own/gone')] });
    await write(uri, text);
    await vscode.window.showTextDocument(uri);
    const { asked } = await withCommand({ types: ['Plugins'] }, 'pushWorkflowAsNew', uri);
    assert.match(said(asked), /Plugins to install on the platform: own\/gone\./);
    await eventually(() => {
      const found = vscode.languages.getDiagnostics(uri).map(({ message }) => message);
      assert.deepEqual(found, ['The platform does not have the plugin "own/gone:1.0.0@f0".']);
    });
  });

  it('leads to the console from an app, from its file and after a push, and publishes nothing itself', async () => {
    const page = `${platform.url}/app/${flow.id}/workflow`;
    const opened: string[] = [];
    const env = vscode.env as { openExternal: (uri: vscode.Uri) => Thenable<boolean> };
    const { openExternal } = env;
    env.openExternal = async (uri) => opened.push(uri.toString(true)) > 0;
    try {
      await withCommand({}, 'openInConsole', lineOf(flow));
      await withCommand({}, 'openInConsole', file);
      await withCommand({ answers: ['Open in Console'] }, 'publishWorkflow', file);
      await eventually(() => assert.deepEqual(opened, [page, page, page]));
      const { asked } = await withCommand({}, 'openInConsole', uriOf('flows/loose.yml'));
      assert.match(said(asked), /linked to no app/);
      assert.equal(opened.length, 3);
      assert.deepEqual(platform.console.notes, []);
    } finally {
      env.openExternal = openExternal;
    }
  });

  it('makes a new app of a file, which stays linked to the app that it has', async () => {
    const copy = uriOf('flows/copy.yml');
    await write(copy, await read(file));
    const { result } = await withCommand({ types: ['Copy'] }, 'pushWorkflowAsNew', copy);
    const made = platform.console.apps.find(({ id }) => id === result);
    assert.equal(made?.draft.app.name, 'Copy');
    const links = () => read(uriOf('.switchboard/flows.json'));
    assert.match(await links(), /flows\/copy\.yml/);
    const before = await links();
    const second = await withCommand({ types: ['Second'] }, 'pushWorkflowAsNew', file);
    assert.ok(platform.console.apps.some(({ id }) => id === second.result));
    assert.equal(await links(), before);
  });

  it('says what to do about a file without an app', async () => {
    await write(uriOf('flows/loose.yml'), flowText());
    const { asked } = await withCommand({}, 'pushWorkflow', uriOf('flows/loose.yml'));
    assert.match(said(asked), /linked to no app\. Pull an app, or push the file as a new app/);
  });
});
