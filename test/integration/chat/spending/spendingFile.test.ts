import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpendingFile } from '../../../../src/chat/spending/spendingFile.ts';

describe('what this machine spends', () => {
  let folder: string;
  let now: Date;
  const openFile = () => new SpendingFile(join(folder, 'spending'), () => now);
  const dollars = (amount: number) => ({ tokens: 10, money: { amount, currency: 'USD' } });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
    now = new Date(2026, 2, 5, 12);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is what all windows note, of each request the newest line', async () => {
    const [here, there] = [openFile(), openFile()];
    assert.deepEqual(await here.today(), { tokens: 0, money: new Map(), allowed: new Set() });
    const first = here.begin('a');
    await here.note(first, dollars(2));
    assert.equal((await there.today()).money.get('USD'), 2);
    await there.note(there.begin('b'), { tokens: 5, money: { amount: 3, currency: 'CNY' } });
    await here.note(first, dollars(0.5));
    await here.allow('budget');
    for (const each of [here, there, openFile()]) {
      assert.deepEqual(await each.today(), {
        tokens: 15,
        money: new Map([
          ['USD', 0.5],
          ['CNY', 3],
        ]),
        allowed: new Set(['budget']),
      });
    }
  });

  it('passes over lines that are torn, or no amounts', async () => {
    const file = openFile();
    await file.note(file.begin('a'), dollars(1));
    await appendFile(
      join(folder, 'spending', '2026-03-05.jsonl'),
      [
        '{"id":"b","tokens":-5}',
        '{"id":"c","tokens":1,"money":{"amount":"9","currency":"USD"}}',
        '{"id":"f","tokens":1,"money":{"amount":-9,"currency":"USD"}}',
        '{"id":"d","tok',
      ].join('\n'),
    );
    await file.note(file.begin('e'), dollars(1));
    const { tokens, money } = await file.today();
    assert.deepEqual([tokens, money.get('USD')], [20, 2]);
  });

  it('takes a line that another window is still writing for what it becomes', async () => {
    const file = openFile();
    await file.note(file.begin('a'), dollars(1));
    const path = join(folder, 'spending', '2026-03-05.jsonl');
    await appendFile(path, '{"id":"b","tokens":5,"mon');
    assert.equal((await file.today()).tokens, 10);
    await appendFile(path, 'ey":{"amount":4,"currency":"USD"}}\n');
    assert.equal((await file.today()).money.get('USD'), 5);
  });

  it('is still known where its file was removed and begun anew', async () => {
    const file = openFile();
    await file.note(file.begin('a'), dollars(1));
    await file.note(file.begin('b'), dollars(1));
    assert.equal((await file.today()).tokens, 20);
    await writeFile(join(folder, 'spending', '2026-03-05.jsonl'), '{"id":"c","tokens":5}\n');
    assert.equal((await file.today()).tokens, 20);
  });

  it("begins at nothing with each day of the user's clock", async () => {
    const file = openFile();
    now = new Date(2026, 2, 5, 23, 59);
    const late = file.begin('late');
    await file.note(late, dollars(1));
    await file.allow('budget');
    assert.equal((await file.today()).tokens, 10);
    now = new Date(2026, 2, 6, 0, 1);
    assert.deepEqual(await file.today(), { tokens: 0, money: new Map(), allowed: new Set() });
    // A request counts for the day on which it began.
    await file.note(late, dollars(7));
    assert.deepEqual((await file.today()).money, new Map());
  });

  it('is kept no longer than needed', async () => {
    const file = openFile();
    for (const day of [5, 6, 7]) {
      now = new Date(2026, 2, day, 12);
      await file.note(file.begin('a'), dollars(1));
    }
    assert.deepEqual(await readdir(join(folder, 'spending')), ['2026-03-06.jsonl', '2026-03-07.jsonl']);
  });

  it('leaves what is no day of it', async () => {
    const file = openFile();
    await file.note(file.begin('a'), dollars(1));
    await writeFile(join(folder, 'spending', '2026-01-01.txt'), '');
    await writeFile(join(folder, 'spending', '2026-01-02.txt'), '');
    now = new Date(2026, 2, 6, 12);
    await file.note(file.begin('b'), dollars(1));
    assert.equal((await readdir(join(folder, 'spending'))).length, 4);
  });

  it('is not taken for nothing where it cannot be read', async () => {
    const file = openFile();
    await file.note(file.begin('a'), dollars(1));
    const path = join(folder, 'spending', '2026-03-05.jsonl');
    await rm(path);
    await symlink('2026-03-05.jsonl', path);
    await assert.rejects(file.today(), { code: 'ELOOP' });
  });
});
