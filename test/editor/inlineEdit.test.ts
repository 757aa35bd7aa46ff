import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatController } from '../../src/chat/chatController.ts';
import type { ChatEvent } from '../../src/chat/store/events.ts';
import { inlineEdit, type InlineEditDependencies } from '../../src/host/code/inlineEdit.ts';
import { pressInlineEdit, requestAt } from '../../src/host/code/requestAtCode.ts';
import { ReviewHost } from '../../src/host/review/reviewHost.ts';
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
import { Deferred } from '../../src/base/async/promises.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';

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
  let toolsProtected: string[];
  const tools = async () => ({ dependencies }) as unknown as WorkspaceTools;
  const snapshots = new MemorySnapshots();
  let store: MemoryChatStore;
  const uriOf = (name: string) => vscode.Uri.joinPath(scratch, name);
  const opened: string[] = [];
  let files = 0;
  let disposables: vscode.Disposable[] = [];
  let chat: ChatController;
  let editor: vscode.TextEditor;
  let uri: vscode.Uri;

  beforeEach(async () => {
    toolsProtected = [];
    opened.length = 0;
    store = new MemoryChatStore();
    chat = new ChatController(
      chatDependencies({ store, snapshots: async () => snapshots, defaultModel: () => 'scripted-echo' }),
    );
    disposables = [chat];
    await open(`rise${++files}.abc`, source);
  });
  afterEach(async () => {
    // Whatever is shown at the code ends with its document.
    pressInlineEdit('closeInlineEdit');
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
    return runWith(async (...args) => {
      await meanwhile?.();
      await askModel(relay.streamModel())(...args);
    }, instruction);
  }

  function runWith(ask: AskModel, instruction?: string) {
    const deps = {
      ...{
        chat,
        store,
        tools,
        snapshots: async () => snapshots,
        notifications: new Notifications(silentLog),
      },
      models: {
        ask,
        catalog: {
          isUnlisted: (id: string) => id === 'gone',
          ...{ state: { models: [] }, ensure: async () => undefined },
        },
      },
      memory: { instructionsOff: [], isActiveEditorOff: false },
      settings: { get: (name: string) => name === 'chat.stream' || '' },
      view: { openModelPicker: async () => void opened.push('picker') },
    } as unknown as InlineEditDependencies;
    return inlineEdit(deps, instruction);
  }

  /** The text box at the code. */
  const box = () =>
    vscode.workspace.textDocuments.findLast((each) => each.uri.scheme === 'comment' && !each.isClosed);
  const boxIs = (text: string) => eventually(async () => assert.equal(box()?.getText(), text));
  /** Sends a request, as the editor does with the text of the box. */
  const send = (body: string) => pressInlineEdit('sendInlineRequest', { author: { name: '' }, body });
  async function sends(text: string): Promise<void> {
    // A box of the test before may come late; what is sent before the request is there goes nowhere.
    const { document, selection } = editor;
    const atStart = new vscode.Selection(selection.start, selection.start);
    await eventually(() => assert.ok(requestAt({ document, selection: atStart })));
    await boxIs('');
    send(text);
  }

  /** A model that answers when the test says so. */
  function answering() {
    const asked = new Deferred();
    const ended = Promise.withResolvers<void>();
    let tell: Parameters<AskModel>[2] = () => undefined;
    const ask: AskModel = async (request, signal, onEvent) => {
      assert.ok(request.messages.length > 0);
      tell = onEvent;
      asked.resolve();
      await Promise.race([
        ended.promise,
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      ]);
      await onEvent({ type: 'modelFinished', reason: 'stop' });
    };
    return {
      ask,
      asked: asked.promise,
      says: (text: string) => void tell({ type: 'textAdded', text }),
      ended,
    };
  }

  const isNow = (text: string) => eventually(async () => assert.equal(now(), text));

  const select = (...at: [line: number, character: number, toLine: number, toCharacter: number]) =>
    (editor.selection = new vscode.Selection(...at));
  const now = () => editor.document.getText();
  const saved = async () => Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
  const sent = () => relay.server().requests.length;

  it('replaces what is selected and nothing else, to be kept or undone like any edit of the conversation', async () => {
    select(1, 9, 3, 0);
    let result: unknown;
    let known: string[] = [];
    const first = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document !== editor.document) return;
      first.dispose();
      known = [...(store.lines.get(chat.shown.conversation.id) ?? [])];
    });
    disposables.push(first);
    const asked = await withPerson({}, async () => {
      const running = run();
      await sends('replace low with high');
      result = await running;
    });
    assert.equal(result, 'edited');
    assert.deepEqual(asked, []);
    const changed = source.replace('low', 'high');
    assert.deepEqual([now(), await saved(), editor.document.isDirty], [changed, changed, false]);
    const [notice, edits, ...more] = chat.shown.conversation.all;
    assert.ok(notice?.type === 'notice' && edits?.type === 'edits' && more.length === 0);
    assert.equal(notice.detail, 'replace low with high');
    // A window that is killed right after the edit finds it recorded.
    const [begun] = known.map((line) => JSON.parse(line) as ChatEvent);
    assert.ok(known.length === 1 && begun?.type === 'editBegun');
    const { beforeHash, path, realPath } = edits.edits[0]!;
    assert.deepEqual(begun.edit, { path, realPath, beforeHash, isInline: true, isUnfinished: true });
    assert.equal(begun.inline?.instruction, notice.detail);
    assert.deepEqual(chat.shown.conversation.begunEdits, []);
    const host = new ReviewHost({
      ...{ chat, tools, snapshots: async () => snapshots, memory: { fileMoves: [] } },
      notifications: new Notifications(silentLog),
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
    const dismissed = async (offered: string) => {
      const running = run();
      await boxIs(offered);
      // The editor never closes the text of a box that goes before it was drawn.
      await eventually(() => assert.equal(vscode.window.activeTextEditor?.document, box()));
      pressInlineEdit('cancelInlineRequest');
      assert.equal(await running, 'none');
      await eventually(async () => assert.equal(box(), undefined));
    };
    select(2, 0, 2, 8);
    await dismissed('');
    assert.equal(await run('replace low with high'), 'edited');
    pressInlineEdit('closeInlineEdit');
    await seen(() => select(2, 0, 2, 2));
    await dismissed('replace low with high');
    await seen(() => select(4, 0, 4, 2));
    await dismissed('');
    await seen(() => select(0, 0, 5, 0));
    await dismissed('replace low with high');
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

  it('stops where the user types in it, with the old lines and what was typed, and offers the answer', async () => {
    select(1, 0, 3, 1);
    const { ask, asked: begun, says } = answering();
    let result: unknown;
    const asked = await withPerson({ presses: ['Copy Answer'] }, async () => {
      const running = runWith(ask, 'capitals');
      await begun;
      says('```\nFUNCTION RISE() {\n');
      await isNow(source.replace('function rise', 'FUNCTION RISE'));
      await editor.edit((builder) => builder.replace(new vscode.Range(2, 2, 2, 5), 'ebb'));
      result = await running;
    });
    assert.equal(result, 'stale');
    assert.match(asked[0]!.text, /changed while the model was answering, so it wasn't edited/);
    await isNow(source.replace('low', 'ebb'));
    assert.equal(await vscode.env.clipboard.readText(), 'FUNCTION RISE() {');
    assert.deepEqual([chat.shown.conversation.all, chat.shown.conversation.begunEdits], [[], []]);
  });

  it('streams into its place, moves nothing else, and is undone at once', async () => {
    select(1, 0, 3, 1);
    const { ask, asked, says, ended } = answering();
    const running = runWith(ask, 'capitals');
    await asked;
    select(4, 1, 4, 3);
    const states: string[] = [];
    const following = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document === editor.document && contentChanges.length > 0) states.push(document.getText());
    });
    disposables.push(following);
    for (const [words, text] of [
      ['```\nFUNCTION', source],
      [' RISE() {\n  LO', source.replace('function rise', 'FUNCTION RISE')],
      ['W();\n', source.replace('function rise', 'FUNCTION RISE').replace('low', 'LOW')],
    ] as const) {
      says(words);
      await isNow(text);
    }
    assert.deepEqual([states.length, await saved()], [2, source]);
    says('  more();\n}\n```');
    ended.resolve();
    assert.equal(await running, 'edited');
    const whole = source.replace('function rise', 'FUNCTION RISE').replace('low();', 'LOW();\r\n  more();');
    assert.deepEqual([now(), await saved()], [whole, whole]);
    const { start, end } = editor.selection;
    assert.deepEqual([start.line, start.character, end.line, end.character], [5, 1, 5, 3]);
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await vscode.commands.executeCommand('undo');
    await isNow(source);
  });

  it('is undone at once, too, when the file was saved in the middle', async () => {
    select(1, 0, 3, 1);
    const { ask, asked, says, ended } = answering();
    const running = runWith(ask, 'capitals');
    await asked;
    says('```\nFUNCTION RISE() {\n');
    const begun = source.replace('function rise', 'FUNCTION RISE');
    await isNow(begun);
    assert.equal(await editor.document.save(), true);
    says('  LOW();\n');
    await isNow(begun.replace('low', 'LOW'));
    says('}\n```');
    ended.resolve();
    assert.equal(await running, 'edited');
    const whole = source.replace('function rise', 'FUNCTION RISE').replace('low', 'LOW');
    assert.deepEqual([now(), await saved()], [whole, whole]);
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await vscode.commands.executeCommand('undo');
    await isNow(source);
  });

  it('puts the old text back when it is stopped, fails, or gives no replacement', async () => {
    const twoBlocks = '```\na\n```\n```\nb\n```\n';
    for (const [how, outcome] of [
      ['stop', 'cancelled'],
      ['fail', 'failed'],
      [twoBlocks, 'unusable'],
    ] as const) {
      select(1, 0, 3, 1);
      const { ask, asked, says, ended } = answering();
      let result: unknown;
      await withPerson({}, async () => {
        const running = runWith(ask, 'capitals');
        await asked;
        const isBlocks = how === twoBlocks;
        says(isBlocks ? twoBlocks : '```\nFUNCTION RISE() {\n');
        await eventually(async () => assert.notEqual(now(), source));
        assert.equal(chat.shown.conversation.begunEdits.length, 1);
        if (how === 'stop') pressInlineEdit('stopInlineEdit');
        else if (isBlocks) ended.resolve();
        else ended.reject(new Error('The wire broke'));
        result = await running;
      });
      assert.equal(result, outcome);
      assert.deepEqual([now(), await saved()], [source, source], how);
      await eventually(async () => assert.equal(editor.document.isDirty, false, how));
      assert.deepEqual([chat.shown.conversation.all, chat.shown.conversation.begunEdits], [[], []]);
    }
  });

  it('keeps what is typed elsewhere while it streams, in the file and in what Undo leads back to', async () => {
    select(1, 0, 3, 1);
    const { ask, asked, says, ended } = answering();
    const running = runWith(ask, 'capitals');
    await asked;
    says('```\nFUNCTION RISE() {\n');
    await isNow(source.replace('function rise', 'FUNCTION RISE'));
    await editor.edit((builder) => {
      builder.insert(new vscode.Position(0, 0), 'mine\r\n');
      builder.insert(new vscode.Position(4, 0), 'mine, too\r\n');
    });
    says('}\n```');
    ended.resolve();
    assert.equal(await running, 'edited');
    const mine = (text: string) => `mine\r\n${text.replace('end', 'mine, too\r\nend')}`;
    assert.equal(now(), mine(source.replace(/function[^}]*/, 'FUNCTION RISE() {\r\n')));
    assert.deepEqual([await saved(), editor.document.isDirty], [source, true]);
    const edits = chat.shown.conversation.all.find((item) => item.type === 'edits');
    assert.ok(edits?.type === 'edits');
    assert.equal(await snapshots.get(edits.edits[0]?.beforeHash ?? ''), mine(source));
  });

  it('changes the request afterwards, from what it came to, until it is done', async () => {
    select(2, 0, 2, 8);
    const first = run();
    await sends('replace low with high');
    assert.equal(await first, 'edited');
    await boxIs('replace low with high');
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    // The same key leads back to the box.
    assert.equal(await run(), 'reopened');
    await boxIs('replace low with high');
    // And does from within the box, which the editor then takes for the active file.
    await eventually(() => assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'comment'));
    assert.equal(await run(), 'reopened');
    // A selection that ends at the start of a line excludes that line.
    select(2, 0, 3, 0);
    assert.equal(await run(), 'reopened');
    const { length } = relay.server().requests;
    pressInlineEdit('changeInlineRequest', { author: { name: '' }, body: 'replace high with deep' });
    await isNow(source.replace('low', 'deep'));
    const [request] = relay.server().requests.slice(length);
    assert.match(JSON.stringify(request), /<earlier-\w+>\\nreplace low with high/);
    assert.match(JSON.stringify(request), /<part-[^>]*>\\n {2}high\(\);/);
    await boxIs('replace high with deep');
    await eventually(async () => {
      const edited = chat.shown.conversation.all.filter(({ type }) => type === 'edits');
      assert.equal(edited.length, 2);
    });
    await eventually(async () => {
      pressInlineEdit('closeInlineEdit');
      assert.equal(box(), undefined);
    });
  });

  it('keeps the request in its box when it is stopped, to be sent again', async () => {
    select(2, 0, 2, 8);
    const { ask, asked } = answering();
    const running = runWith(ask);
    await sends('replace low with high');
    await asked;
    await boxIs('replace low with high');
    pressInlineEdit('closeInlineEdit');
    assert.equal(await running, 'cancelled');
    assert.deepEqual([box()?.getText(), now()], ['replace low with high', source]);
    pressInlineEdit('closeInlineEdit');
    await eventually(async () => assert.equal(box(), undefined));
  });

  it('edits a cell of a notebook, judged by its file, and says how it is undone', async () => {
    const cell = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [] };
    const text = JSON.stringify({
      ...{ nbformat: 4, nbformat_minor: 2, metadata: {} },
      cells: [{ ...cell, source: ['top()\n', 'low()'] }],
    });
    const notebookUri = uriOf('cells.ipynb');
    await vscode.workspace.fs.writeFile(notebookUri, Buffer.from(text));
    const notebook = await vscode.workspace.openNotebookDocument(notebookUri);
    await vscode.window.showNotebookDocument(notebook);
    await vscode.commands.executeCommand('notebook.cell.edit');
    await eventually(async () =>
      assert.equal(vscode.window.activeTextEditor?.document, notebook.cellAt(0).document),
    );
    editor = vscode.window.activeTextEditor!;
    select(1, 0, 1, 5);
    const script = {
      types: ['replace low with high', 'replace high with deep'],
      answers: ['Change Request'],
    };
    const asked = await withPerson(script, async () => {
      assert.equal(await run(), 'edited');
      await isNow('top()\ndeep()');
      await eventually(async () => assert.equal(chat.shown.conversation.all.length, 2));
    });
    assert.deepEqual(
      asked.map(({ kind, text: words }) => [kind, words]),
      [
        ['input', 'Edit inline/cells.ipynb, Line 2'],
        ['information', 'Edited a cell of inline/cells.ipynb. Undo in the cell takes it back.'],
        ['input', 'Edit inline/cells.ipynb, Line 2'],
        ['information', 'Edited a cell of inline/cells.ipynb. Undo in the cell takes it back.'],
      ],
    );
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(notebookUri)).toString(), text);
    assert.ok(chat.shown.conversation.all.every(({ type }) => type === 'notice'));
    await eventually(async () => {
      await vscode.commands.executeCommand('undo');
      assert.equal(now(), 'top()\nlow()');
    });
    toolsProtected = ['*.ipynb'];
    const protectedQuestion = await withPerson({}, async () =>
      assert.equal(await run('replace low with high'), 'cancelled'),
    );
    assert.deepEqual([protectedQuestion.length, now()], [1, 'top()\nlow()']);
  });

  it('changes nothing when it is cancelled, when the model changes nothing, and when it fails', async () => {
    select(2, 0, 2, 8);
    const results: unknown[] = [];
    const asked = await withPerson({}, async () => {
      results.push(await run('replace ebb with flow'));
      const running = run();
      await sends('  ');
      results.push(await running);
      chat.shown.choices.selectModel('fault/balance-403');
      results.push(await run('capitals'));
      results.push(await run('capitals', () => Promise.reject(new DOMException('stopped', 'AbortError'))));
    });
    assert.deepEqual(results, ['unchanged', 'none', 'failed', 'cancelled'], JSON.stringify(asked));
    assert.deepEqual(
      asked.map(({ kind }) => kind),
      ['information', 'error'],
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
      let changes = 0;
      const following = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document === editor.document) changes += contentChanges.length;
      });
      disposables.push(following);
      const asked = await withPerson({ presses: [...presses] }, async () =>
        assert.equal(await run('replace low with high', becomesProtected), result),
      );
      assert.equal(asked.length, 1, JSON.stringify(asked));
      // Nothing is written before the answer to the question.
      assert.equal(changes, result === 'edited' ? 1 : 0);
      assert.equal(now().includes('high'), result === 'edited');
    }
  });
});
