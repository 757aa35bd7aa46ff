import assert from 'node:assert/strict';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation } from '../../../src/chat/conversation/conversation.ts';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import { silentLog } from '../../support/silentLog.ts';
import { inLittleRoom, twoWindows } from '../../support/twoWindows.ts';
import { discardChat, purgeChats, restoreChat } from '../../../src/chat/store/discardedChats.ts';
import { FileChatStore } from '../../../src/chat/store/fileChatStore.ts';

const said = (id: string, text: string): ChatEvent => ({ type: 'userMessageAdded', id, text });

describe('FileChatStore', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-chats-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = (at = folder) => {
    const failures: unknown[] = [];
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    return { store: new FileChatStore(at, (error) => failures.push(error), log), failures, warnings };
  };

  it('gives back what it was given, in order, with deltas joined', async () => {
    const { store } = open(join(folder, 'not', 'there', 'yet'));
    store.append('a', said('1', 'Zeile\n„zwei“ 你好'));
    store.append('a', { type: 'answerStarted', id: '2', model: 'm' });
    store.append('b', said('3', 'other'));
    for (const text of ['H', 'i', '!']) store.append('a', { type: 'textAdded', id: '2', text });
    store.append('a', { type: 'answerEnded', id: '2', end: { reason: 'answered' } });
    assert.deepEqual(await store.load('a'), [
      said('1', 'Zeile\n„zwei“ 你好'),
      { type: 'answerStarted', id: '2', model: 'm' },
      { type: 'textAdded', id: '2', text: 'Hi!' },
      { type: 'answerEnded', id: '2', end: { reason: 'answered' } },
    ]);
    assert.deepEqual(await store.load('b'), [said('3', 'other')]);
    const soFar = { type: 'textAdded', id: '4', text: 'So f' } as const;
    store.append('b', soFar);
    assert.deepEqual(await store.load('b'), [said('3', 'other'), soFar], 'text of the moment');
  });

  it('does not write an answer more often because its file is watched', async () => {
    const { store } = open();
    const file = () => readFile(join(folder, 'a.jsonl'), 'utf8');
    store.append('a', { type: 'answerStarted', id: '1', model: 'm' });
    await store.flush();
    const before = await file();
    store.append('a', { type: 'textAdded', id: '1', text: 'Hi' });
    assert.deepEqual(await store.newsOf('a'), { events: [], isMixed: false });
    assert.equal(await file(), before);
    const other = open().store;
    other.append('a', said('2', 'Hello'));
    await other.flush();
    assert.deepEqual((await store.newsOf('a')).events, [said('2', 'Hello')]);
  });

  it('says where its own lines and those of another window are mixed', async () => {
    const [{ store: here }, { store: there }] = [open(), open()];
    here.append('a', said('1', 'Here'));
    await here.flush();
    there.append('a', said('2', 'There'));
    await there.flush();
    here.append('a', said('3', 'Here again'));
    await here.flush();
    assert.deepEqual(await here.newsOf('a'), { events: [said('2', 'There')], isMixed: true });
    there.append('a', said('4', 'There again'));
    await there.flush();
    assert.deepEqual(await here.newsOf('a'), { events: [said('4', 'There again')], isMixed: false });
  });

  it('says that a chat was replaced by a shorter one', async () => {
    const { store } = open();
    store.append('a', said('1', 'Hello'));
    store.append('a', said('2', 'Again'));
    await store.flush();
    await writeFile(join(folder, 'a.jsonl'), `${JSON.stringify(said('1', 'Hello'))}\n`);
    await assert.rejects(store.newsOf('a'), { code: 'storage', message: /deleted in another window/ });
  });

  it('knows no chat that was never written', async () => {
    assert.equal(await open().store.load('none'), undefined);
  });

  it('says why a chat that is there cannot be read', async () => {
    const { store } = open();
    await mkdir(join(folder, 'folder.jsonl'));
    await symlink('loop.jsonl', join(folder, 'loop.jsonl'));
    // Reading address 0 of its memory is an input/output error on Linux.
    await symlink('/proc/self/mem', join(folder, 'broken.jsonl'));
    for (const [chatId, systemError] of [
      ['folder', /EISDIR/],
      ['loop', /ELOOP/],
      ['broken', /EIO/],
      ['x'.repeat(300), /ENAMETOOLONG/],
    ] as const) {
      await assert.rejects(store.load(chatId), { code: 'storage', systemError }, chatId);
      await assert.rejects(store.loadEnd(chatId), { code: 'storage', systemError }, chatId);
    }
  });

  it('passes over a line that is longer than memory, from both sides', async () => {
    const { store } = open();
    store.append('a', said('1', 'before'));
    await store.flush();
    const file = join(folder, 'a.jsonl');
    await truncate(file, 300 * 1024 ** 2);
    store.append('a', said('2', 'after'));
    assert.deepEqual(await store.load('a'), [said('1', 'before'), said('2', 'after')]);
    assert.deepEqual((await store.loadEnd('a'))?.events, [said('1', 'before'), said('2', 'after')]);
  });

  it('opens a long chat from its end, and loads the rest when it is wanted', async () => {
    const { store } = open();
    const turns = Array.from({ length: 200 }, (_, number): ChatEvent[] => [
      { type: 'settingsRepeated', modeId: 'ask', approvals: 'askFirst', bases: [] },
      said(`u${number}`, 'x'.repeat(5000)),
      { type: 'answerStarted', id: `a${number}`, model: 'm' },
      { type: 'textAdded', id: `a${number}`, text: `Änderung ${number}` },
      { type: 'answerEnded', id: `a${number}`, end: { reason: 'answered' } },
    ]).flat();
    for (const event of turns) store.append('a', event);
    await store.flush();
    const end = (await store.loadEnd('a')) ?? assert.fail('It is there.');
    assert.ok(end.events.length < 200, `${end.events.length} events`);
    store.append('a', said('new', 'Said meanwhile'));
    await store.flush();
    assert.deepEqual([...((await end.earlier?.()) ?? []), ...end.events], turns);
    assert.equal(end.isEarlierWanted, true, 'it is little');
    assert.equal(await store.loadEnd('none'), undefined);
    store.append('b', said('1', 'Hello'));
    assert.deepEqual(await store.loadEnd('b'), { events: [said('1', 'Hello')] });
    await rm(join(folder, 'a.jsonl'));
    await assert.rejects(end.earlier?.() ?? Promise.resolve(), { code: 'storage', systemError: /ENOENT/ });
  });

  it('leaves the beginning of a huge chat unread, unless it has to say which model goes on', async () => {
    const { store } = open();
    const settings: ChatEvent = { type: 'settingsRepeated', approvals: 'askFirst', bases: [] };
    for (const [id, later] of [
      ['told', [settings]],
      ['untold', []],
    ] as const) {
      store.append(id, settings);
      const say = (turn: string, text: string) => {
        store.append(id, said(`u${turn}`, text));
        store.append(id, { type: 'answerStarted', id: `a${turn}`, model: 'm' });
        store.append(id, { type: 'answerEnded', id: `a${turn}`, end: { reason: 'answered' } });
      };
      for (let turn = 0; turn < 20; turn++) say(`${turn}`, 'x'.repeat(1_000_000));
      for (let turn = 20; turn < 200; turn++) say(`${turn}`, 'Hello');
      for (const event of later) store.append(id, event);
      say('last', 'Bye');
      assert.equal((await store.loadEnd(id))?.isEarlierWanted, id === 'untold');
    }
  });

  it('opens a long chat from its end over lines that cannot be read, whatever stood in them', async () => {
    const turns = Array.from({ length: 400 }, (_, number): ChatEvent[] => [
      { type: 'settingsRepeated', modeId: 'ask', approvals: 'askFirst', bases: [] },
      said(`u${number}`, `Question ${number}`),
      { type: 'answerStarted', id: `a${number}`, model: 'm' },
      { type: 'textAdded', id: `a${number}`, text: `Answer ${number}` },
      { type: 'answerEnded', id: `a${number}`, end: { reason: 'answered' } },
      ...(number === 395 ? [{ type: 'branchDeleted' as const, fromId: 'u394' }] : []),
    ]).flat();
    const lineOf = (sought: (event: ChatEvent) => boolean) => turns.findIndex(sought);
    for (const [chatId, broken] of [
      ['answer', [lineOf((event) => event.type === 'answerStarted' && event.id === 'a398')]],
      ['deleted', [lineOf((event) => event.type === 'userMessageAdded' && event.id === 'u394')]],
      ['end', [turns.length - 1]],
      ['many', turns.flatMap((event, at) => (event.type === 'answerStarted' && at % 3 === 0 ? [at] : []))],
    ] as const) {
      const lines = turns.map((event, at) => {
        const line = JSON.stringify(event);
        return broken.includes(at) ? line.slice(0, -5) : line;
      });
      await writeFile(join(folder, `${chatId}.jsonl`), `${lines.join('\n')}\n`);
      const { store, warnings } = open();
      const end = (await store.loadEnd(chatId)) ?? assert.fail('It is there.');
      assert.ok(end.events.length < 600, `${chatId}: ${end.events.length} events`);
      assert.match(
        warnings.join(),
        new RegExp(`^Conversation ${chatId}: \\d+ of \\d+ lines cannot be read$`),
      );
      const all = [...((await end.earlier?.()) ?? []), ...end.events];
      const readable = turns.filter((_, at) => !broken.includes(at));
      assert.deepEqual(all, readable);
      const shown = (events: readonly ChatEvent[]) => new Conversation(chatId, events).all.slice(-20);
      assert.deepEqual(shown(end.events), shown(readable));
    }
  });

  it('loses at most a torn last line, and not the line after it', async () => {
    const first = open().store;
    first.append('a', said('1', 'whole'));
    first.append('a', said('2', 'torn'));
    await first.flush();
    const file = join(folder, 'a.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, -8));

    const { store, warnings } = open();
    store.append('a', said('3', 'after'));
    assert.deepEqual(await store.load('a'), [said('1', 'whole'), said('3', 'after')]);
    assert.deepEqual(warnings, ['Conversation a: 1 of 3 lines cannot be read']);
  });

  it('leaves out lines that are not its own, and says how many', async () => {
    const { store, warnings } = open();
    store.append('a', said('1', 'mine'));
    await store.flush();
    await appendFile(join(folder, 'a.jsonl'), '{"type":"evil"}\nnot json\n[]\n');
    assert.deepEqual(await store.load('a'), [said('1', 'mine')]);
    assert.deepEqual(warnings, ['Conversation a: 3 of 4 lines cannot be read']);
  });

  it('says once that it cannot write, and writes all of it when it can', async () => {
    const blocked = join(folder, 'file');
    await writeFile(blocked, '');
    const { store, failures } = open(blocked);
    store.append('a', said('1', 'first'));
    store.append('a', said('2', 'second'));
    await store.flush();
    assert.equal(failures.length, 1);
    await rm(blocked);
    store.append('a', said('3', 'third'));
    assert.deepEqual(await store.load('a'), [said('1', 'first'), said('2', 'second'), said('3', 'third')]);
    assert.equal(failures.length, 1);

    await symlink('/dev/full', join(blocked, 'b.jsonl'));
    store.append('b', said('4', 'fourth'));
    await store.flush();
    assert.equal(failures.length, 2, 'another failure is news');
  });

  it('keeps in the window what does not fit on the disk', async () => {
    const { store, failures } = open();
    await symlink('/dev/full', join(folder, 'a.jsonl'));
    store.append('a', said('1', 'no room'));
    await store.flush();
    assert.match(String(failures), /ENOSPC/);
    store.append('b', said('2', 'elsewhere'));
    assert.deepEqual(await store.load('b'), [said('2', 'elsewhere')]);
    assert.deepEqual(await open().store.load('b'), [said('2', 'elsewhere')], 'it holds up no other');
    await rm(join(folder, 'a.jsonl'));
    assert.deepEqual(await store.load('a'), [said('1', 'no room')]);
  });

  it('does not lose what comes after a line that a full disk has cut short', async () => {
    await assert.rejects(inLittleRoom('say', folder), /EFBIG/);
    assert.ok((await readFile(join(folder, 'chat.jsonl'))).length > 0);
    const { store } = open();
    store.append('chat', said('1', 'after'));
    assert.deepEqual(await store.load('chat'), [said('1', 'after')]);
  });

  it('deletes a chat for good, also one that could not be written', async () => {
    const { store } = open();
    await symlink('/dev/full', join(folder, 'a.jsonl'));
    store.append('a', said('1', 'secret'));
    await discardChat(store, folder, 'a');
    await purgeChats(folder, { chatId: 'a' });
    await discardChat(store, folder, 'a');
    store.append('b', said('2', 'other'));
    await store.flush();
    assert.deepEqual(await readdir(folder), ['b.jsonl']);
  });

  it('brings a deleted chat back until it is deleted for good', async () => {
    const { store } = open();
    store.append('a', said('1', 'kept'));
    store.append('b', said('2', 'not deleted'));
    await discardChat(store, folder, 'a');
    assert.equal(await store.loadEnd('a'), undefined);
    assert.deepEqual(await purgeChats(folder, { olderThanMs: 60_000 }), []);
    assert.equal(await restoreChat(folder, 'a'), true);
    assert.deepEqual(await store.load('a'), [said('1', 'kept')]);
    await discardChat(store, folder, 'a');
    assert.deepEqual(await purgeChats(folder, { olderThanMs: -1 }), ['a']);
    assert.equal(await restoreChat(folder, 'a'), false);
    assert.deepEqual(await readdir(folder), ['b.jsonl']);
  });

  it('does not delete a chat that runs in another window', async () => {
    const { store } = open();
    store.append('a', said('1', 'kept'));
    const turn = open().store.beginTurn('a');
    await assert.rejects(discardChat(store, folder, 'a'), /running in another window/);
    await turn?.release();
    await discardChat(store, folder, 'a');
    assert.equal(await store.load('a'), undefined);
  });

  it('keeps every line whole where two windows write to one chat', async () => {
    await twoWindows('chat', folder);
    const { store, warnings } = open();
    const events = (await store.load('chat')) ?? [];
    assert.deepEqual(warnings, []);
    for (const window of ['a', 'b']) {
      const ids = events.flatMap((event) =>
        event.type === 'userMessageAdded' && event.id[0] === window ? event.id : [],
      );
      assert.deepEqual(
        ids,
        Array.from({ length: window === 'a' ? 2 : ids.length }, (_, number) => `${window}${number}`),
      );
    }
  });
});
