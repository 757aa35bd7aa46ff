import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/emitter.ts';
import { ChatController } from '../../src/chat/chatController.ts';
import { UnseenTurns, type UnseenRecord } from '../../src/chat/session/unseenTurns.ts';
import type { ChatEvent } from '../../src/chat/store/events.ts';
import { FileChatStore } from '../../src/chat/store/fileChatStore.ts';
import { DetailsFile } from '../../src/history/conversationDetails.ts';
import { fromJson, toJson } from '../../src/history/exportedChat.ts';
import type { HistoryEntry, HistorySource } from '../../src/history/historySource.ts';
import { savedChatSource } from '../../src/history/savedChatSource.ts';
import { deleteWithUndo } from '../../src/host/history/deleteWithUndo.ts';
import { HistoryCommands, type HistoryCommandsDependencies } from '../../src/host/history/historyCommands.ts';
import { HistoryTree, type HistoryNode } from '../../src/host/history/historyTree.ts';
import { showHistory } from '../../src/host/history/historyPicker.ts';
import { PanelNotices } from '../../src/panel/panelNotices.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { silentLog } from '../support/silentLog.ts';
import { withPerson } from './person.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';

describe('History', () => {
  it('shows while it is open that a conversation asks, and that it ended', async () => {
    const changes = new Emitter<void>();
    let activity: HistoryEntry['activity'] = 'running';
    const entry: HistoryEntry = {
      id: 'tides',
      title: 'Tides',
      get activity() {
        return activity;
      },
      open: async () => true,
      delete: async () => {},
    };
    const source: HistorySource = {
      name: 'On this machine',
      onDidChange: changes.event,
      load: async () => ({ entries: [entry] }),
    };
    const rows: unknown[] = [];
    const become = (next: HistoryEntry['activity']) => {
      activity = next;
      changes.fire();
    };
    await withPerson(
      {
        lists: [
          async (list) => {
            const look = async () => {
              const { label, description } = await list.item('Tides');
              rows.push([label, description]);
            };
            await look();
            for (const next of ['asking', 'done', undefined] as const) {
              become(next);
              await look();
            }
            list.dismiss();
          },
        ],
      },
      () => showHistory(new Notifications(silentLog), [source]),
    );
    assert.deepEqual(rows, [
      ['$(loading~spin) Tides', 'Running'],
      ['$(bell) Tides', 'Needs approval'],
      ['$(circle-filled) Tides', 'New answer'],
      ['Tides', ''],
    ]);
  });

  it('renames and deletes by the buttons of a row, stays open, and has back what is undone', async () => {
    const done: string[] = [];
    const entry: HistoryEntry = {
      ...{ id: 'tides', title: 'Tides', open: async () => true },
      rename: async (title) => void done.push(`renamed ${title}`),
      delete: async () => void done.push('deleted'),
      restore: async () => done.push('restored') > 0,
    };
    const source: HistorySource = {
      name: 'On this machine',
      load: async () => ({ entries: [entry, { ...entry, id: 'locks', title: 'Locks' }] }),
    };
    const notices = new PanelNotices();
    const notifications = new Notifications(silentLog);
    const view = { isVisible: true, onDidChangeVisibility: () => ({ dispose() {} }) };
    notifications.panel = { notices, view };
    let left: string[] = [];
    let opened: string | undefined;
    await withPerson(
      {
        types: [' Harbours '],
        lists: [
          (list) => list.press('Tides', 'Rename'),
          (list) => list.press('Harbours', 'Delete'),
          async (list) => {
            left = [...list.labels];
            notices.answer(notices.all[0]?.id ?? '', 'Undo');
            await list.accept('Harbours');
          },
        ],
      },
      async () => (opened = await showHistory(notifications, [source])),
    );
    assert.deepEqual(done, ['renamed Harbours', 'deleted', 'restored']);
    assert.deepEqual([left, opened], [['Locks'], 'tides']);
  });

  it('says that a conversation exists no longer, takes it from the list and stays open', async () => {
    const entry = (title: string, isThere: boolean): HistoryEntry => ({
      ...{ id: title, title, open: async () => isThere, delete: async () => {} },
    });
    const source: HistorySource = {
      name: 'On this machine',
      load: async () => ({ entries: [entry('Deleted', false), entry('Kept', true)] }),
    };
    let left: string[] = [];
    let opened: string | undefined;
    const asked = await withPerson(
      {
        lists: [
          (list) => list.accept('Deleted'),
          async (list) => {
            left = [...list.labels];
            await list.accept('Kept');
          },
        ],
      },
      async () => (opened = await showHistory(new Notifications(silentLog), [source])),
    );
    assert.deepEqual([left, opened], [['Kept'], 'Kept']);
    assert.ok(asked.some(({ text }) => text.startsWith('The conversation "Deleted" no longer exists.')));
  });

  it('finds what is typed in the texts of conversations, ends a search with the next key, and opens where it was found', async () => {
    const asked: string[] = [];
    const revealed: unknown[] = [];
    const entry = (title: string): HistoryEntry => ({
      ...{ id: title, title, open: async () => true, delete: async () => {} },
      reveal: async ({ itemId, text }) => void revealed.push([title, itemId, text]),
    });
    const source: HistorySource = {
      name: 'On this machine',
      load: async () => ({ entries: [entry('Tides'), entry('Locks')] }),
      async *search(text, signal) {
        asked.push(text);
        if (text === 'harb') await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield { id: 'Locks', itemId: 'left', excerpt: `… the ${text} …` };
      },
    };
    let detail: string | undefined;
    let labels: readonly string[] = [];
    let named: readonly string[] = [];
    await withPerson(
      {
        lists: [
          async (list) => {
            await list.item('Tides');
            list.type('t');
            named = list.labels;
            list.type('harb');
            list.type('harbour');
            ({ detail } = await list.item('Locks'));
            ({ labels } = list);
            await list.accept('Locks');
          },
        ],
      },
      () => showHistory(new Notifications(silentLog), [source]),
    );
    assert.deepEqual(
      { asked, named, labels, detail },
      { asked: ['harb', 'harbour'], named: ['Tides'], labels: ['Locks'], detail: '… the harbour …' },
      'what does not fit is not in the list',
    );
    assert.deepEqual(revealed, [['Locks', 'left', 'harbour']], 'it opens where that was found');
  });
});

