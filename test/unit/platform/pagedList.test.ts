import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { PagedList } from '../../../src/platform/pagedList.ts';
import type { Page } from '../../../src/platform/records.ts';
import { eachPage } from '../../../src/platform/platformWire.ts';

describe('PagedList', () => {
  const pages: Page<number>[] = [
    { items: [1, 2], hasMore: true, total: 3 },
    { items: [3], hasMore: true, total: 3 },
    { items: [], hasMore: true, total: 3 },
  ];
  const pageOf = async (page: number) => pages[page - 1] ?? assert.fail(`page ${page} was asked for`);

  it('asks for one page after the other, and stops at an empty one', async () => {
    const list = new PagedList(pageOf, String);
    await list.ensure();
    await list.ensure();
    assert.deepEqual([list.items, list.hasMore, list.total], [[1, 2], true, 3]);
    await list.loadNext();
    assert.equal(list.hasMore, true, 'the server says so');
    await list.loadNext();
    assert.deepEqual([list.items, list.hasMore], [[1, 2, 3], false]);
  });

  it('asks once for all who wait for the same page', async () => {
    const asked: number[] = [];
    const list = new PagedList((page) => {
      asked.push(page);
      return pageOf(page);
    }, String);
    await Promise.all([list.ensure(), list.ensure(), list.loadNext()]);
    assert.deepEqual(asked, [1]);
  });

  it('keeps what it has when a page fails, does not ask again by itself, and goes on from there', async () => {
    let fails = true;
    const list = new PagedList(async (page) => {
      if (fails) throw new SwitchboardError('transient', 'The connection broke.');
      return pageOf(page);
    }, String);
    await list.ensure();
    assert.equal(list.error?.message, 'The connection broke.');
    await list.ensure();
    assert.deepEqual(list.items, []);
    fails = false;
    await list.loadNext();
    assert.deepEqual([list.items, list.error], [[1, 2], undefined]);
  });

  it('ends at a page that brings nothing new, and lists nothing twice', async () => {
    const list = new PagedList(async (page) => ({ items: [1, Math.min(page, 2)], hasMore: true }), String);
    await list.loadNext();
    await list.loadNext();
    assert.deepEqual([list.items, list.hasMore], [[1, 2], true]);
    await list.loadNext();
    assert.deepEqual([list.items, list.hasMore], [[1, 2], false]);
  });
});

describe('eachPage', () => {
  /** Number of entries and pages up to the list's end. */
  async function read(fetchPage: (page: number) => Page<{ id: string }>) {
    let [pages, entries] = [0, 0];
    const list = eachPage(async ({ page }) => {
      pages++;
      return fetchPage(page);
    });
    let error: unknown;
    try {
      for await (const items of list) entries += items.length;
    } catch (thrown) {
      error = thrown;
    }
    return { pages, entries, error };
  }
  const entriesOf = (page: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${page}-${index}` }));

  it('ends at a page that brings nothing new', async () => {
    const { pages, entries, error } = await read(() => ({ items: entriesOf(1, 3), hasMore: true }));
    assert.deepEqual([pages, entries, error], [2, 3, undefined]);
  });

  it('ends a list that always has another page, and says so', async () => {
    const long = await read((page) => ({ items: entriesOf(page, 100), hasMore: true }));
    assert.deepEqual([long.pages, long.entries], [1000, 100_000]);
    assert.ok(long.error instanceof SwitchboardError);
    assert.match(long.error.message, /too long to load completely/);
    const slow = await read((page) => ({ items: entriesOf(page, 1), hasMore: true }));
    assert.deepEqual([slow.pages, slow.error instanceof SwitchboardError], [5000, true]);
  });
});
