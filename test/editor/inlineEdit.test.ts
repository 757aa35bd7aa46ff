import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatController } from '../../src/chat/chatController.ts';
import type { ChatEvent } from '../../src/chat/store/events.ts';
import { inlineEdit, type InlineEditDependencies } from '../../src/host/code/inlineEdit.ts';
import { createReviewHost } from '../../src/host/review/reviewHost.ts';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import type { WorkspaceTools } from '../../src/host/workspace/workspaceTools.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryChatStore } from '../support/memoryChatStore.ts';
import { MemorySnapshots } from '../support/memorySnapshots.ts';
import { relayOfSuite } from '../support/relayOfSuite.ts';
import { silentLog } from '../support/silentLog.ts';
import { withPerson } from './person.ts';
import { askModel, type AskModel } from '../../src/relay/streamModel.ts';

const source = ['top();', 'function rise() {', '  low();', '}', 'end();', ''].join('\r\n');

describe('Edit Inline', function () {
  this.timeout(60_000);
  const relay = relayOfSuite({ list: 'good' });
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const scratch = vscode.Uri.joinPath(folder, 'inline');
  const dependencies = createToolDependencies(
    createVscodeWorkspace(() => ({ toolsExclude: [], toolsProtected })),
    { workerFile: '', ripgrep: undefined, timeoutMs: 20_000 },
  );
  let toolsProtected: string[] = [];
  const tools = async () => ({ dependencies }) as unknown as WorkspaceTools;
  const snapshots = new MemorySnapshots();
  const store = new MemoryChatStore();
  const uriOf = (name: string) => vscode.Uri.joinPath(scratch, name);
  const opened: string[] = [];
  let files = 0;
  let disposables: vscode.Disposable[] = [];
  let chat: ChatController;
  let editor: vscode.TextEditor;
  let uri: vscode.Uri;

  beforeEach(async () => {
    chat = new ChatController(
      chatDependencies({ store, snapshots: async () => snapshots, defaultModel: () => 'scripted-echo' }),
    );
    disposables = [chat];
    await open(`rise${++files}.abc`, source);
  });
  afterEach(async () => {
    for (const each of disposables) each.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => vscode.workspace.fs.delete(scratch, { recursive: true }));

  async function open(name: string, text: string): Promise<void> {
    uri = uriOf(name);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    editor = await vscode.window.showTextDocument(uri);
  }

  /** @param meanwhile runs after the request and before the answer */
  function run(instruction?: string, meanwhile?: () => Thenable<unknown>) {
    const ask: AskModel = async (...args) => {
      await meanwhile?.();
      await askModel(relay.streamModel())(...args);
    };
    const deps = {
      ...{ chat, store, tools, snapshots: async () => snapshots, log: silentLog },
      models: { ask, catalog: { isUnlisted: (id: string) => id === 'gone' } },
      memory: { instructionsOff: [], isActiveEditorOff: false },
      settings: { get: (name: string) => name === 'chat.stream' || '' },
      view: { openModelPicker: async () => void opened.push('picker') },
    } as unknown as InlineEditDependencies;
    return inlineEdit(deps, instruction);
  }

  const select = (...at: [line: number, character: number, toLine: number, toCharacter: number]) =>
    (editor.selection = new vscode.Selection(...at));
  const now = () => editor.document.getText();
  const saved = async () => Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
  const sent = () => relay.server().requests.length;

  it('replaces what is selected and nothing else, to be kept or undone like any edit of the conversation', async () => {
    select(1, 9, 3, 0);
    let result: unknown;
    let known: string[] = [];
    const first = vscode.workspace.onDidChangeTextDocument(() => {
      first.dispose();
      known = [...(store.lines.get(chat.shown.conversation.id) ?? [])];
    });
    disposables.push(first);
    const asked = await withPerson({ types: ['replace low with high'] }, async () => (result = await run()));
    assert.equal(result, 'edited');
    assert.match(asked[0]!.text, /^Edit inline\/rise\d+\.abc, Lines 2 to 3$/);
    const changed = source.replace('low', 'high');
    assert.deepEqual([now(), await saved(), editor.document.isDirty], [changed, changed, false]);
    const [notice, edits, ...more] = chat.shown.conversation.all;
    assert.ok(notice?.type === 'notice' && edits?.type === 'edits' && more.length === 0);
    assert.equal(notice.detail, 'replace low with high');
    // A window that is killed right after the edit finds it recorded.
    const [begun] = known.map((line) => JSON.parse(line) as ChatEvent);
    assert.ok(known.length === 1 && begun?.type === 'editBegun');
    assert.deepEqual([begun.edit, begun.inline?.instruction], [edits.edits[0], notice.detail]);
    assert.deepEqual(chat.shown.conversation.begunEdits, []);
    const host = createReviewHost({
      ...{ chat, tools, snapshots: async () => snapshots, memory: { fileMoves: [] } },
    });
    disposables.push(host);
    await eventually(async () => {
      const execute = vscode.commands.executeCommand<vscode.CodeLens[]>;
      const lenses = await execute('vscode.executeCodeLensProvider', uri, 10);
      assert.deepEqual(
        lenses.map(({ range, command }) => [range.start.line, command?.title]),
        [
          [2, '$(check) Keep'],
          [2, '$(discard) Undo'],
          [2, '1 line removed'],
        ],
      );
    });
    assert.equal(await host.decide(edits.id, 'undo'), true);
    assert.deepEqual([now(), await saved()], [source, source]);
  });

  it('offers the last request for a place again, to be changed', async () => {
    const offered: (string | undefined)[] = [];
    const window = vscode.window as { showInputBox: unknown };
    const original = window.showInputBox;
    // The selection that the edit left is told late, and would replace a newer one here.
    const seen = (choose: () => vscode.Selection) =>
      new Promise<void>((resolve) => {
        const chosen = choose();
        const listening = vscode.window.onDidChangeTextEditorSelection(({ selections }) => {
          if (!selections[0]?.isEqual(chosen)) return;
          listening.dispose();
          resolve();
        });
      });
    // Dismissed each time.
    window.showInputBox = async ({ value }: vscode.InputBoxOptions) => void offered.push(value);
    try {
      select(2, 0, 2, 8);
      await run();
      assert.equal(await run('replace low with high'), 'edited');
      for (const line of [2, 4]) {
        await seen(() => select(line, 0, line, 2));
        assert.equal(await run(), 'none');
      }
      await seen(() => select(0, 0, 5, 0));
      await run();
    } finally {
      window.showInputBox = original;
    }
    assert.deepEqual(offered, ['', 'replace low with high', '', 'replace low with high']);
    assert.equal(now(), source.replace('low', 'high'));
  });

  it('takes the function around the caret, else its line', async () => {
    const symbols = vscode.languages.registerDocumentSymbolProvider(
      { pattern: '**/*.abc' },
      {
        provideDocumentSymbols: (document) => [
          new vscode.SymbolInformation(
            'rise',
            vscode.SymbolKind.Function,
            '',
            new vscode.Location(document.uri, new vscode.Range(1, 0, 3, 1)),
          ),
        ],
      },
    );
    disposables.push(symbols);
    select(2, 3, 2, 3);
    assert.equal(await run('capitals'), 'edited');
    assert.equal(
      now(),
      source.replace(/function[^}]*/, (text) => text.toUpperCase()),
    );
    select(4, 1, 4, 1);
    assert.equal(await run('delete it'), 'edited');
    assert.match(now(), /\}\r\n\r\n$/);
    assert.equal(chat.shown.conversation.all.filter(({ type }) => type === 'edits').length, 2);
  });

  it('finds its place again where the user types around it, and does not save what the user has not', async () => {
    select(2, 0, 2, 8);
    const result = await run('replace low with high', () =>
      editor.edit((builder) => {
        builder.insert(new vscode.Position(0, 0), 'mine\r\n');
        builder.insert(new vscode.Position(4, 0), 'mine, too\r\n');
      }),
    );
    assert.equal(result, 'edited');
    assert.equal(now(), `mine\r\n${source.replace('low', 'high').replace('end', 'mine, too\r\nend')}`);
    assert.deepEqual([await saved(), editor.document.isDirty], [source, true]);
  });

  it('leaves what the user typed in it, and offers the answer', async () => {
    select(2, 0, 2, 8);
    let result: unknown;
    const asked = await withPerson({ presses: ['Copy Answer'] }, async () => {
      result = await run('replace low with high', () =>
        editor.edit((builder) => builder.replace(new vscode.Range(2, 2, 2, 5), 'ebb')),
      );
    });
    assert.equal(result, 'stale');
    assert.match(asked[0]!.text, /changed while the model was answering, so it wasn't edited/);
    assert.equal(now(), source.replace('low', 'ebb'));
    assert.deepEqual([await vscode.env.clipboard.readText(), chat.shown.conversation.all], ['  high();', []]);
    assert.deepEqual(chat.shown.conversation.begunEdits, []);
  });

  it('changes nothing when it is cancelled, when the model changes nothing, and when it fails', async () => {
    select(2, 0, 2, 8);
    const results: unknown[] = [];
    const asked = await withPerson({ types: ['  '] }, async () => {
      results.push(await run('replace ebb with flow'));
      results.push(await run());
      results.push(await run());
      chat.shown.choices.selectModel('fault/balance-403');
      results.push(await run('capitals'));
      results.push(await run('capitals', () => Promise.reject(new DOMException('stopped', 'AbortError'))));
    });
    assert.deepEqual(results, ['unchanged', 'none', 'none', 'failed', 'cancelled']);
    assert.deepEqual(
      asked.map(({ kind }) => kind),
      ['information', 'input', 'input', 'error'],
    );
    assert.deepEqual([now(), chat.shown.conversation.all], [source, []]);
  });

  it('sends nothing of a file that is blocked or a part with a secret, and asks for a model', async () => {
    const before = sent();
    const results: unknown[] = [];
    const asked = await withPerson({}, async () => {
      chat.shown.choices.selectModel('gone');
      results.push(await run('capitals'));
      chat.shown.choices.selectModel('scripted-echo');
      await open('key.abc', `const key = "sk-${'a1B2'.repeat(12)}";\n`);
      results.push(await run('capitals'));
      const body = 'MIIE'.repeat(16);
      await open(
        'pem.abc',
        `-----BEGIN PRIVATE KEY-----\n${`${body}\n`.repeat(9)}-----END PRIVATE KEY-----\n`,
      );
      select(4, 0, 4, 64);
      results.push(await run('capitals'));
      await open('.env', 'A=1\n');
      results.push(await run('capitals'));
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      results.push(await run('capitals'));
    });
    assert.deepEqual([results, opened], [['none', 'refused', 'refused', 'refused', 'none'], ['picker']]);
    for (const { text } of asked.slice(0, 2)) assert.match(text, /seems to contain a secret/);
    assert.equal(sent(), before);
  });

  it('asks about a file that became protected while the model answered', async () => {
    const becomesProtected = async () => void (toolsProtected = ['*.abc']);
    for (const [presses, result] of [
      [[], 'cancelled'],
      [['Edit'], 'edited'],
    ] as const) {
      toolsProtected = [];
      select(1, 9, 3, 0);
      const asked = await withPerson({ presses: [...presses] }, async () =>
        assert.equal(await run('replace low with high', becomesProtected), result),
      );
      assert.equal(asked.length, 1);
      assert.equal(now().includes('high'), result === 'edited');
    }
    toolsProtected = [];
  });
});