describe('the view of conversations', () => {
  let folder: string;
  let tree: HistoryTree;
  let store: FileChatStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
    store = new FileChatStore(folder, (error) => assert.fail(String(error)), silentLog);
    const chat = new ChatController(chatDependencies({ store }));
    const details = new DetailsFile(join(folder, 'details'));
    const unseen = { all: {}, forget() {}, onDidChange: new Emitter<void>().event };
    const nameOf = (id: string) => `Model ${id}`;
    const source = savedChatSource({
      folder,
      store,
      chat,
      details,
      unseen,
      nameOf,
      show: async () => true,
      leaveVersion: async () => true,
      reveal: async () => {},
    });
    tree = new HistoryTree(async () => source);
    for (const id of ['a', 'b']) {
      store.append(id, { type: 'userMessageAdded', id: 'u', text: `Hello ${id}` });
      store.append(id, { type: 'answerStarted', id: 'x', model: id });
    }
  });
  afterEach(async () => {
    tree.dispose();
    await store.flush();
    await rm(folder, { recursive: true });
  });

  async function lines(): Promise<string[]> {
    const groups = await tree.getChildren();
    const below = await Promise.all(groups.map((node) => tree.getChildren(node)));
    const text = (node: HistoryNode) => {
      const { label, description } = tree.getTreeItem(node);
      return `${typeof label === 'string' ? label : ''} | ${String(description).replace(/ ·.*/, '')}`;
    };
    return groups.flatMap((node, at) => [text(node), ...(below[at] ?? []).map((each) => `  ${text(each)}`)]);
  }
  const find = (title: string) =>
    tree.entries.find((entry) => entry.title === title) ?? assert.fail(`${title} is not listed`);

  it('groups them, keeps names and pins, and shows what a filter lets through', async () => {
    assert.deepEqual((await lines()).toSorted(), ['  Hello a | Model a', '  Hello b | Model b', 'Today | 2']);
    await find('Hello a').rename?.('Tides');
    await find('Hello a').pin?.(true);
    assert.deepEqual(await lines(), ['Pinned | 1', '  Tides | Model a', 'Today | 1', '  Hello b | Model b']);
    tree.setFilter({ by: ['Model b'] });
    assert.deepEqual(await lines(), ['Filtered: 1 of 2 | undefined', 'Today | 1', '  Hello b | Model b']);
    tree.setFilter(undefined);
    assert.equal((await lines()).length, 4);
  });

  it('tells how long ago each was used, and the exact time in its tooltip', async () => {
    await lines();
    const [group] = await tree.getChildren();
    const [first] = await tree.getChildren(group);
    const item = tree.getTreeItem(first ?? assert.fail('no conversation'));
    assert.match(String(item.description), /^Model [ab] · now$/);
    assert.ok(typeof item.tooltip === 'string');
    assert.match(item.tooltip, new RegExp(`· .*${new Date().getFullYear()}`));
  });

  it('stays a list where there is no conversation, so that the focus stays in it', async () => {
    await lines();
    for (const title of ['Hello a', 'Hello b']) await find(title).delete();
    assert.deepEqual(await lines(), ['No conversations yet. | New Chat']);
    const [none] = await tree.getChildren();
    assert.equal(none && tree.getTreeItem(none).command?.command, 'switchboard.newChat');
  });

  it('shows the branches of the open conversation below it', async () => {
    const branch = (id: string, isShown: boolean, isSplit = false) => ({
      ...{ id, label: `Branch ${id}`, isShown, isSplit },
    });
    const gone: string[] = [];
    const entry: HistoryEntry = {
      ...{
        id: 'open',
        title: 'Open',
        updatedAtMs: Date.now(),
        open: async () => true,
        delete: async () => {},
      },
      branches: (id) =>
        id === undefined ? [branch('a', false), branch('b', true, true)] : [branch('c', true)],
      goTo: async (id) => gone.push(id) > 0,
    };
    const split = new HistoryTree(async () => ({ name: '', load: async () => ({ entries: [entry] }) }));
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const below = async (node?: HistoryNode) => {
      const nodes = await split.getChildren(node);
      return nodes.map((each) => ({ node: each, item: split.getTreeItem(each) }));
    };
    const [group] = await below();
    const [conversation] = await below(group?.node);
    assert.equal(conversation?.item.collapsibleState, Collapsed);
    const branches = await below(conversation.node);
    assert.deepEqual(
      branches.map(({ item }) => [item.label, item.accessibilityInformation?.label, item.collapsibleState]),
      [
        ['Branch a', 'Branch a', None],
        ['Branch b', 'Branch b, Shown', Expanded],
      ],
    );
    const [deep] = await below(branches[1]?.node);
    assert.equal(deep?.item.label, 'Branch c');
    assert.equal(split.getParent(deep.node), branches[1]?.node);
    // Run directly, as a command run by a test would get a copy of the line.
    const commands = new HistoryCommands({} as HistoryCommandsDependencies);
    assert.equal(await commands.runOnTree('open', deep.item.command?.arguments ?? []), true);
    assert.deepEqual(gone, ['c']);
    split.dispose();
  });

  it('renames the conversation of a line, and leaves its name if that is cancelled', async () => {
    const names: string[] = [];
    const entry: HistoryEntry = {
      ...{ id: 'tides', title: 'Tides', open: async () => true, delete: async () => {} },
      rename: async (title) => void names.push(title),
    };
    const notifications = new Notifications(silentLog);
    const commands = new HistoryCommands({ notifications } as HistoryCommandsDependencies);
    const results: unknown[] = [];
    const rename = async () =>
      results.push(await commands.runOnTree('rename', [{ type: 'conversation', entry }]));
    const asked = await withPerson({}, rename);
    assert.deepEqual(asked, [{ kind: 'input', text: 'Rename Conversation' }]);
    await withPerson({ types: [' Harbours '] }, rename);
    assert.deepEqual([results, names], [[undefined, true], ['Harbours']]);
    commands.dispose();
  });

  it('marks all as read', async () => {
    const turn = { outcome: 'done', title: 'Tides' } as const;
    const memory: { unseenTurns: UnseenRecord } = { unseenTurns: { a: turn, b: turn } };
    const nothing = () => ({ dispose() {} });
    const sights = { of: () => 'hidden' as const, onDidChange: nothing };
    const unseen = new UnseenTurns({ onDidEndTurn: nothing }, sights, memory);
    const commands = new HistoryCommands({ unseen } as unknown as HistoryCommandsDependencies);
    assert.equal(await commands.runOnTree('markAllRead', []), true);
    assert.deepEqual(memory.unseenTurns, {});
  });

  it('brings a deleted conversation back with Undo', async () => {
    await lines();
    let changes = 0;
    const entry = find('Hello a');
    const asked = await withPerson({ answers: ['Undo'] }, async () => {
      assert.equal(await deleteWithUndo(new Notifications(silentLog), entry, () => changes++), true);
      await eventuallyEqual(() => Promise.resolve(changes), 2);
    });
    assert.deepEqual(
      asked.map(({ text, buttons }) => [text, buttons]),
      [['Deleted "Hello a".', ['Undo']]],
    );
    assert.equal((await lines()).length, 3);
  });
});

