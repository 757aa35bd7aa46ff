import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as vscode from 'vscode';
import { ChatController } from '../../src/chat/chatController.ts';
import { ReviewHost } from '../../src/host/review/reviewHost.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import type { WorkspaceTools } from '../../src/host/workspace/workspaceTools.ts';
import type { StreamModel } from '../../src/relay/messages.ts';
import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { ToolSet } from '../../src/tools/toolSet.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { MemoryChatStore } from '../support/memoryChatStore.ts';
import { MemoryJournal, MemorySnapshots } from '../support/memorySnapshots.ts';
import { silentLog } from '../support/silentLog.ts';

const { signal } = new AbortController();

type Change = [from: string, to: string];

/** A model that answers until it is stopped. */
const endless: StreamModel = async function* (_, stopped) {
  yield { type: 'textAdded', text: 'Well' };
  await once(stopped, 'abort');
  stopped.throwIfAborted();
};

/** Notifications of an open panel, by their texts. */
export function recordedNotifications(): { told: string[]; notifications: Notifications } {
  const told: string[] = [];
  const notifications = new Notifications(silentLog);
  notifications.panel = {
    notices: { show: async ({ text }) => void told.push(text), showProgress: () => assert.fail() },
    view: { isVisible: true, onDidChangeVisibility: () => ({ dispose() {} }) },
  };
  return { told, notifications };
}

/** Files that tools edited in a conversation, and their review. */
export function useEditedFiles() {
  const excluded: string[] = [];
  const deps = createToolDependencies(
    createVscodeWorkspace(() => ({ toolsExclude: excluded, toolsProtected: [] })),
    { workerFile: '', ripgrep: undefined, timeoutMs: 20_000 },
  );
  const tools = new ToolSet(workspaceTools(deps));
  const folder = vscode.workspace.workspaceFolders![0]!;
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((line) => `${line}\r\n`).join('');
  const disposables: vscode.Disposable[] = [];

  async function call(name: string, input: object, journal: MemoryJournal) {
    const prepared = tools.prepare({ name, input });
    assert.ok(!('problem' in prepared), JSON.stringify(prepared));
    const { content, isError } = await prepared.run({ signal, journal });
    assert.equal(isError, false, content);
  }

  /** A file that a turn with the ids `u` and `e` edited. */
  async function edited(...changes: Change[]) {
    // One file per test: an editor may still hold the previous text.
    const path = `scratch/${randomUUID()}.txt`;
    const uri = uriOf(path);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(before));
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    const kept = new MemorySnapshots();
    const snapshots = async () => kept;
    const store = new MemoryChatStore();
    const chat = new ChatController(chatDependencies({ snapshots, store, streamModel: endless }));
    const loaded = { dependencies: deps } as unknown as WorkspaceTools;
    const { told, notifications } = recordedNotifications();
    const host = new ReviewHost({
      ...{ chat, snapshots, tools: async () => loaded, memory: { fileMoves: [] } },
      notifications,
    });
    disposables.push(host, chat);
    const [session] = chat.sessions;
    assert.ok(session);
    /** Edits it again, in a turn of its own. */
    const edit = async (id: string, ...more: Change[]) => {
      const journal = new MemoryJournal(kept);
      for (const [oldText, newText] of more)
        await call('edit_file', { path, replacements: [{ oldText, newText }] }, journal);
      session.record({ type: 'userMessageAdded', id: `u${id}`, text: 'Edit it' });
      session.record({ type: 'editsMade', id: `e${id}`, edits: journal.edits });
    };
    await edit('', ...changes);
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
    /** Plays another window, whose turn begins or ends. */
    const runElsewhere = async (isRunning: boolean) => {
      store.isRunningElsewhere = () => isRunning;
      await session.windows.update();
    };
    return {
      ...{ chat, session, store, kept, told, path, uri, document, editor },
      ...{ host, edit, press, titles, type, runElsewhere },
    };
  }

  afterEach(async () => {
    for (const each of disposables.splice(0)) each.dispose();
    excluded.length = 0;
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uriOf('scratch'), { recursive: true });
  });

  return { before, call, disposables, edited, excluded, uriOf };
}
