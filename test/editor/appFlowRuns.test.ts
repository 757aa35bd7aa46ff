import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AppRecord } from '../../src/apps/appRegistry.ts';
import type { RunResult } from '../../src/apps/run/performRun.ts';
import type { AddAppResult } from '../../src/host/apps/addApp.ts';
import type { FormView } from '../../src/shared/apps.ts';
import { type PlatformServer, type RelayServer, startPlatform, startRelay } from '../servers/sandbox.ts';
import type { FlowApp } from '../servers/platform/openapi/flowApps.ts';
import type { ChatRequest } from '../servers/relay/chatRequest.ts';
import { type Step, text, toolCall } from '../servers/script/script.ts';
import { eventually } from '../support/eventually.ts';
import { flowText } from '../support/flowText.ts';
import { withPerson, type Asked, type PersonScript } from './person.ts';

const broken = "raise ValueError('topic is odd')";
const mended = "return {'result': topic}";

const failing = (name: string) =>
  flowText({
    app: { name },
    nodes: [
      { id: 'start', type: 'start', title: 'Start', variables: [{ variable: 'topic', type: 'text-input' }] },
      {
        ...{ id: 'check', type: 'code', title: 'Check', code_language: 'python3' },
        code: `def main(topic): ${broken}`,
        variables: [{ variable: 'topic', value_selector: ['start', 'topic'] }],
        outputs: { result: { type: 'string', children: null } },
      },
      {
        ...{ id: 'end', type: 'end', title: 'End' },
        outputs: [{ variable: 'text', value_selector: ['check', 'result'] }],
      },
    ],
    edges: [
      ['start', 'check'],
      ['check', 'end'],
    ],
  });

