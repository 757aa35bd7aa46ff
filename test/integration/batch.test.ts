import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppEvent, AppRun } from '../../src/apps/app.ts';
import { BatchResults } from '../../src/apps/batch/batchResults.ts';
import { readLines, readTable, type Table } from '../../src/apps/batch/csv.ts';
import { matchColumns, planRows } from '../../src/apps/batch/planBatch.ts';
import { type BatchCounts, rowsToRun, runBatch } from '../../src/apps/batch/runBatch.ts';
import { type ErrorCode, SwitchboardError } from '../../src/base/errors/errors.ts';
import type { AppName } from '../servers/platform/apps/sandboxApps.ts';
import { type PlatformServer, startPlatform } from '../servers/platform/platformServer.ts';
import { ManualClock } from '../support/manualClock.ts';
import { appUnderTest } from '../support/appUnderTest.ts';

const never = new AbortController().signal;

const nineRows = `text\n${Array.from({ length: 9 }, (_, at) => at).join('\n')}`;

describe('a batch on the sandbox', () => {
  let server: PlatformServer;
  let folder: string;
  const toClean: (() => unknown)[] = [];
  before(async () => void (server = await startPlatform()));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'batch-'));
    server.clearRequests();
  });
  afterEach(async () => {
    for (const clean of toClean.splice(0)) clean();
    await rm(folder, { recursive: true });
  });
  after(() => server.stop());

  const path = () => join(folder, 't.results.csv');
  const inputs = () =>
    server.requests
      .filter((request) => request.path === '/v1/workflows/run')
      .map(({ json }) => (json as { inputs: { text: string } }).inputs.text);
  /** Each line but the header: the row, its first cell, the state and the beginning of the output. */
  async function lines(): Promise<string[]> {
    const [, ...rows] = readLines(await readFile(path(), 'utf8'));
    return rows.map(([row, cell, status, output, error]) =>
      [row, cell, status, (output || error)?.slice(0, 24)].join('|'),
    );
  }

  async function prepare(text: string, name: AppName = 'workflow') {
    const { client, http } = appUnderTest({ baseUrl: server.url, key: server.apps[name].key });
    toClean.push(() => http.dispose());
    const parameters = await client.parameters(never);
    const { form } = parameters;
    const table: Table = readTable(text);
    const { rows, problems } = await planRows(table, form, matchColumns(form, table.columns), {
      ...{ common: {}, maxBytes: parameters.files.maxBytes },
      findFile: () => Promise.reject(new Error('no files')),
    });
    assert.deepEqual(problems, []);
    const files = () => Promise.reject(new Error('no files'));
    const { url: baseUrl } = server;
    const order = { client, kind: 'workflow' as const, parameters, files, stream: true, baseUrl };
    return { table, rows, order };
  }

  it('runs each row once, tells how far it is, and leaves a line for each in their order', async () => {
    const { table, rows, order } = await prepare('text,note\none,a\n"two\ntwo",b\nthree,c\nfour,=d\nfive,e');
    const results = await BatchResults.create(path(), table);
    const told: BatchCounts[] = [];
    const outcome = await runBatch({ ...order, rows, results }, never, (counts) => told.push(counts));
    assert.deepEqual(outcome, { succeeded: 5, failed: 0, running: 0, notRun: 0 });
    assert.equal(told.length, 5);
    assert.deepEqual(inputs().toSorted(), ['five', 'four', 'one', 'three', 'two\ntwo']);
    const during = readLines(await readFile(path(), 'utf8'));
    assert.equal(during.filter((line) => line[3] === 'running').length, 5);
    await results.tidy();
    const [header, ...done] = readLines(await readFile(path(), 'utf8'));
    assert.deepEqual(header?.slice(0, 4), ['row', 'text', 'note', 'run status']);
    assert.deepEqual(
      done.map(([row, cell, note, status]) => [row, cell, note, status]),
      [
        ['2', 'one', 'a', 'succeeded'],
        ['3', 'two\ntwo', 'b', 'succeeded'],
        ['4', 'three', 'c', 'succeeded'],
        ['5', 'four', "'=d", 'succeeded'],
        ['6', 'five', 'e', 'succeeded'],
      ],
    );
    const output = JSON.parse(done[0]?.[4] ?? '') as { text: string; file: { url: string } };
    assert.match(output.text, /^# Summary/);
    assert.deepEqual(Object.keys(output.file), ['name', 'type', 'size', 'url']);
    assert.ok(output.file.url.startsWith(`${server.url}/files/`));
    assert.match(done[0]?.[6] ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      header?.slice(9),
      Object.keys(output).map((name) => `run output: ${name}`),
    );
    assert.equal(done[0]?.[9], output.text);
    assert.ok(done[0]?.includes(JSON.stringify(output.file)));
  });

  it('goes on with a file that has a column for each output, and makes them anew', async () => {
    const { table } = await prepare('text\none\n=two');
    const [one, two] = table.rows;
    assert.ok(one && two);
    const results = await BatchResults.create(path(), table);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`n${n}`, n]));
    await results.add({ row: one, status: 'succeeded', output: '{"=title":"Tides","__proto__":[1]}' });
    await results.tidy();
    const read = await BatchResults.read(path(), table);
    assert.equal(read?.of(one)?.status, 'succeeded');
    await read.add({ row: two, status: 'succeeded', output: JSON.stringify(many) });
    const untidied = await BatchResults.read(path(), table);
    assert.equal(untidied?.of(two)?.status, 'succeeded');
    await untidied.tidy();
    const [header, first, second] = readLines(await readFile(path(), 'utf8'));
    assert.deepEqual(header?.slice(8, 11), ['run output: =title', 'run output: __proto__', 'run output: n0']);
    assert.deepEqual(first?.slice(8, 11), ['Tides', '[1]', '']);
    assert.deepEqual(second?.slice(8, 11), ['', '', '0']);
    assert.equal(header?.length, 8 + 50);
    for (const output of ['plain', '["a"]', '{broken']) {
      await untidied.add({ row: one, status: 'succeeded', output });
      await untidied.add({ row: two, status: 'succeeded', output });
      await untidied.tidy();
      assert.equal(readLines(await readFile(path(), 'utf8'))[0]?.length, 8);
    }
  });

  it('keeps failures with their reasons, and runs only those rows again', async () => {
    const failing = await prepare('text\none\ntwo', 'workflowFails');
    const results = await BatchResults.create(path(), failing.table);
    const outcome = await runBatch({ ...failing.order, rows: failing.rows, results }, never, () => {});
    assert.deepEqual(outcome, { succeeded: 0, failed: 2, running: 0, notRun: 0 });
    await results.tidy();
    assert.equal((await lines()).length, 2);
    assert.match((await lines())[0] ?? '', /^2\|one\|failed\|/);
    assert.match(await readFile(path(), 'utf8'), /NameError: name 'tides' is not defined/);

    const repaired = await prepare('text\none\nzwei');
    const again = await BatchResults.read(path(), repaired.table);
    assert.ok(again);
    const left = await rowsToRun({ ...repaired.order, results: again }, repaired.rows, never);
    assert.deepEqual([left.done, left.running, left.rows.length], [0, 0, 2]);
    await runBatch({ ...repaired.order, rows: left.rows.slice(1), results: again }, never, () => {});
    await again.tidy();
    assert.deepEqual(
      (await lines()).map((line) => line.split('|').slice(0, 3).join('|')),
      ['2|one|failed', '3|zwei|succeeded'],
    );
    const rest = await rowsToRun({ ...repaired.order, results: again }, repaired.rows, never);
    assert.deepEqual([rest.done, rest.rows.map(({ cells }) => cells[0])], [1, ['one']]);
    const { rows } = await prepare('text\none\ndrei');
    assert.equal((await rowsToRun({ ...repaired.order, results: again }, rows, never)).done, 0);
  });

  it('loses nothing when the window dies, and runs nothing twice that went on without it', async () => {
    const { table, rows, order } = await prepare('text\none\ntwo\nthree');
    const done = await BatchResults.create(path(), table);
    await runBatch({ ...order, rows: rows.slice(0, 2), results: done }, never, () => {});
    const [header, ...all] = readLines(await readFile(path(), 'utf8'));
    const of = (row: string) => all.filter((line) => line[0] === row);
    // The window died in the middle of a line, after the second row had begun.
    const written = [header, ...of('2'), of('3')[0]].map((line) =>
      line?.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
    );
    await writeFile(path(), `\ufeff${written.join('\n')}\n`);
    await appendFile(path(), '4,"thr');
    server.clearRequests();

    const results = await BatchResults.read(path(), table);
    assert.ok(results);
    const left = await rowsToRun({ ...order, results }, rows, never);
    assert.deepEqual([left.done, left.running, left.rows.map(({ number }) => number)], [2, 0, [4]]);
    await runBatch({ ...order, rows: left.rows, results }, never, () => {});
    assert.doesNotMatch(await readFile(path(), 'utf8'), /"thr/);
    const read = await BatchResults.read(path(), table);
    assert.equal(rows[2] && read?.of(rows[2])?.status, 'succeeded');
    await results.tidy();
    assert.deepEqual(inputs(), ['three']);
    assert.deepEqual(
      (await lines()).map((line) => line.split('|').slice(0, 3).join('|')),
      ['2|one|succeeded', '3|two|succeeded', '4|three|succeeded'],
    );
    assert.equal(await BatchResults.read(path(), readTable('other\n1')), undefined);
    await assert.rejects(BatchResults.create(path(), table), { code: 'EEXIST' });
  });

  it('runs no row again whose run goes on or waits on the platform, but one that the platform knows nothing of', async () => {
    const { table, rows, order } = await prepare('text\none\ntwo\nthree');
    const results = await BatchResults.create(path(), table);
    const statuses = ['running', 'paused', undefined] as const;
    for (const [at, row] of rows.entries()) await results.add({ row, status: 'running', runId: String(at) });
    const client = {
      ...order.client,
      async workflowRun(runId: string): Promise<AppRun> {
        const status = statuses[Number(runId)];
        if (!status) throw new SwitchboardError('request', 'not found', { status: 404 });
        return { id: runId, status, outputs: {} };
      },
    };
    const left = await rowsToRun({ results, baseUrl: server.url, client }, rows, never);
    assert.deepEqual([left.done, left.running, left.rows.map(({ number }) => number)], [0, 2, [4]]);
  });

  it('stops what runs when it is cancelled, and begins no more', async () => {
    const { table, rows, order } = await prepare('text\n1\n2\n3\n4\n5\n6\n7');
    const results = await BatchResults.create(path(), table);
    const hold = server.apps.hold('workflow', 3);
    const cancelling = new AbortController();
    void hold.reached.then(() => cancelling.abort());
    const outcome = await runBatch({ ...order, rows, results }, cancelling.signal, () => {});
    const { succeeded, failed, notRun } = outcome;
    assert.equal(succeeded + failed + notRun, 7);
    assert.ok(notRun >= 1 && failed >= 1, JSON.stringify(outcome));
    await results.tidy();
    assert.ok((await lines()).some((line) => line.split('|')[2] === 'stopped'));
    assert.equal(inputs().length, 7 - notRun);
  });

  it('waits out a lasting rate limit instead of failing its rows', async () => {
    const { table, rows, order } = await prepare('text\none\ntwo\nthree', 'busyWorkflow');
    const results = await BatchResults.create(path(), table);
    const waits: (number | undefined)[] = [];
    const clock = new ManualClock();
    const done = runBatch({ ...order, rows, results }, never, () => {}, {
      clock,
      onPause(ms) {
        waits.push(ms);
        if (ms !== undefined) setImmediate(() => clock.advance(ms));
      },
    });
    assert.deepEqual(await done, { succeeded: 3, failed: 0, running: 0, notRun: 0 });
    assert.deepEqual(waits[0], 1000);
    assert.equal((await lines()).filter((line) => line.includes('|failed|')).length, 0);
  });

  it('begins no row again that had begun when the limit came, and stops while it waits', async () => {
    const { table, rows, order } = await prepare('text\none\ntwo\nthree\nfour');
    const limit = () => new SwitchboardError('rate-limit', 'Slow down.');
    let calls = 0;
    const client = {
      ...order.client,
      async *runWorkflow(): AsyncGenerator<AppEvent> {
        calls++;
        yield { type: 'started', runId: `r${calls}` };
        throw limit();
      },
    } as unknown as typeof order.client;
    const begun = await BatchResults.create(path(), table);
    const outcome = await runBatch({ ...order, client, rows, results: begun }, never, () => {});
    assert.deepEqual([outcome.error?.code, calls], ['rate-limit', 3]);

    const refusing = { ...order.client, runWorkflow: () => refuse() } as typeof order.client;
    // eslint-disable-next-line require-yield
    async function* refuse(): AsyncGenerator<AppEvent> {
      throw limit();
    }
    await rm(path());
    const results = await BatchResults.create(path(), table);
    const stopping = new AbortController();
    const stopped = await runBatch({ ...order, client: refusing, rows, results }, stopping.signal, () => {}, {
      clock: new ManualClock(),
      onPause: () => stopping.abort(),
    });
    assert.deepEqual(stopped, { succeeded: 0, failed: 0, running: 0, notRun: 4 });
  });

  it('ends at each failure that all other rows would meet, and at no other one', async () => {
    const { table, rows, order } = await prepare(nineRows);
    const endOf = async (code: ErrorCode) => {
      // eslint-disable-next-line require-yield
      async function* runWorkflow(): AsyncGenerator<AppEvent> {
        throw new SwitchboardError(code, 'No.');
      }
      const client = { ...order.client, runWorkflow } as typeof order.client;
      const results = await BatchResults.create(path(), table);
      const { error, failed, notRun } = await runBatch({ ...order, client, rows, results }, never, () => {});
      await rm(path());
      return [error?.code, failed, notRun];
    };
    for (const code of [
      'wrong-address',
      'key',
      'balance',
      'not-permitted',
      'network-not-allowed',
      'app-unavailable',
      'timeout-connect',
      'tls',
      'proxy',
      'offline',
      'storage',
    ] satisfies ErrorCode[])
      assert.deepEqual(await endOf(code), [code, 3, 6]);
    for (const code of ['inputs', 'request', 'content-filter'] as const)
      assert.deepEqual(await endOf(code), [undefined, 9, 0]);
  });

  it('ends where all other rows would fail alike, and runs at most three at a time', async () => {
    const { table, rows, order } = await prepare(nineRows);
    const results = await BatchResults.create(path(), table);
    await server.stop();
    const outcome = await runBatch({ ...order, rows, results }, never, () => {});
    assert.equal(outcome.error?.code, 'offline');
    assert.equal(outcome.failed, 3);
    assert.equal(outcome.notRun, 6);
    server = await startPlatform();
  });
});
