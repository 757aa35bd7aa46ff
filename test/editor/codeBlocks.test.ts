import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatController } from '../../src/chat/chatController.ts';
import { useCode } from '../../src/host/code/useCode.ts';
import type { UseCodeDependencies } from '../../src/host/code/codeEdits.ts';
import { ReviewHost } from '../../src/host/review/reviewHost.ts';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import type { WorkspaceTools } from '../../src/host/workspace/workspaceTools.ts';
import type { CodeAction } from '../../src/shared/code.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import type { ToolRule } from '../../src/tools/tool.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { MemoryChatStore } from '../support/memoryChatStore.ts';
import { MemorySnapshots } from '../support/memorySnapshots.ts';
import { withPerson } from './person.ts';
import { replace, restoreAll } from './replace.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { silentLog } from '../support/silentLog.ts';

const source =
  'export function total(items) {\n  let sum = 0;\n  return sum;\n}\n\nexport function tax() {\n  return 1;\n}\n';
const better = 'export function total(items) {\n  return items.length;\n}';

describe('code blocks of an answer', function () {
  this.timeout(60_000);
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const scratch = vscode.Uri.joinPath(folder, 'blocks');
  let toolsProtected: string[] = [];
  const dependencies = createToolDependencies(
    createVscodeWorkspace(() => ({ toolsExclude: ['**/hidden.js'], toolsProtected })),
    { workerFile: '', ripgrep: undefined, timeoutMs: 20_000 },
  );
  // No worker is built in these tests.
  dependencies.search.run = async () => ({ files: [], summary: undefined, isPartial: false });
  const ran: unknown[] = [];
  let rule: ToolRule = 'ask';
  const runCommand = {
    name: 'run_command',
    bind: (input: unknown) => ({
      judge: async () => ({ rule, why: 'It can delete files.', shown: { folder: '/w' } }),
      run: async () => (ran.push(input), { content: '', isError: false }),
    }),
  };
  const tools = async () => ({ dependencies, runCommand }) as unknown as WorkspaceTools;
  const snapshots = new MemorySnapshots();
  const store = new MemoryChatStore();
  const uriOf = (name: string) => vscode.Uri.joinPath(scratch, name);
  const textOf = async (name: string) =>
    Buffer.from(await vscode.workspace.fs.readFile(uriOf(name))).toString();
  let chat: ChatController;
  let host: ReviewHost;

  beforeEach(async () => {
    chat = new ChatController(
      chatDependencies({ store, snapshots: async () => snapshots, defaultModel: () => 'scripted-echo' }),
    );
    host = new ReviewHost({
      ...{ chat, tools, snapshots: async () => snapshots, memory: { fileMoves: [] } },
      notifications: new Notifications(silentLog),
    });
    toolsProtected = [];
    rule = 'ask';
    ran.length = 0;
    for (const name of ['cart.js', 'other.js']) await write(name, source);
  });
  afterEach(async () => {
    restoreAll();
    host.dispose();
    chat.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => vscode.workspace.fs.delete(scratch, { recursive: true }));

  const write = (name: string, text: string) => vscode.workspace.fs.writeFile(uriOf(name), Buffer.from(text));

  /** Uses the code of an answer with this fence and the words before it. */
  async function use(
    action: CodeAction,
    info: string,
    code = better,
    before = 'So:',
  ): Promise<string | undefined> {
    const { id } = chat.shown.conversation;
    const answerId = `answer-${chat.shown.conversation.all.length}`;
    chat.record(id, { type: 'answerStarted', id: answerId, model: 'm' });
    chat.record(id, {
      type: 'textAdded',
      id: answerId,
      text: `${before}\n\n\`\`\`${info}\n${code}\n\`\`\`\n`,
    });
    chat.record(id, { type: 'answerEnded', id: answerId, end: { reason: 'answered' } });
    const deps = {
      ...{ chat, store, tools, snapshots: async () => snapshots, review: async () => host },
      notifications: new Notifications(silentLog),
      ruleFor: ({ name }: { name: string }) => (name === 'run_command' && rule === 'deny' ? rule : undefined),
    } as unknown as UseCodeDependencies;
    return useCode(deps, { type: 'useCode', id: answerId, action, code, language: info.split(' ')[0] ?? '' });
  }
  /** The problem with code for whose use nothing is asked. */
  async function problemOf(...block: Parameters<typeof use>): Promise<string | undefined> {
    let problem: string | undefined;
    const asked = await withPerson({}, async () => {
      problem = await use(...block);
    });
    assert.deepEqual(asked, []);
    return problem;
  }
  const edits = () => chat.shown.conversation.all.find((item) => item.type === 'edits');

  it('are applied to the file that the fence names, shown as a diff, and undone by review', async () => {
    assert.equal(await use('apply', 'js title="blocks/cart.js"'), undefined);
    assert.equal(
      await textOf('cart.js'),
      source.replace(/export function total[^]*?\n\}/, () => better),
    );
    assert.equal(await textOf('other.js'), source);
    const notice = chat.shown.conversation.all.find((item) => item.type === 'notice');
    assert.deepEqual([notice?.kind, notice?.detail], ['code-applied', 'blocks/cart.js']);
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff && input.modified.path.endsWith('/blocks/cart.js'));
    const item = edits();
    assert.ok(item && (await host.decide(item.id, 'undo')));
    assert.equal(await textOf('cart.js'), source);
  });

  it('ask where they go if two files fit, and change nothing when that is dismissed', async () => {
    const before = 'Change `blocks/cart.js` and `blocks/other.js`:';
    const asked = await withPerson({ picks: [] }, () => use('apply', 'js', better, before));
    assert.deepEqual(asked, [{ kind: 'pick', text: 'Apply Code' }]);
    assert.deepEqual([await textOf('cart.js'), await textOf('other.js')], [source, source]);
    assert.equal(edits(), undefined);
    await withPerson({ picks: ['other.js'] }, () => use('apply', 'js', better, before));
    assert.equal(await textOf('cart.js'), source);
    assert.match(await textOf('other.js'), /items\.length/);
  });

  it('ask nothing if the file has them already, which is told', async () => {
    const [own] = /export function total[^]*?\n\}/.exec(source)!;
    const asked = await withPerson({}, () => use('apply', 'js blocks/cart.js', own));
    assert.deepEqual(
      asked.map(({ kind, text }) => [kind, text]),
      [['information', 'blocks/cart.js already contains this code.']],
    );
    assert.equal(await textOf('cart.js'), source);
  });

  it('ask before they change a protected file, with the reason', async () => {
    toolsProtected = ['**/cart.js'];
    const asked = await withPerson({ presses: [] }, () => use('apply', 'js blocks/cart.js'));
    assert.equal(asked[0]?.text, 'Change blocks/cart.js?');
    assert.equal(await textOf('cart.js'), source);
    await withPerson({ presses: ['Change'] }, () => use('apply', 'js blocks/cart.js'));
    assert.match(await textOf('cart.js'), /items\.length/);
  });

  it('create a file at the path that is typed, and none where one is', async () => {
    const code = 'export const a = 1;';
    const [input] = await withPerson({ types: ['blocks/cart.js'] }, () => use('create', 'js', code));
    assert.ok(input?.judged);
    assert.equal(await textOf('cart.js'), source);
    await withPerson({ types: ['blocks/new/a.js'] }, () => use('apply', 'js blocks/new/a.js', code));
    assert.equal(await textOf('new/a.js'), `${code}\n`);
    const item = edits();
    assert.ok(item && (await host.decide(item.id, 'undo')));
    await assert.rejects(textOf('new/a.js'));
  });

  it('keep unsaved changes of the file, and do not save them', async () => {
    const document = await vscode.workspace.openTextDocument(uriOf('cart.js'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// mine\n'));
    assert.equal(await use('apply', 'js blocks/cart.js'), undefined);
    assert.equal(
      document.getText(),
      `// mine\n${source.replace(/export function total[^]*?\n\}/, () => better)}`,
    );
    assert.equal(document.isDirty, true);
    assert.equal(await textOf('cart.js'), source);
  });

  it('say why a file cannot be changed, and leave it', async () => {
    await write('hidden.js', source);
    assert.match((await problemOf('apply', 'js blocks/hidden.js')) ?? '', /hidden\.js/);
    assert.equal(await textOf('hidden.js'), source);
  });

  it('change no attached file of a workspace that is not trusted', async () => {
    replace(vscode.workspace, 'isTrusted', false);
    assert.ok((await dependencies.policy.attach('blocks/cart.js')).isAllowed);
    assert.match((await problemOf('apply', 'js blocks/cart.js')) ?? '', /^This workspace isn't trusted/);
    assert.equal(await textOf('cart.js'), source);
  });

  it('run only after all of them was seen with what is dangerous, unless settings allow or deny them', async () => {
    rule = 'deny';
    assert.match((await use('run', 'bash', 'rm -rf x')) ?? '', /deny/);
    assert.deepEqual(ran, []);
    rule = 'allow';
    assert.equal(await use('run', 'console', '$ npm test\nok'), undefined);
    assert.deepEqual(ran, [{ command: 'npm test', input: true }]);
    rule = 'ask';
    const asked = await withPerson({ presses: [] }, () => use('run', 'bash', 'rm -rf x'));
    assert.deepEqual(
      [asked[0]?.text, asked[0]?.detail],
      ['Run this in /w? It can delete files.', 'rm -rf x'],
    );
    assert.equal(ran.length, 1);
    await withPerson({ presses: ['Run'] }, () => use('run', 'bash', 'rm -rf x'));
    assert.deepEqual(ran.at(-1), { command: 'rm -rf x', input: true });
  });
});