// Suites in alphabetical order share one window: later ones leave drafts in the message box, which are not sent.
describe('running a workflow from its file', function () {
  this.timeout(90_000);
  let platform: PlatformServer;
  let relay: RelayServer;
  const asked: ChatRequest[] = [];
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  /** The workflow of the running test, which nothing was done with before. */
  let flow: FlowApp;
  let flowPath: string;
  let file: vscode.Uri;
  let flows = 0;
  const read = async (uri: vscode.Uri) => new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const configuration = () => vscode.workspace.getConfiguration('switchboard');
  const mend = async () =>
    vscode.workspace.fs.writeFile(file, Buffer.from((await read(file)).replace(broken, mended)));

  async function withCommand(script: PersonScript, command: string, ...args: unknown[]) {
    let result: unknown;
    const told = await withPerson(script, async () => {
      result = await vscode.commands.executeCommand(`switchboard.${command}`, ...args);
    });
    return { result, asked: told };
  }
  const said = (told: readonly Asked[]) => told.map((each) => `${each.text} ${each.detail ?? ''}`).join('\n');
  /** The lenses of the file, by line. */
  async function lenses(uri = file): Promise<{ line: number; title: string; command: vscode.Command }[]> {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
      100,
    );
    return found.flatMap(({ range, command }) =>
      command ? [{ line: range.start.line, title: command.title, command }] : [],
    );
  }
  const added: AppRecord[] = [];
  async function add(appId: string): Promise<void> {
    const { result } = await withCommand({ types: [platform.url, `app-${appId}`] }, 'addApp');
    const { app } = (result ?? {}) as AddAppResult;
    added.push(app ?? assert.fail('no app was added'));
  }
  const titles = async (uri = file) => (await lenses(uri)).map(({ title }) => title);
  const lineOf = (words: string, document: vscode.TextDocument) =>
    document.positionAt(document.getText().indexOf(words)).line;
  const run = (script: PersonScript = {}) => withCommand({ forms: [{}], ...script }, 'runWorkflowFile', file);

  /** The first run shows whose key it is. */
  async function runWithKey() {
    await add(flow.id);
    await run();
    return run({ forms: [{ fill: { topic: 'tides' } }] });
  }

  before(async () => {
    relay = await startRelay({
      list: 'good',
      models: [
        {
          id: 'fixing',
          ownedBy: 'sandbox',
          describe: 'Fixes the node that it is given.',
          *answer(request: ChatRequest): Iterable<Step> {
            asked.push(request);
            const wish = JSON.stringify(request.messages.findLast(({ role }) => role === 'user')?.content);
            if (request.messages.at(-1)?.role === 'tool') return yield text('Done.');
            const [, name] = /call (\w+_\w+)/.exec(wish) ?? [];
            if (name)
              return yield toolCall({ id: 'call_2', name, arguments: JSON.stringify({ path: flowPath }) });
            if (!/failed when it was run/.test(wish)) return yield text('Fine.');
            yield toolCall({
              ...{ id: 'call_1', name: 'edit_file' },
              arguments: JSON.stringify({
                path: flowPath,
                replacements: [{ oldText: broken, newText: mended }],
              }),
            });
          },
        },
      ],
    });
    platform = await startPlatform({
      openapi: { pollSeconds: 1, requestsPerMinute: 10_000, workspaces: [{ name: 'Office', apps: [] }] },
    });
    await vscode.env.clipboard.writeText('');
    const approving = eventually(async () => {
      assert.ok(platform.console.approve(await vscode.env.clipboard.readText()));
    });
    await withCommand({ answers: ['Copy Code and Open Browser'] }, 'signIn', platform.url);
    await approving;
    await withPerson({ types: [relay.url, relay.key] }, () =>
      vscode.commands.executeCommand('switchboard.connectRelay'),
    );
    await vscode.workspace.fs.createDirectory(uriOf('flows'));
  });
  beforeEach(async () => {
    const name = `Failing flow ${++flows}`;
    flow = platform.console.addFlow(failing(name));
    flowPath = `flows/failing-flow-${flows}.yml`;
    file = uriOf(flowPath);
    asked.length = 0;
    const window = vscode.window as unknown as { showOpenDialog: unknown };
    const before = window.showOpenDialog;
    window.showOpenDialog = async () => [uriOf('flows')];
    await withCommand({}, 'apps.refresh');
    await withCommand({}, 'pullAllWorkflows');
    window.showOpenDialog = before;
    await vscode.commands.executeCommand('switchboard.newChat');
    await vscode.commands.executeCommand('switchboard.selectModel', 'fixing');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const app of added.splice(0)) {
      await withCommand({ presses: ['Remove'] }, 'apps.remove', { type: 'app', app, hasKey: true });
    }
  });
  after(async () => {
    await withPerson({}, () => vscode.commands.executeCommand('switchboard.signOut'));
    await withPerson({}, () => vscode.commands.executeCommand('switchboard.removeKeys'));
    for (const setting of ['platform.baseUrl', 'relay.baseUrl', 'tools.approval']) {
      await configuration().update(setting, undefined, vscode.ConfigurationTarget.Global);
    }
    await vscode.workspace.fs.delete(uriOf('flows'), { recursive: true });
    await vscode.workspace.fs.delete(uriOf('.switchboard/flows.json'));
    await platform.stop();
    await relay.stop();
  });

  it('offers it at the head of the file, and nowhere in a file without an app', async () => {
    await vscode.window.showTextDocument(file);
    assert.deepEqual(await titles(), ['$(play) Run Published Version…']);
    const loose = uriOf('flows/loose.yml');
    await vscode.workspace.fs.writeFile(loose, Buffer.from(failing('Loose flow')));
    await vscode.window.showTextDocument(loose);
    assert.deepEqual(await titles(loose), []);
    await vscode.workspace.fs.delete(loose);
  });

  it('shows the steps beside their nodes, and opens the one that failed', async () => {
    const seen: FormView[] = [];
    const { result, asked: told } = await run({ forms: [{ seen }] });
    assert.equal((result as RunResult).status, 'failed', said(told));
    assert.equal(seen[0]?.note, 'Runs the published version.');
    assert.match(said(told), /"Failing flow \d" failed at "Check"/);
    await eventually(() => {
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.toString(), file.toString());
      assert.equal(editor.selection.start.line, lineOf('def main', editor.document) - 1);
    });
    const shown = await lenses();
    const { document } = vscode.window.activeTextEditor!;
    const atNode = shown.filter(({ line }) => line === lineOf('def main', document) - 1);
    assert.deepEqual(
      atNode.map(({ title }) => title),
      ['$(error) Failed: ValueError: topic is odd · 100 ms', '$(sparkle) Fix with Model'],
    );
    assert.ok(shown.some(({ line, title }) => line > 0 && title === '$(pass) done · 100 ms'));
    assert.equal(shown[1]?.title, '$(error) failed · 200 ms');
    // A node that was not reached has none.
    assert.ok(!shown.some(({ line }) => line === lineOf('title: End', document)));
  });

  it("takes what the sign-in leaves out from the app's key, once it proved to be the same app", async () => {
    // An app of the same name, but another one.
    const other = platform.console.addFlow(failing(flow.draft.app.name));
    await add(other.id);
    await run();
    assert.ok(!(await titles()).some((title) => /app's key/.test(title)));
    const { asked: told } = await runWithKey();
    assert.match((await titles())[1] ?? '', /run with the app's key$/, said(told));
    const { headers } = platform.requests.findLast(({ path }) => path === '/v1/workflows/run')!;
    assert.equal(headers.authorization, `Bearer app-${flow.id}`);
  });

  it('hands the node, its inputs and the error to the conversation, whose edit is reviewed', async () => {
    await runWithKey();
    const [fix] = (await lenses()).filter(({ title }) => /Fix with Model/.test(title));
    const { command, arguments: args = [] } = fix!.command;
    assert.equal(await vscode.commands.executeCommand(command, ...args), 'sent');
    await eventually(() => assert.equal(asked.length, 1));
    const request = JSON.stringify(asked[0]!.messages);
    assert.match(request, /ValueError: topic is odd/);
    assert.match(request, /inputs.*tides/);
    assert.match(request, /def main\(topic\)/);
    assert.doesNotMatch(request, /title: End/, 'the node alone');
    assert.match(await read(file), /raise ValueError/);
    await eventually(async () => {
      assert.equal(await vscode.commands.executeCommand('switchboard.acceptProposal'), true);
    });
    await eventually(async () => assert.match(await read(file), /return \{'result': topic\}/));
    await eventually(() => assert.equal(asked.length, 2));
  });

  it('gives models the tools of workflows where a conversation is about one, and runs it for them', async () => {
    const offered = () => (asked.at(-1)?.tools ?? []).map(({ function: { name } }) => name);
    const workflowTools = () => offered().filter((name) => /workflow/.test(name));
    const ask = async (uri: vscode.Uri, request: string) => {
      const before = asked.length;
      const problem = { type: 'problem', request, name: 'Note', text: 'A note.' };
      const range = new vscode.Range(0, 0, 0, 0);
      await vscode.commands.executeCommand('switchboard.fixSelection', uri, range, problem);
      await eventually(() => assert.ok(asked.length > before));
    };
    await runWithKey();
    await mend();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await ask(uriOf('README.md'), 'What is it?');
    assert.ok(offered().includes('read_file'));
    assert.deepEqual(workflowTools(), []);
    await ask(uriOf('README.md'), `call get_workflow_state for ${flowPath}`);
    assert.deepEqual(workflowTools(), ['get_workflow_state', 'run_workflow']);
    await eventually(() => {
      const results = JSON.stringify(asked.at(-1)!.messages.filter(({ role }) => role === 'tool'));
      assert.match(results, /State: the file has changed since the last pull or push/);
      assert.match(results, /Code .{2}Check.{2}: code changed/);
      assert.match(results, /- topic \(text, optional\)/);
    });
    // They stay, so that the beginning of the request stays the same.
    await ask(uriOf('README.md'), 'And now?');
    assert.equal(workflowTools().length, 2);
    // An open file does it, too.
    await vscode.commands.executeCommand('switchboard.newChat');
    await vscode.window.showTextDocument(file);
    const runs = () => platform.requests.filter(({ path }) => path === '/v1/workflows/run').length;
    const approval = (rule?: string) =>
      ['tools.approval', rule && { run_workflow: rule }, vscode.ConfigurationTarget.Global] as const;
    await configuration().update(...approval('allow'));
    const before = runs();
    await ask(uriOf('README.md'), 'call run_workflow');
    assert.equal(workflowTools().length, 2);
    const results = () => JSON.stringify(asked.at(-1)!.messages.filter(({ role }) => role === 'tool'));
    await eventually(() => assert.match(results(), /Last run: failed.*ValueError: topic is odd/));
    assert.equal(runs(), before + 1);
    assert.match(results(), /Published version: differs from the file/);
    await configuration().update(...approval());
  });

  it('says that the file is ahead of the published version, until that was pushed and published', async () => {
    await run();
    await mend();
    await eventually(async () => {
      const found = await titles();
      assert.ok(found.includes('$(info) Published version differs'), found.join('\n'));
      assert.ok(found.some((title) => title.endsWith('changed in this file')));
    });
    const ahead = await run();
    assert.equal((ahead.result as RunResult).status, 'failed');
    assert.match(said(ahead.asked), /differs from the published version.*Code "Check": code changed/);
    const pushed = await withCommand({ answers: ['Push'] }, 'pushWorkflow', file);
    assert.equal(pushed.result, true, said(pushed.asked));
    assert.equal((await run()).asked.length > 0, true);
    platform.console.publish(flow.id);
    const { result } = await run({ forms: [{ fill: { topic: 'tides' } }] });
    assert.deepEqual(result, {
      ...{ status: 'succeeded', outputs: { text: 'tides' }, text: '' },
      steps: ['Start', 'Check', 'End'],
    });
    await eventually(async () => assert.ok(!(await titles()).some((title) => /differs|changed/.test(title))));
  });
});
