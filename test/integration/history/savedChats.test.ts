import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import { FileChatStore } from '../../../src/chat/store/fileChatStore.ts';
import { silentLog } from '../../support/silentLog.ts';
import { listSavedChats } from '../../../src/history/savedChats.ts';

describe('saved chats', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function keep(id: string, events: readonly ChatEvent[], second: number): Promise<void> {
    const path = join(folder, `${id}.jsonl`);
    await writeFile(path, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await utimes(path, second, second);
  }
  const said = (text: string): ChatEvent => ({ type: 'userMessageAdded', id: 'u', text });

  it('are listed newest first, by the first line of what was said and the model that answered', async () => {
    await keep('old', [said('Where is the harbour?\nI am lost.')], 1000);
    await keep(
      'new',
      [
        { type: 'modelSelected', modelId: 'b' },
        said('  When is high tide?'),
        { type: 'answerStarted', id: 'a', model: 'b' },
      ],
      2000,
    );
    assert.deepEqual((await listSavedChats(folder)).chats, [
      { id: 'new', title: 'When is high tide?', model: 'b', updatedAtMs: 2_000_000 },
      { id: 'old', title: 'Where is the harbour?', updatedAtMs: 1_000_000 },
    ]);
  });

  it('are listed, too, where the first that was said is what is to be done inline', async () => {
    const edited: ChatEvent = { type: 'noticed', id: 'n', kind: 'inline-edit', detail: 'Make it "async"' };
    await keep('edited', [{ type: 'modelSelected', modelId: 'b' }, edited], 1000);
    await keep('noticed', [{ ...edited, kind: 'app-cut', detail: '5' }], 2000);
    assert.deepEqual(
      (await listSavedChats(folder)).chats.map(({ id, title }) => [id, title]),
      [['edited', 'Make it "async"']],
    );
  });

  it('leave out what nobody said anything in, and files that are none', async () => {
    await keep('empty', [{ type: 'modelSelected', modelId: 'b' }], 1000);
    await writeFile(join(folder, 'notes.txt'), 'not a chat');
    await writeFile(join(folder, 'torn.jsonl'), '{"type":"userMessageAdded","id":');
    assert.deepEqual(await listSavedChats(folder), { chats: [], unreadable: [] });
    assert.deepEqual(await listSavedChats(join(folder, 'none')), { chats: [], unreadable: [] });
  });

  it('are known by their beginning, however long they are', async () => {
    const filler = Array.from({ length: 3000 }, (): ChatEvent => ({
      type: 'textAdded',
      id: 'a',
      text: 'x'.repeat(50),
    }));
    await keep('long', [said('y'.repeat(500)), ...filler], 1000);
    const [chat] = (await listSavedChats(folder)).chats;
    assert.equal(chat?.title, `${'y'.repeat(119)}…`);
  });

  it('are listed from a few kilobytes of each', async () => {
    const rest = Array.from({ length: 100 }, (_, number): ChatEvent => ({
      ...{ type: 'textAdded', id: 'a', text: `${number}`.repeat(2000) },
    }));
    const beginning: ChatEvent[] = [said('Hello'), { type: 'answerStarted', id: 'a', model: 'b' }];
    for (let number = 0; number < 20; number++) await keep(`${number}`, [...beginning, ...rest], 1000);
    const before = await bytesRead();
    const { chats } = await listSavedChats(folder);
    const read = (await bytesRead()) - before;
    assert.equal(chats.length, 20);
    assert.ok(read < 20 * 8 * 1024, `${read} bytes were read`);
  });

  it('are known by their first message, however long it is with what goes with it', async () => {
    const text = 'Wann ist Flut? „Heute“ 你好\nUnd morgen?';
    const attachments = [
      { kind: 'file' as const, label: 'tides.md', text: 'ä"\\\n'.repeat(200_000) },
      {
        kind: 'image' as const,
        label: 'photo',
        image: { mimeType: 'image/png', data: 'A'.repeat(500_000), bytes: 1 },
      },
    ];
    const store = new FileChatStore(folder, (error) => assert.fail(String(error)), silentLog);
    store.append('long', { type: 'modelSelected', modelId: 'b' });
    store.append('long', { type: 'userMessageAdded', id: 'u', text, attachments });
    store.append('long', { type: 'answerStarted', id: 'a', model: 'b' });
    store.append('wordless', { type: 'userMessageAdded', id: 'u', text: ' ', attachments });
    store.append('late', { type: 'noticed', id: 'n', kind: 'app-inputs', detail: 'é'.repeat(100_000) });
    store.append('late', said('After a long beginning'));
    store.append('endless', said('Zeile '.repeat(50_000)));
    await store.flush();
    const { chats } = await listSavedChats(folder);
    assert.deepEqual(Object.fromEntries(chats.map(({ id, title, model }) => [id, [title, model]])), {
      long: ['Wann ist Flut? „Heute“ 你好', 'b'],
      wordless: ['tides.md', undefined],
      late: ['After a long beginning', undefined],
      endless: [`${'Zeile '.repeat(50).slice(0, 119)}…`, undefined],
    });
  });

  it('have a whole title wherever the first kilobytes of their file end', async () => {
    const noticed = (length: number): ChatEvent => ({
      ...{ type: 'noticed', id: 'n', kind: 'app-inputs', detail: 'x'.repeat(length) },
    });
    const least = `${JSON.stringify(noticed(0))}\n`.length;
    const edit = { id: randomUUID(), kind: 'inline-edit', detail: 'y'.repeat(100) } as const;
    for (const first of [said('y'.repeat(100)), { type: 'noticed', ...edit } as const]) {
      for (let inHead = 0; inHead < 150; inHead++) {
        await keep(`${inHead}`, [noticed(4096 - least - inHead), first], 1000);
      }
      const { chats } = await listSavedChats(folder);
      assert.equal(chats.length, 150);
      for (const { id, title } of chats) assert.equal(title, 'y'.repeat(100), `${id} bytes`);
    }
  });

  it('are closed again when they are listed', async () => {
    for (let number = 0; number < 50; number++) await keep(`${number}`, [said('Hello')], 1000);
    const before = lowestFree();
    await listSavedChats(folder);
    assert.ok(lowestFree() - before < 50);

    function lowestFree(): number {
      const descriptor = openSync(join(folder, '0.jsonl'), 'r');
      closeSync(descriptor);
      return descriptor;
    }
  });

  it('have a title wherever their first message is cut', async () => {
    const text = JSON.stringify(said('a "b" \\ ü 😀 c')).slice(0, -2);
    for (
      let length = '{"type":"userMessageAdded","id":"u","text":"'.length;
      length <= text.length;
      length++
    ) {
      await writeFile(join(folder, 'cut.jsonl'), text.slice(0, length));
      const [chat] = (await listSavedChats(folder)).chats;
      assert.ok(
        chat && 'a "b" \\ ü 😀 c'.startsWith(chat.title.replace(/[\ud800-\udfff\ufffd]$/, '')),
        chat?.title,
      );
    }
  });

  it('are named with what is wrong where they cannot be read', async () => {
    await keep('fine', [said('Hello')], 1000);
    await symlink('loop.jsonl', join(folder, 'loop.jsonl'));
    const { chats, unreadable } = await listSavedChats(folder);
    assert.deepEqual(
      chats.map(({ id }) => id),
      ['fine'],
    );
    assert.equal(unreadable[0]?.id, 'loop');
    assert.match(unreadable[0]?.problem ?? '', /ELOOP/);
    await assert.rejects(listSavedChats(join(folder, 'fine.jsonl')), /ENOTDIR/);
  });
});

async function bytesRead(): Promise<number> {
  return Number(/^rchar: (\d+)/.exec(await readFile('/proc/self/io', 'utf8'))?.[1]);
}
