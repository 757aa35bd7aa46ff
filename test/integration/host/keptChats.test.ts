import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/chat/events.ts';
import { deleteKeptChat, listKeptChats } from '../../../src/host/history/keptChats.ts';

describe('the kept chats', () => {
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
  const said = (text: string): ChatEvent => ({ type: 'userSaid', id: 'u', text });

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
    assert.deepEqual(await listKeptChats(folder), [
      { id: 'new', title: 'When is high tide?', model: 'b', updatedAtMs: 2_000_000 },
      { id: 'old', title: 'Where is the harbour?', updatedAtMs: 1_000_000 },
    ]);
  });

  it('leave out what nobody said anything in, and files that are none', async () => {
    await keep('empty', [{ type: 'modelSelected', modelId: 'b' }], 1000);
    await writeFile(join(folder, 'notes.txt'), 'not a chat');
    await writeFile(join(folder, 'torn.jsonl'), '{"type":"userSaid","id":');
    assert.deepEqual(await listKeptChats(folder), []);
    assert.deepEqual(await listKeptChats(join(folder, 'none')), []);
  });

  it('are known by their beginning, however long they are', async () => {
    const filler = Array.from({ length: 3000 }, (): ChatEvent => ({
      type: 'textAdded',
      id: 'a',
      text: 'x'.repeat(50),
    }));
    await keep('long', [said('y'.repeat(500)), ...filler], 1000);
    const [chat] = await listKeptChats(folder);
    assert.equal(chat?.title, `${'y'.repeat(119)}…`);
  });

  it('can be deleted, also twice', async () => {
    await keep('gone', [said('Hello')], 1000);
    await deleteKeptChat(folder, 'gone');
    await deleteKeptChat(folder, 'gone');
    assert.deepEqual(await listKeptChats(folder), []);
  });
});
