import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RemovedLines } from '../../src/host/review/removedLines.ts';
import { watchChanges } from '../../src/host/workspace/workspaceTools.ts';
import { toPath } from '../../src/host/workspace/workspacePlaces.ts';
import { toEditsEntry } from '../../src/panel/present/presentTool.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { useEditedFiles } from './editedFiles.ts';
import { withPerson } from './person.ts';
import { replace, restoreAll } from './replace.ts';

describe('review in the editor', function () {
  this.timeout(60_000);
  const { before, edited, uriOf, disposables } = useEditedFiles();

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
    const redrawn: string[] = [];
    const providers: vscode.FileDecorationProvider[] = [];
    const window = vscode.window as { createStatusBarItem: unknown; registerFileDecorationProvider: unknown };
    window.createStatusBarItem = (id: string, alignment: vscode.StatusBarAlignment, priority: number) => {
      const item = createStatusBarItem(id, alignment, priority);
      const dispose = item.dispose.bind(item);
      item.dispose = () => {
        items.splice(items.indexOf(item), 1);
        dispose();
      };
      items.push(item);
      return item;
    };
    window.registerFileDecorationProvider = (provider: vscode.FileDecorationProvider) => {
      providers.push(provider);
      provider.onDidChangeFileDecorations?.((uris) =>
        redrawn.push(...[uris ?? []].flat().map((uri) => uri.path)),
      );
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
      assert.deepEqual(redrawn, [uriOf(path).path]);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      assert.equal(await host.run('reviewFiles', undefined), true);
      assert.equal(vscode.window.activeTextEditor?.document.uri.path, uriOf(path).path);
      assert.equal(await host.run('keepFile', undefined), true);
      await eventually(async () => assert.deepEqual([await titles(), await badge()], [[], undefined]));
      assert.equal(redrawn.length, 2);
      assert.deepEqual(items, []);
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
    const write = async (text: string) => {
      await vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(text));
      // The editor refuses an edit of a document that it is still reading again.
      await eventually(() => assert.equal(document.getText(), text));
    };
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

  it('keeps the texts of removed lines for the newest 500 hunks', async () => {
    const { document } = await edited(['a', 'A']);
    const removed = new RemovedLines();
    disposables.push(removed);
    const textOf = async (index: number) => {
      const hunk = { from: 0, to: 0, before: `${index}\n`, now: '', isEdited: false };
      const [lens] = removed.lens(document, { ...hunk, itemId: 'other', key: `${index}` });
      const [, , [location]] = lens!.command!.arguments as [unknown, unknown, vscode.Location[]];
      return location!.uri;
    };
    const first = await textOf(0);
    const second = await textOf(1);
    for (let index = 2; index < 501; index++) await textOf(index);
    const read = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
    assert.deepEqual([await read(first), await read(second)], ['', '1\n']);
  });

  it('leads from change to change in both directions, and around', async () => {
    const { editor, host } = await edited(['a', 'A'], ['c', 'C'], ['f', 'F']);
    const at = async (line: number, command: 'nextChange' | 'previousChange') => {
      editor.selection = new vscode.Selection(line, 0, line, 0);
      // Waits until the editor has told of earlier selections.
      await vscode.workspace.applyEdit(new vscode.WorkspaceEdit());
      assert.equal(await host.run(command, undefined), true);
      return editor.selection.active.line;
    };
    const next = [await at(0, 'nextChange'), await at(1, 'nextChange'), await at(5, 'nextChange')];
    const previous = [
      await at(5, 'previousChange'),
      await at(2, 'previousChange'),
      await at(0, 'previousChange'),
    ];
    assert.deepEqual(
      [next, previous],
      [
        [2, 2, 0],
        [2, 0, 5],
      ],
    );
  });

  it('marks the lines that came, and the places of those that went', async () => {
    const { document, host } = await edited(['b\r\n', ''], ['f', 'F\r\nF2']);
    const marked = new Map<vscode.TextEditorDecorationType, string[]>();
    const setDecorations = (
      of: vscode.TextEditorDecorationType,
      ranges: readonly vscode.DecorationOptions[],
    ) =>
      void marked.set(
        of,
        ranges.map(({ range }) => `${range.start.line}-${range.end.line}`),
      );
    replace(vscode.window, 'visibleTextEditors', [{ document, setDecorations }]);
    try {
      await eventually(() => assert.deepEqual([...marked.values()], [['4-5'], ['1-1']]));
      assert.equal(await host.run('keepFile', undefined), true);
      await eventually(() => assert.deepEqual([...marked.values()], [[], []]));
    } finally {
      restoreAll();
    }
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
    assert.equal(editor.selection.active.line, 7);
    assert.deepEqual(await titles(), ['7 $(check) Keep', '7 $(discard) Undo']);
    assert.equal(await host.run('undoFile', undefined), true);
    assert.equal(document.getText(), now('mine', 'A', 'b', 'mine, too', 'c', 'd', 'e', 'f', 'g'));
    assert.deepEqual(await titles(), []);
    const item = chat.shown.conversation.all.find(({ type: kind }) => kind === 'edits');
    assert.ok(item?.type === 'edits' && item.reviews?.[path]?.isDone);
    assert.equal(await host.run('undoChange', undefined), false);
  });

  it('says when the last change of a file is kept by its key, which a diff does not show', async () => {
    const { editor, host, press } = await edited(['a', 'A'], ['d', 'D']);
    const window = vscode.window as { setStatusBarMessage: unknown };
    const { setStatusBarMessage } = window;
    const told: string[] = [];
    window.setStatusBarMessage = (text: string) => void told.push(text);
    try {
      editor.selection = new vscode.Selection(3, 0, 3, 0);
      assert.equal(await host.run('keepChange', undefined), true);
      assert.deepEqual([editor.selection.active.line, told], [0, []]);
      assert.equal(await host.run('keepChange', undefined), true);
      assert.deepEqual(told, ['All changes in this file are reviewed.']);
      assert.equal(await press(0, 'keepChange'), false);
    } finally {
      Object.assign(window, { setStatusBarMessage });
    }
  });

  it('shows of overlapping changes those of the newest turn, and undoes both turns together', async () => {
    const { document, edit, host, session, titles } = await edited(['a', 'A']);
    await edit('2', ['A', 'AA']);
    await eventually(async () => assert.deepEqual(await titles(), ['0 $(check) Keep', '0 $(discard) Undo']));
    assert.equal(await host.run('reviewFiles', undefined), true, 'one file, which needs no choice');
    assert.equal(await host.run('undoFile', undefined), true);
    assert.equal(document.getText(), before);
    const left = session.conversation.all.flatMap((item) =>
      item.type === 'edits' ? Object.values(item.reviews ?? {}).map(({ isDone }) => isDone) : [],
    );
    assert.deepEqual(left, [true, true]);
  });

  it('has its key bindings in the files to review alone, however those become so', async () => {
    const { executeCommand } = vscode.commands;
    const known: unknown[] = [];
    const commands = vscode.commands as { executeCommand: unknown };
    commands.executeCommand = (command: string, ...rest: unknown[]) => {
      if (command === 'setContext' && rest[0] === 'switchboard.filesToReview') known.push(rest[1]);
      return executeCommand(command, ...rest);
    };
    try {
      const { host, path, session, uri } = await edited(['a', 'A']);
      const isToReview = async (expected: boolean, of = uri) => {
        const value = expected ? [of.fsPath, of.path] : undefined;
        await eventually(() => assert.deepEqual(known.at(-1), value));
      };
      await isToReview(true);
      assert.equal(await host.decide('e', 'undo'), true);
      await isToReview(false);
      assert.equal(await host.decide('e', 'redo', { path }), true);
      await isToReview(true);
      await withPerson({ picks: ['Restore Files and Conversation'] }, () => host.restore('u'));
      await isToReview(false);
      const restoration = session.conversation.all.find(({ type }) => type === 'restoration');
      await host.restore(restoration?.id ?? '');
      await isToReview(true);
      const moved = uriOf('scratch/moved.txt');
      const renaming = new vscode.WorkspaceEdit();
      renaming.renameFile(uri, moved);
      assert.equal(await vscode.workspace.applyEdit(renaming), true);
      await eventually(async () => {
        await vscode.window.showTextDocument(moved);
        await isToReview(true, moved);
      });
      host.dispose();
      await isToReview(false);
    } finally {
      commands.executeCommand = executeCommand;
    }
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
    let times = 0;
    await eventually(async () => {
      const watch = watchChanges();
      await vscode.workspace.fs.writeFile(uri, Buffer.from(String(++times)));
      const { paths, more } = await watch.end();
      assert.deepEqual([paths.includes(toPath(uri)), more], [true, 0]);
    });
  });
});