describe('exporting and importing', () => {
  it('writes the conversation that is open, and opens of what was imported the text alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
    const [first, second, text] = ['first.json', 'second.json', 'text.md'].map((name) =>
      vscode.Uri.file(join(folder, name)),
    );
    const events: ChatEvent[] = [
      { type: 'userMessageAdded', id: 'u', text: 'When is high tide?' },
      { type: 'answerStarted', id: 'a', model: 'm' },
      { type: 'textAdded', id: 'a', text: 'At six.' },
      { type: 'answerEnded', id: 'a', end: { reason: 'answered' } },
    ];
    const acting: ChatEvent[] = [
      { type: 'approvalsSelected', level: 'editsAllowed' },
      { type: 'editsMade', id: 'e', edits: [{ path: 'notes.md', realPath: '/evil/tasks.json' }] },
      { type: 'messageQueued', id: 'q', text: 'Create evil' },
    ];
    await writeFile(first!.fsPath, toJson({ title: 'Tides', events: [...acting, ...events] }));
    assert.match(
      String(await vscode.commands.executeCommand('switchboard.importChat', first)),
      /^[0-9a-f-]{36}$/,
    );
    await vscode.commands.executeCommand('switchboard.exportChat', second);
    const textsOf = async (uri: vscode.Uri | undefined) => {
      let ids = 0;
      return fromJson(await readFile(uri!.fsPath, 'utf8'), () => `${++ids}`);
    };
    assert.deepEqual(await textsOf(second), await textsOf(first));
    assert.doesNotMatch(await readFile(second!.fsPath, 'utf8'), /approvalsSelected|editsMade|evil/);
    await vscode.commands.executeCommand('switchboard.exportChat', text);
    assert.equal(
      await readFile(text!.fsPath, 'utf8'),
      '# Tides\n\n## You\n\nWhen is high tide?\n\n## m\n\nAt six.\n',
    );
    await vscode.commands.executeCommand('switchboard.newChat');
    await rm(folder, { recursive: true });
  });

  it('tells how many entries of a file it could not read, and opens the others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
    const store = new FileChatStore(folder, (error) => assert.fail(String(error)), silentLog);
    const chat = new ChatController(chatDependencies({ store }));
    const notifications = new Notifications(silentLog);
    const view = { show: async () => {} };
    const commands = new HistoryCommands({
      ...{ store, chat, view, notifications },
    } as unknown as HistoryCommandsDependencies);
    const tides: ChatEvent = { type: 'userMessageAdded', id: 'u', text: 'When is high tide?' };
    const file = vscode.Uri.file(join(folder, 'newer.json'));
    const warnings: string[][] = [];
    for (const newer of [[], [{ type: 'tideTurned' }], [{ type: 'tideTurned' }, 'ebb']]) {
      await writeFile(file.fsPath, toJson({ title: '', events: [tides, ...(newer as ChatEvent[])] }));
      const asked = await withPerson({}, () => commands.run('importChat', [file]));
      warnings.push(asked.map(({ kind, text }) => `${kind}: ${text}`));
      const [item] = chat.shown.conversation.all;
      assert.ok(item?.type === 'user' && item.text === tides.text);
    }
    assert.deepEqual(warnings, [
      [],
      ["warning: 1 entry of the file couldn't be read."],
      ["warning: 2 entries of the file couldn't be read."],
    ]);
    commands.dispose();
    chat.dispose();
    await store.flush();
    await rm(folder, { recursive: true });
  });
});
