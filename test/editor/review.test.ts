import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatController } from '../../src/chat/chatController.ts';
import type { ChatEvent } from '../../src/chat/store/events.ts';
import { RemovedLines } from '../../src/host/review/removedLines.ts';
import { createReviewHost } from '../../src/host/review/reviewHost.ts';
import { watchChanges, type WorkspaceTools } from '../../src/host/workspace/workspaceTools.ts';
import { toPath } from '../../src/host/workspace/workspacePlaces.ts';
import { toEditsEntry } from '../../src/panel/present/presentTool.ts';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { ToolSet } from '../../src/tools/toolSet.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { MemoryJournal } from '../support/memorySnapshots.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { silentLog } from '../support/silentLog.ts';

const { signal } = new AbortController();

describe('review in the editor', function () {
  this.timeout(60_000);
  const deps = createToolDependencies(
    createVscodeWorkspace(() => ({ toolsExclude: [], toolsProtected: [] })),
    { workerFile: '', ripgrep: undefined, timeoutMs: 20_000 },
  );
  const tools = new ToolSet(workspaceTools(deps));
  const folder = vscode.workspace.workspaceFolders![0]!;
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((line) => `${line}\r\n`).join('');
  let disposables: vscode.Disposable[] = [];
  let files = 0;

  async function edited(...changes: [from: string, to: string][]) {
    // One file per test: an editor may still hold the previous text.
    const path = `scratch/review${++files}.txt`;
    const uri = uriOf(path);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(before));
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    const journal = new MemoryJournal();
    for (const [oldText, newText] of changes) {
      const input = { path, replacements: [{ oldText, newText }] };
      const call = tools.prepare({ name: 'edit_file', input });
      assert.ok(!('problem' in call), JSON.stringify(call));
      const { content, isError } = await call.run({ signal, journal });
      assert.equal(isError, false, content);
    }
    const snapshots = async () => journal.snapshotsKept;
    const chat = new ChatController(chatDependencies({ snapshots }));
    const loaded = { dependencies: deps } as unknown as WorkspaceTools;
    const host = createReviewHost({
      ...{ chat, snapshots, tools: async () => loaded, memory: { fileMoves: [] } },
      notifications: new Notifications(silentLog),
    });
    disposables.push(host, chat);
    const events: ChatEvent[] = [
      { type: 'userMessageAdded', id: 'u', text: 'Edit it' },
      { type: 'editsMade', id: 'e', edits: journal.edits },
    ];
    for (const event of events) chat.sessions[0]!.record(event);
    const lenses = async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uri,
        100,
      );
      return found
        .filter(({ command }) => command?.command.startsWith('switchboard.'))
        .map(({ range, command }) => ({ line: range.start.line, title: command!.title, command: command! }));
    };
    const titles = async () => (await lenses()).map(({ line, title }) => `${line} ${title}`);
    const press = async (at: number, command: 'keepChange' | 'undoChange') => {
      const lens = (await lenses()).find(
        (each) => each.line === at && each.command.command === `switchboard.${command}`,
      );
      return host.run(command, lens?.command.arguments?.[0]);
    };
    const type = (line: number, text: string) =>
      editor.edit((builder) => builder.insert(new vscode.Position(line, 0), text));
    return { chat, path, document, editor, host, press, titles, type };
  }

  afterEach(async () => {
    for (const each of disposables) each.dispose();
    disposables = [];
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uriOf('scratch'), { recursive: true });
  });

  it('finds a file that was renamed since', async () => {
    const { host, path } = await edited(['a', 'A']);
    const moved = uriOf('scratch/moved/other.txt');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uriOf(path), moved);
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    assert.equal(await host.decide('e', 'undo'), true);
    const text = async (uri: vscode.Uri) => Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
    assert.equal(await text(moved), before);
    await assert.rejects(text(uriOf(path)));
  });

  it('stays open in other conversations, and the explorer and the status bar tell of it', async () => {
    const { createStatusBarItem, registerFileDecorationProvider } = vscode.window;
    const items: vscode.StatusBarItem[] = [];
    const providers: vscode.FileDecorationProvider[] = [];
    const window = vscode.window as { createStatusBarItem: unknown; registerFileDecorationProvider: unknown };
    window.createStatusBarItem = (id: string, alignment: vscode.StatusBarAlignment, priority: number) => {
      const item = createStatusBarItem(id, alignment, priority);
      items.push(item);
      return item;
    };
    window.registerFileDecorationProvider = (provider: vscode.FileDecorationProvider) => {
      providers.push(provider);
      return registerFileDecorationProvider(provider);
    };
    try {
      const { chat, path, host, titles } = await edited(['a', 'A']);
      const badge = async () => {
        const mark = await providers[0]?.provideFileDecoration(
          uriOf(path),
          new vscode.CancellationTokenSource().token,
        );
        return mark?.badge;
      };
      const shown = async () => [(await titles()).length, await badge(), items.length, items[0]?.text];
      const open = [2, '±', 1, '$(diff) 1 file to review'];
      await eventually(async () => assert.deepEqual(await shown(), open));
      await chat.startNewChat();
      await eventually(async () => assert.deepEqual(await shown(), open));
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      assert.equal(await host.run('reviewFiles', undefined), true);
      assert.equal(vscode.window.activeTextEditor?.document.uri.path, uriOf(path).path);
      assert.equal(await host.run('keepFile', undefined), true);
      await eventually(async () => assert.deepEqual([await titles(), await badge()], [[], undefined]));
      assert.equal(await host.run('reviewFiles', undefined), false);
    } finally {
      Object.assign(window, { createStatusBarItem, registerFileDecorationProvider });
    }
  });

  it('counts a file as undone while others, such as Git, have it as it was', async () => {
    const { chat, path, document, editor, titles } = await edited(['a', 'A']);
    const item = () => chat.sessions[0]!.conversation.all.find((each) => each.type === 'edits')!;
    const shown = async () => [(await titles()).length, toEditsEntry(item()).files[0]?.state];
    let told = 0;
    chat.onDidChange(({ type }) => void (told += Number(type === 'itemChanged')));
    await eventually(async () => assert.deepEqual(await shown(), [2, undefined]));
    await document.save();
    const changed = document.getText();
    const write = (text: string) => vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(text));
    await write(before);
    await eventually(async () => assert.deepEqual([...(await shown()), told], [0, 'undone', 1]));
    await write(changed);
    await eventually(async () => assert.deepEqual([...(await shown()), told], [2, undefined, 2]));
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    assert.ok(await editor.edit((builder) => builder.replace(whole, before)));
    await eventually(async () => assert.deepEqual([...(await shown()), told], [0, 'undone', 3]));
    await vscode.commands.executeCommand('undo');
    await eventually(async () => assert.deepEqual([...(await shown()), told], [2, undefined, 4]));
  });

  it('shows the lines that a hunk removed, in a hover over their place and in a peek', async () => {
    const { document, path } = await edited(['b\r\nc\r\n', ''], ['f', 'F\r\nF2']);
    const uri = uriOf(path);
    const removedAt = async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uri,
        100,
      );
      return found.filter(({ command }) => command?.command === 'editor.action.peekLocations');
    };
    await eventually(async () =>
      assert.deepEqual(
        (await removedAt()).map(({ range, command }) => [range.start.line, command!.title]),
        [
          [1, '2 lines removed'],
          [3, '1 line removed'],
        ],
      ),
    );
    const [first] = await removedAt();
    const [, , [location]] = first!.command!.arguments as [unknown, unknown, vscode.Location[]];
    const peeked = await vscode.workspace.openTextDocument(location!.uri);
    assert.deepEqual([peeked.getText(), peeked.languageId], ['b\r\nc\r\n', document.languageId]);
    await vscode.commands.executeCommand(first!.command!.command, ...first!.command!.arguments!);
  });

  it('shows removed lines as code in a hover, at most 30 and without hidden characters', async () => {
    const { document } = await edited(['a', 'A']);
    const removed = new RemovedLines();
    disposables.push(removed);
    const hover = (text: string, now = '') =>
      removed.hover(document, { from: 0, to: 0, before: text, now, isEdited: false })?.value.trim();
    assert.equal(hover('', 'added\n'), undefined);
    assert.equal(hover('b\r\nc\r\n'), '2 lines removed:\n\n```plaintext\nb\nc\n```');
    assert.match(hover('```\n![](https://example.com/p.png)\n') ?? '', /\n````plaintext\n```\n!.*\n````$/s);
    assert.match(hover('b\u202ec\n') ?? '', /b⟨.*⟩c/);
    assert.match(hover('x\n'.repeat(31)) ?? '', /:\n\n```plaintext\n(x\n){30}…\n```$/);
  });

  it('shows each hunk with its actions, and undoes and keeps around what the user types', async () => {
    const { chat, path, document, editor, host, press, titles, type } = await edited(
      ['a', 'A'],
      ['d', 'D'],
      ['f\ng', 'g'],
    );
    await eventually(async () =>
      assert.deepEqual(await titles(), [
        ...['0 $(check) Keep', '0 $(discard) Undo', '0 Keep All (3)', '0 Undo All (3)'],
        ...['3 $(check) Keep', '3 $(discard) Undo'],
        ...['5 $(check) Keep', '5 $(discard) Undo'],
      ]),
    );
    await type(0, 'mine\n');
    await type(3, 'mine, too\n');
    assert.equal(await press(5, 'undoChange'), true);
    const now = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join('');
    assert.equal(document.getText(), now('mine', 'A', 'b', 'mine, too', 'c', 'd', 'e', 'g'));
    assert.equal(document.isDirty, true);
    await vscode.commands.executeCommand('undo');
    await eventuallyEqual(() => document.getText(), now('mine', 'A', 'b', 'mine, too', 'c', 'D', 'e', 'g'));
    await vscode.commands.executeCommand('redo');
    await eventuallyEqual(() => document.getText(), now('mine', 'A', 'b', 'mine, too', 'c', 'd', 'e', 'g'));
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    assert.equal(await host.run('nextChange', undefined), true);
    assert.equal(editor.selection.active.line, 1);
    assert.equal(await host.run('keepChange', undefined), true);
    assert.deepEqual(await titles(), ['7 $(check) Keep', '7 $(discard) Undo']);
    assert.equal(await host.run('undoFile', undefined), true);
    assert.equal(document.getText(), now('mine', 'A', 'b', 'mine, too', 'c', 'd', 'e', 'f', 'g'));
    assert.deepEqual(await titles(), []);
    const item = chat.shown.conversation.all.find(({ type: kind }) => kind === 'edits');
    assert.ok(item?.type === 'edits' && item.reviews?.[path]?.isDone);
    assert.equal(await host.run('undoChange', undefined), false);
  });

  it('does not undo a hunk that the user typed into, says so, and shows the difference', async () => {
    const { document, editor, press, titles, type } = await edited(['d', 'D1\nD2']);
    await type(4, 'mine in between\n');
    await eventually(async () =>
      assert.deepEqual(await titles(), ['3 $(check) Keep', '3 $(diff) Changed since: Open Diff']),
    );
    const text = document.getText();
    assert.equal(await press(3, 'undoChange'), false);
    assert.equal(document.getText(), text);
    await eventually(() => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputTextDiff);
      assert.equal(input.original.scheme, 'switchboard-before');
    });
    await vscode.window.showTextDocument(editor.document);
    assert.equal(await press(3, 'keepChange'), true);
    assert.deepEqual(await titles(), []);
  });

  it('sees which files change while a command runs, those of the workspace', async () => {
    const uri = uriOf('scratch/built.txt');
    await eventually(async () => {
      const watch = watchChanges();
      await vscode.workspace.fs.writeFile(uri, Buffer.from(String(++files)));
      const { paths, more } = await watch.end();
      assert.deepEqual([paths.includes(toPath(uri)), more], [true, 0]);
    });
  });
});
