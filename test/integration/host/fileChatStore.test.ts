import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/chat/events.ts';
import { FileChatStore } from '../../../src/host/fileChatStore.ts';

const said = (id: string, text: string): ChatEvent => ({ type: 'userMessageAdded', id, text });

describe('FileChatStore', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-chats-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = (at = folder) => {
    const failures: unknown[] = [];
    return { store: new FileChatStore(at, (error) => failures.push(error)), failures };
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
  });

  it('knows no chat that was never written', async () => {
    assert.equal(await open().store.load('none'), undefined);
  });

  it('says why a chat that is there cannot be read', async () => {
    await mkdir(join(folder, 'a.jsonl'));
    await assert.rejects(open().store.load('a'), { code: 'storage', why: /EISDIR/ });
  });

  it('loses at most a torn last line, and not the line after it', async () => {
    const first = open().store;
    first.append('a', said('1', 'whole'));
    first.append('a', said('2', 'torn'));
    await first.flush();
    const file = join(folder, 'a.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, -8));

    const second = open().store;
    assert.deepEqual(await second.load('a'), [said('1', 'whole')]);
    second.append('a', said('3', 'after'));
    assert.deepEqual(await second.load('a'), [said('1', 'whole'), said('3', 'after')]);
  });

  it('reads what 0.1.0 wrote', async () => {
    const attachment = { kind: 'file', label: 'secret.env' };
    const refused = { ...attachment, refusal: { forModel: 'No.', forPerson: 'Excluded.' } };
    const lines = [
      { type: 'userSaid', id: '1', text: 'old', attachments: [attachment, refused] },
      { type: 'userSaid', id: '2', text: 'older' },
    ];
    await writeFile(join(folder, 'a.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const refusal = { forModel: 'No.', forUser: 'Excluded.' };
    assert.deepEqual(await open().store.load('a'), [
      { ...said('1', 'old'), attachments: [attachment, { ...attachment, refusal }] },
      said('2', 'older'),
    ]);
  });

  it('leaves out lines that are not its own', async () => {
    const { store } = open();
    store.append('a', said('1', 'mine'));
    await store.flush();
    await appendFile(join(folder, 'a.jsonl'), '{"type":"evil"}\nnot json\n[]\n');
    assert.deepEqual(await store.load('a'), [said('1', 'mine')]);
  });

  it('says once that it cannot write, and once more after it could', async () => {
    const blocked = join(folder, 'file');
    await writeFile(blocked, '');
    const { store, failures } = open(blocked);
    store.append('a', said('1', 'lost'));
    store.append('a', said('2', 'lost'));
    await store.flush();
    assert.equal(failures.length, 1);
    await rm(blocked);
    store.append('a', said('3', 'kept'));
    assert.deepEqual(await store.load('a'), [said('3', 'kept')]);
  });
});
